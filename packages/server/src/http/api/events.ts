/** Events of an issue, one event, and where an event or a short id is. */
import * as v from 'valibot'
import { HOUR_MS } from '#base/durations.ts'
import type { TransactionView } from '#queries/traces/transaction.ts'
import type { EventView } from '#queries/types.ts'
import { COMMITTERS, EVENT, EVENT_PLACE, EVENT_ROW, STORED_EVENT, TRANSACTION } from './answers/event.ts'
import { SHORT_ID } from './answers/issue.ts'
import { type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { FORMAT } from './export.ts'
import { issueDetail } from './issues.ts'
import { PAGE, readPage } from './pages.ts'
import { givenRange, wholeHours } from './params.ts'
import { words, yes } from './query.ts'
import { apiRefusal, existing } from './refusals.ts'
import { eventRowShape, eventShape, storedShape } from './shape/event.ts'
import { commitShape } from './shape/release.ts'
import { storedTransaction, transactionShape } from './shape/transaction.ts'

const FULL_AT_ONCE = 5
const QUERY = words('query', 'A search of the events, as in the web app; empty for all')
const RANGE = givenRange()
const FULL = yes('full', 'With all parts of each event')

export const EVENT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/events/',
    permission: 'issue.read',
    what: 'events of an issue, newest first; `full=1` with all parts',
    query: [QUERY, ...RANGE.parameters, FULL, FORMAT, ...PAGE],
    exported: {
      name: 'events',
      columns: () => [
        ...['eventID', 'groupID', 'projectID', 'title', 'culprit', 'platform', 'dist'],
        ...[
          'dateCreated',
          'dateReceived',
          'user.id',
          'user.email',
          'user.username',
          'user.ip_address',
          'tags',
        ],
      ],
    },
    answer: v.union([v.array(EVENT_ROW), v.array(EVENT)]),
    run: issueEvents,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/events/{event}/',
    permission: 'issue.read',
    what: 'one event of an issue: its id, `latest`, `oldest` or `recommended`',
    answer: EVENT,
    async run(call) {
      return answerOk(eventShape(await issueEventOf(call)))
    },
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/events/{event}/json/',
    permission: 'issue.read',
    what: 'the stored event, in the SDK’s own spelling',
    answer: STORED_EVENT,
    async run(call) {
      return answerOk(storedShape(await issueEventOf(call)))
    },
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/events/{event}/',
    permission: 'issue.read',
    what: 'one event of a project, or a transaction',
    answer: v.union([EVENT, TRANSACTION]),
    async run(call) {
      const found = await anyEventOf(call)
      return answerOk('event' in found ? eventShape(found) : transactionShape(found))
    },
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/events/{event}/committers/',
    permission: 'issue.read',
    what: 'whose commits an event may come from, the likeliest first; nobody for a transaction',
    answer: COMMITTERS,
    async run(call) {
      return answerOk({ committers: await committersOf(call) })
    },
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/events/{event}/json/',
    permission: 'issue.read',
    what: 'the stored event, in the SDK’s own spelling',
    answer: STORED_EVENT,
    async run(call) {
      const found = await anyEventOf(call)
      return answerOk('event' in found ? storedShape(found) : storedTransaction(found))
    },
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/eventids/{event}/',
    permission: 'issue.read',
    what: 'where an event is',
    answer: EVENT_PLACE,
    async run({ queries, scope, params }) {
      const { project, issue, eventId } = existing(await queries.eventPlace(scope, params.event ?? ''))
      const event = existing(await queries.event(scope, String(project.id), eventId))
      return answerOk({
        organizationSlug: scope.orgSlug,
        projectSlug: project.slug,
        groupId: String(issue.id),
        eventId,
        event: eventShape(event),
      })
    },
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/shortids/{short}/',
    permission: 'issue.read',
    what: 'which issue a short id names',
    answer: SHORT_ID,
    async run(call) {
      const group = await issueDetail(call, call.params.short ?? '')
      return answerOk({
        organizationSlug: call.scope.orgSlug,
        projectSlug: group.project.slug,
        groupId: group.id,
        group,
        shortId: group.shortId,
      })
    },
  },
]

async function issueEventOf({ queries, scope, params }: OrgCall): Promise<EventView> {
  return existing(await queries.issueEvent(scope, params.issue ?? '', params.event ?? ''))
}

/** An error, or else a transaction. */
async function anyEventOf({ queries, scope, params }: OrgCall): Promise<EventView | TransactionView> {
  const [project, id] = [params.project ?? '', params.event ?? '']
  const error = await queries.event(scope, project, id)
  return error ?? existing(await queries.transaction(scope, project, id))
}

async function committersOf(call: OrgCall) {
  const found = await anyEventOf(call)
  if (!('event' in found)) return []
  const { queries, scope, clock } = call
  const range = { startMs: clock.now() - HOUR_MS, endMs: clock.now(), stepMs: HOUR_MS }
  const view = await queries.issue(scope, String(found.issueId), range)
  if (view === null) return []
  const { issue, activity } = view
  const { suspects } = await queries.suspectCommits(scope, { issue, activity, event: found.event })
  const byAuthor = Map.groupBy(suspects, ({ commit }) => `${commit.authorName}\n${commit.authorEmail}`)
  return [...byAuthor.values()].map((own) => {
    const commits = own.map(({ commit }) => commitShape(commit))
    return { author: commits[0]?.author ?? null, commits }
  })
}

async function issueEvents(call: OrgCall) {
  const { queries, scope, params, url } = call
  const ref = params.issue ?? ''
  const query = QUERY.read(url)
  const { limit, cursor } = readPage(url)
  // As the list of issues counts: its count of a period is of these events.
  const given = RANGE.read(url, call.clock)
  const range = given === null ? {} : { range: wholeHours(given, url) }
  const table = existing(await queries.issueEvents(scope, ref, { query, limit, cursor, ...range }))
  if (table.problems.length > 0)
    throw apiRefusal('query_invalid', table.problems.map(({ message }) => message).join(' '))
  const page = { previous: null, next: table.nextCursor, hits: table.total }
  if (FULL.read(url))
    return answerOk(
      await fullEvents(
        call,
        table.rows.map(({ eventId }) => ({ ref, id: eventId })),
      ),
      page,
    )
  const owner = existing(await queries.issueGroups(scope, ref))[0]
  return answerOk(owner === undefined ? [] : table.rows.map((row) => eventRowShape(row, owner.issueId)), page)
}

/** A few payloads at a time: a page holds up to 100. */
export async function fullEvents(
  { queries, scope }: OrgCall,
  places: readonly { readonly ref: string; readonly id: string }[],
) {
  const events: (EventView | null)[] = []
  for (let at = 0; at < places.length; at += FULL_AT_ONCE) {
    const some = places.slice(at, at + FULL_AT_ONCE)
    events.push(...(await Promise.all(some.map(({ ref, id }) => queries.issueEvent(scope, ref, id)))))
  }
  return events.filter((event) => event !== null).map(eventShape)
}
