/** The caller's inbox in one organisation: reading it, and marking entries as read. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import { INBOX_KINDS } from '#model/inbox.ts'
import type { InboxEntry } from '#ports/inbox.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { choiceOrNone, words, yes } from './query.ts'
import { badField, grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const KIND = choiceOrNone({ name: 'kind', what: 'Entries of this kind alone', of: INBOX_KINDS })
const UNREAD = yes('unread', 'Unread entries alone')
const BEFORE = words('before', 'Where the page before ended, as `next` said it', 16)

const ENTRY = v.object({
  id: v.string(),
  kind: v.picklist(INBOX_KINDS),
  dateCreated: v.string(),
  isRead: v.boolean(),
  issue: v.nullable(v.object({ shortId: v.string(), title: v.string() })),
  activity: v.nullable(v.object({ type: v.string(), by: v.string(), text: v.nullable(v.string()) })),
  alert: v.nullable(v.object({ rule: v.nullable(v.string()), headline: v.string(), level: v.string() })),
  delivery: v.nullable(v.object({ channel: v.nullable(v.string()), says: v.string() })),
})
const MARK = v.object({
  ids: v.optional(v.array(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/)))),
  upTo: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/))),
  isRead: v.optional(v.boolean(), true),
})

export const INBOX_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/inbox/',
    permission: 'issue.read',
    what: 'what concerns whoever asks: mentions, assignments, regressions, alerts, failed deliveries, newest first',
    query: [KIND, UNREAD, BEFORE],
    answer: v.object({ entries: v.array(ENTRY), next: v.nullable(v.string()) }),
    run: readInbox,
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/organizations/{org}/inbox/',
    permission: 'search.write',
    what: 'mark entries as read or unread: `ids`, or all up to and including `upTo`',
    body: MARK,
    answer: v.object({ changed: v.number() }),
    run: markInboxByCall,
  }),
]

async function readInbox({ queries, scope, url }: OrgCall) {
  const text = BEFORE.read(url)
  const before = text === '' ? null : Number(text)
  if (before !== null && !(Number.isSafeInteger(before) && before > 0))
    throw badField('before', 'An id of an entry.')
  const asked = { before, kind: KIND.read(url), isUnreadOnly: UNREAD.read(url) }
  const found = await queries.inboxOfScope(scope, asked)
  return answerOk({
    entries: found.entries.map(inboxShape),
    next: found.next === null ? null : String(found.next),
  })
}

async function markInboxByCall(call: OrgCall) {
  const { ids, upTo, isRead } = readBody(MARK, await call.json())
  if ((ids === undefined) === (upTo === undefined)) throw badField('ids', 'Either `ids` or `upTo`.')
  if (ids !== undefined && ids.length > max('inboxEntriesMax'))
    throw badField('ids', `At most ${max('inboxEntriesMax')}.`)
  const entries = ids === undefined ? { upTo: Number(upTo) } : { ids: ids.map(Number) }
  return answerOk({ changed: grantedOrThrow(await call.commands.markInboxIn(call, { entries, isRead })) })
}

function inboxShape({ id, kind, atMs, isRead, issue, activity, alert, delivery }: InboxEntry) {
  const text = activity?.kind === 'commented' ? activity.detail.text : null
  return {
    ...{ id: String(id), kind, dateCreated: isoTimeText(atMs), isRead },
    issue: issue === null ? null : { shortId: issue.shortId, title: issue.title },
    activity:
      activity === null
        ? null
        : { type: activity.kind, by: activity.by, text: typeof text === 'string' ? text : null },
    alert:
      alert === null
        ? null
        : {
            ...{ rule: alert.ruleId === null ? null : String(alert.ruleId) },
            ...{ headline: alert.headline, level: alert.level },
          },
    delivery: delivery === null ? null : { channel: delivery.channel?.name ?? null, says: delivery.says },
  }
}
