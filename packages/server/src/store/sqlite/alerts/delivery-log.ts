/** The log of whatever was sent of alerts: messages of rules, and deliveries of projects' own alerts, in one order. */
import { shortId } from '#issues/issue-names.ts'
import { countsByState, median } from '#notices/rules/message-log.ts'
import { entryTitle } from '#notices/rules/notice-words.ts'
import type { DeliveryLog, DeliveryLogEntry, DeliveryLogQuery, MessageState } from '#ports/messages.ts'
import type { NoticeChannel, NoticeKind } from '#ports/notices.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import {
  ENTRY,
  type MessageRow,
  READABLE_MESSAGES,
  readableMessages,
  readMessageEntry,
} from './message-entries.ts'

/** Own alerts as they were told: a merged issue is what it was merged into. */
const OWN = `FROM notices n JOIN deliveries d ON d.notice_id = n.id JOIN projects p ON p.id = n.project_id
  LEFT JOIN users u ON u.id = d.user_id
  LEFT JOIN issue_redirects r ON r.project_id = n.project_id AND r.number = n.issue_number
  LEFT JOIN issues i ON i.id = coalesce(r.issue_id, n.issue_id) AND i.project_id = n.project_id`
/** Addresses are for who may change the project: the log of each shows them. */
const OWN_RECEIVER = `iif(d.channel = 'webhook', p.name, iif(u.name = '', 'Member', u.name))`

/**
 * Columns by which messages and deliveries are chosen and ordered. An odd key is a delivery's. By
 * alert_messages_by_org, notices_by_project.
 */
const LOG = `WITH log AS (
    SELECT id * 2 AS key, at_ms AS atMs, state, settled_ms AS settledMs, held_until_ms IS NOT NULL AS isHeld, rule_id AS rule,
      kind, headline || char(10) || receiver || char(10) || coalesce(says, '') AS said
    FROM alert_messages WHERE ${READABLE_MESSAGES} AND at_ms >= :since AND :of <> 'projects'
    UNION ALL
    SELECT d.id * 2 + 1, n.at_ms, d.state, d.settled_ms, 0, NULL, iif(d.channel = 'mail', 'email', 'webhook'),
      coalesce(p.slug || '-' || i.number || ' ' || ${ISSUE_TITLE}, '') || char(10) || ${OWN_RECEIVER} || char(10)
        || iif(d.channel = 'mail', '', coalesce(d.says, ''))
    ${OWN} WHERE n.project_id IN (SELECT value FROM json_each(:projects)) AND n.at_ms >= :since AND :rule IS NULL AND :of <> 'rules'),
  wanted AS (SELECT * FROM log WHERE (:rule IS NULL OR rule = :rule) AND (:kind IS NULL OR kind = :kind)
    AND (:text = '' OR instr(lower(said), :text) > 0))`

export function deliveryLog(db: Connection, scope: ReadScope, query: DeliveryLogQuery): DeliveryLog {
  const { ruleId, kind, of, states, sinceMs, text, before, limit } = query
  const params = {
    ...{ ...readableMessages(scope), of, since: sinceMs, rule: ruleId, kind },
    text: text.toLowerCase(),
  }
  const counts = db.all<{ state: MessageState; count: number }>(
    `${LOG} SELECT state, count(*) AS count FROM wanted GROUP BY state`,
    params,
  )
  const took = db.all<{ ms: number }>(
    `${LOG} SELECT settledMs - atMs AS ms FROM wanted WHERE state = 'sent' AND isHeld = 0 ORDER BY ms`,
    params,
  )
  const page = db.all<{ key: number }>(
    `${LOG} SELECT key FROM wanted WHERE (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
      AND (:before IS NULL OR (atMs, key) < (SELECT atMs, key FROM log WHERE key = :before))
    ORDER BY atMs DESC, key DESC LIMIT :limit`,
    {
      ...params,
      states: states === null ? null : JSON.stringify(states),
      before: deliveryKey(before),
      limit,
    },
  )
  return {
    entries: readDeliveries(
      db,
      page.map(({ key }) => key),
    ),
    counts: countsByState(counts),
    medianMs: median(took.map(({ ms }) => ms)),
  }
}

