/** The log of whatever was sent of alerts: messages of rules, and deliveries of projects' own alerts, in one order. */
import { foldLetters } from '#base/fold-letters.ts'
import { shortId } from '#issues/issue-names.ts'
import { countsByState } from '#notices/rules/message-log.ts'
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

/** Rows of both sorts, with what they are chosen and ordered by. An odd key is a delivery's. By alert_messages_by_org, notices_by_project. */
function logRows({ said }: { readonly said: boolean }): string {
  const [ofRule, own] = said ? [SAID_BY_RULE, SAID_BY_PROJECT] : ["''", "''"]
  return `SELECT id * 2 AS key, at_ms AS atMs, state, settled_ms AS settledMs, held_until_ms IS NOT NULL AS isHeld,
      rule_id AS rule, channel_id AS channel, kind, ${ofRule} AS said
    FROM alert_messages WHERE ${READABLE_MESSAGES} AND at_ms >= :since AND :of <> 'projects'
    UNION ALL
    SELECT d.id * 2 + 1, n.at_ms, d.state, d.settled_ms, 0, NULL, NULL, iif(d.channel = 'mail', 'email', 'webhook'), ${own}
    ${OWN} WHERE n.project_id IN (SELECT value FROM json_each(:projects)) AND n.at_ms >= :since AND :of <> 'rules'`
}

const SAID_BY_RULE = `headline || char(10) || receiver || char(10) || coalesce(says, '')`
const SAID_BY_PROJECT = `coalesce(p.slug || '-' || i.number || ' ' || ${ISSUE_TITLE}, '') || char(10) || ${OWN_RECEIVER}
  || char(10) || iif(d.channel = 'mail', '', coalesce(d.says, ''))`

/** Counts, median and page of what is wanted, which is looked at once. */
const LOG = `WITH wanted AS MATERIALIZED (
    SELECT key, atMs, state, settledMs, isHeld FROM (${logRows({ said: true })})
    WHERE (:rule IS NULL OR rule = :rule) AND (:kind IS NULL OR kind = :kind) AND (:channel IS NULL OR channel = :channel)
      AND (:text = '' OR instr(folded(said), :text) > 0)),
  took AS (SELECT settledMs - atMs AS ms, row_number() OVER (ORDER BY settledMs - atMs) AS place, count(*) OVER () AS total
    FROM wanted WHERE state = 'sent' AND isHeld = 0)
  SELECT 'count' AS part, state, count(*) AS value FROM wanted GROUP BY state
  UNION ALL SELECT 'median', '', ms FROM took WHERE place = (total + 1) / 2
  UNION ALL SELECT * FROM (SELECT 'entry', '', key FROM wanted
    WHERE (:states IS NULL OR state IN (SELECT value FROM json_each(:states))) AND (atMs, key) < (:beforeMs, :beforeKey)
    ORDER BY atMs DESC, key DESC LIMIT :limit)`

type LogRow =
  | { readonly part: 'count'; readonly state: MessageState; readonly value: number }
  | { readonly part: 'median' | 'entry'; readonly value: number }

export function deliveryLog(db: Connection, scope: ReadScope, query: DeliveryLogQuery): DeliveryLog {
  const { ruleId, kind, channelId, of, states, sinceMs, text, before, limit } = query
  const readable = { ...readableMessages(scope), of, since: sinceMs }
  const place = findLogPlace(db, before, readable)
  const rows = db.all<LogRow>(LOG, {
    ...{ ...readable, rule: ruleId, kind, channel: channelId, text: foldLetters(text), limit },
    ...{
      states: states === null ? null : JSON.stringify(states),
      beforeMs: place.atMs,
      beforeKey: place.key,
    },
  })
  const keys = rows.flatMap(({ part, value }) => (part === 'entry' ? [value] : []))
  return {
    entries: readDeliveries(db, keys),
    counts: countsByState(
      rows.flatMap((row) => (row.part === 'count' ? [{ ...row, count: row.value }] : [])),
    ),
    medianMs: rows.find(({ part }) => part === 'median')?.value ?? null,
  }
}

/** Numbers by state since a time, of messages of rules and of projects' own alerts. */
export function deliveryCounts(db: Connection, scope: ReadScope, sinceMs: number) {
  const sql = `SELECT state, key % 2 AS isOwn, count(*) AS count FROM (${logRows({ said: false })}) GROUP BY state, isOwn`
  type Row = { readonly state: MessageState; readonly isOwn: number; readonly count: number }
  const rows = db.all<Row>(sql, { ...readableMessages(scope), of: 'all', since: sinceMs })
  const of = (own: number) => countsByState(rows.filter(({ isOwn }) => isOwn === own))
  return { rules: of(0), projects: of(1) }
}

const OWN_REF = 'p'
/** Later than any. */
const NEWEST = { atMs: Number.MAX_SAFE_INTEGER, key: 0 }
/** Earlier than any. */
const OLDEST = { atMs: -1, key: 0 }

/**
 * Finds the place behind which a page begins: a cursor says it. For the bare name of an entry that is gone it is that of the
 * next newer one of its sort, so that nothing is passed over.
 */
function findLogPlace(
  db: Connection,
  before: string | null,
  readable: Readonly<Record<string, string | number>>,
): { readonly atMs: number; readonly key: number } {
  if (before === null) return NEWEST
  const [, own, id, at] = /^(p?)(\d{1,15})(?:-(\d{1,15}))?$/.exec(before) ?? []
  if (id === undefined) return OLDEST
  const key = Number(id) * 2 + (own === OWN_REF ? 1 : 0)
  if (at !== undefined) return { atMs: Number(at), key }
  const sql = `SELECT atMs, key FROM (${logRows({ said: false })}) WHERE key >= :key AND key % 2 = :key % 2 ORDER BY key LIMIT 1`
  return db.get<{ atMs: number; key: number }>(sql, { ...readable, key }) ?? NEWEST
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
  const ref = String(entry.id)
  return { ...entry, ref, cursor: cursorOf(ref, row), ofProject: null, tryCount: entry.tries.length }
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
  const ref = `${OWN_REF}${row.id}`
  const rest = noticeKind === 'summary' ? { newIssues, returnedIssues, echoIssues } : null
  return {
    ...sent,
    says: channel === 'mail' && row.says !== null ? withoutAddresses(row.says) : row.says,
    ...{ ref, cursor: cursorOf(ref, row), ofProject: { slug, name }, rule: null, channelId: null },
    headline: entryTitle({ kind: noticeKind, issue, rest, project: { name } }),
    moment: noticeKind === 'test' ? 'test' : 'fired',
    ...{ level: 'info', kind: channel === 'mail' ? 'email' : 'webhook', issue: issue?.shortId ?? null },
    ...{ heldUntilMs: null, tries: [], gatheredIn: null },
  }
}

function cursorOf(ref: string, { atMs }: { readonly atMs: number }): string {
  return `${ref}-${atMs}`
}