const OWN_REF = 'p'

/** Returns the key of an entry's name; -1, which none has, for a text that names none. */
function deliveryKey(ref: string | null): number | null {
  if (ref === null) return null
  const [, own, id] = /^(p?)(\d{1,15})$/.exec(ref) ?? []
  return id === undefined ? -1 : Number(id) * 2 + (own === OWN_REF ? 1 : 0)
}

function readDeliveries(db: Connection, keys: readonly number[]): readonly DeliveryLogEntry[] {
  const ids = (rest: number) =>
    JSON.stringify(keys.filter((key) => key % 2 === rest).map((key) => (key - rest) / 2))
  const chosen = 'IN (SELECT value FROM json_each(?))'
  const messages = db.all<MessageRow>(`${ENTRY} WHERE id ${chosen}`, [ids(0)]).map(ruleDelivery)
  const own = db.all<OwnRow>(`${OWN_ENTRY} WHERE d.id ${chosen}`, [ids(1)]).map(projectDelivery)
  const found = new Map([...messages, ...own].map((entry) => [entry.ref, entry]))
  return keys.flatMap((key) => found.get(key % 2 === 0 ? `${key / 2}` : `${OWN_REF}${(key - 1) / 2}`) ?? [])
}

function ruleDelivery(row: MessageRow): DeliveryLogEntry {
  const entry = readMessageEntry(row)
  return { ...entry, ref: String(entry.id), ofProject: null, tryCount: entry.tries.length }
}

interface OwnRow {
  readonly id: number
  readonly atMs: number
  readonly noticeKind: NoticeKind
  readonly channel: NoticeChannel
  readonly to: string
  readonly state: MessageState
  readonly says: string | null
  readonly nextMs: number | null
  readonly settledMs: number | null
  readonly tryCount: number
  readonly newIssues: number
  readonly returnedIssues: number
  readonly echoIssues: number
  readonly slug: string
  readonly name: string
  readonly number: number | null
  readonly title: string | null
}

const OWN_ENTRY = `SELECT d.id, n.at_ms AS atMs, n.kind AS noticeKind, d.channel, ${OWN_RECEIVER} AS "to", d.state, d.says,
    CASE d.state WHEN 'waiting' THEN d.due_ms END AS nextMs, d.settled_ms AS settledMs, d.tries AS tryCount,
    n.new_issues AS newIssues, n.returned_issues AS returnedIssues, n.echo_issues AS echoIssues, p.slug, p.name, i.number,
    ${ISSUE_TITLE} AS title
  ${OWN}`

/** Mail servers say whom they refuse; nor can it be searched for. */
function withoutAddresses(says: string): string {
  return says.replace(/[^\s@<>]+@[^\s@<>]+/g, '…')
}

function projectDelivery({
  noticeKind,
  channel,
  slug,
  name,
  number,
  title,
  ...row
}: OwnRow): DeliveryLogEntry {
  const { newIssues, returnedIssues, echoIssues, ...sent } = row
  const issue = number === null || title === null ? null : { shortId: shortId(slug, number), title }
  const rest = noticeKind === 'summary' ? { newIssues, returnedIssues, echoIssues } : null
  return {
    ...sent,
    says: channel === 'mail' && row.says !== null ? withoutAddresses(row.says) : row.says,
    ...{ ref: `${OWN_REF}${row.id}`, ofProject: { slug, name }, rule: null, channelId: null },
    headline: entryTitle({ kind: noticeKind, issue, rest, project: { name } }),
    moment: noticeKind === 'test' ? 'test' : 'fired',
    ...{ level: 'info', kind: channel === 'mail' ? 'email' : 'webhook', issue: issue?.shortId ?? null },
    ...{ heldUntilMs: null, tries: [], gatheredIn: null },
  }
}
