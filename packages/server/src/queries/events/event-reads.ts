/** Events of an issue: the table, one event with its payload, and its neighbours. */
import type { Clock } from '#base/clock.ts'
import { type EventId, readEventId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { actionIdOf } from '#kinds/error/request-kind.ts'
import { max } from '#limits/limits.ts'
import { readDigest } from '#model/digest-text.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { exceptionTree } from '#model/exception-tree.ts'
import { type FileName, fileStem } from '#model/file-name.ts'
import { hasWildcard, literalText } from '#model/text-pattern.ts'
import type { GroupView, Issue, IssuesRead } from '#ports/issues.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type {
  CountedMatches,
  EventFilter,
  FileContents,
  NamedFile,
  PayloadSegments,
  EventReads as StoredEvents,
} from '#ports/telemetry.ts'
import { decodeEvent } from '#recognise/react/decode-event.ts'
import { type ActionNameParts, actionNames, type ShownAction, shownIn } from '../action-names.ts'
import type { FindEvent } from '../find-event.ts'
import { type EventSearch, readEventSearch } from '../search/event-search.ts'
import { EVENT_GRAMMAR } from '../search/fields.ts'
import { parseSearch } from '../search/parse.ts'
import { readMeant, tooManyReleases } from '../search/read-meant.ts'
import { type RoutesOf, rowShown } from '../shown-routes.ts'
import { type ReadableParts, readableStacks } from '../stacks/readable.ts'
import type { TimeRange } from '../time-range.ts'
import type { EventTable, EventTableParams, EventView, PayloadState, StoredEvent } from '../types.ts'
import {
  asScrubbed,
  explanationOf,
  hydrationOf,
  readStoredEvent,
  storedFromRow,
  withTitle,
} from './stored-event.ts'

export interface EventReadsParts extends ReadableParts, ActionNameParts {
  readonly issues: Pick<
    IssuesRead,
    'issue' | 'issueOfGroup' | 'groups' | 'digestsOfIssue' | 'tagCount' | 'facetValues'
  >
  readonly telemetry: Pick<StoredEvents<EventRow>, 'events' | 'neighbours' | 'count'>
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly releases: Pick<ReleasesRead, 'releasesMeant' | 'revision'>
  readonly findEvent: FindEvent
  readonly readAgain: ReadAgain
  readonly routesOf: RoutesOf
  readonly clock: Clock
}

/** A stored event with the source maps of today; the very one that was given where nothing of it changes. */
export type ReadAgain = (row: EventRow, event: ScrubbedEvent) => Promise<ScrubbedEvent>

export interface IssueEventReads {
  /** `null` when the event belongs to no issue that the scope holds. */
  view(scope: ReadScope, row: EventRow): Promise<EventView | null>
  table(scope: ReadScope, ref: string, params: EventTableParams): Promise<EventTable | null>
  ofIssue(scope: ReadScope, ref: string, which: string): Promise<EventView | null>
  countSince(scope: ReadScope, groups: readonly GroupView[], startMs: number): Promise<number>
  latest(scope: ReadScope, issue: Issue): Promise<EventRow | null>
  /** The newest event of any of the groups. */
  latestOf(scope: ReadScope, groups: readonly GroupView[]): Promise<EventRow | null>
}

export function createEventReads(parts: EventReadsParts): IssueEventReads {
  return {
    view: (scope, row) => view(parts, scope, row),
    table: (scope, ref, params) => readEventTable(parts, scope, { ref, ...params }),
    ofIssue: (scope, ref, which) => readEventOfIssue(parts, scope, { ref, which }),
    countSince: (scope, groups, startMs) => parts.telemetry.count(scope, { ...eventFilter(groups), startMs }),
    latestOf: (scope, groups) => readLatestEvent(parts, scope, groups),
    latest: async (scope, issue) => readLatestEvent(parts, scope, await parts.issues.groups(scope, issue.id)),
  }
}

/** Names an issue's files and groups for the column store. */
export function eventFilter(groups: readonly GroupView[]): EventFilter {
  const files = new Map<string, NamedFile>()
  for (const file of groups.flatMap((group) => group.files)) {
    const stem = fileStem(file)
    const before = files.get(stem)
    const holds = before === undefined ? file.holds : joinContents(before.holds ?? null, file.holds)
    files.set(stem, { ...file, holds })
  }
  return {
    groups: groups.map(({ projectId, hash }) => ({ projectId, hash })),
    files: [...files.values()],
  }
}

function joinContents(one: FileContents | null, other: FileContents | null): FileContents | null {
  if (one === null || other === null) return null
  return {
    events: one.events + other.events,
    firstMs: Math.min(one.firstMs, other.firstMs),
    lastMs: Math.max(one.lastMs, other.lastMs),
  }
}

/** Issue of an event, as far as it is known already. */
interface KnownIssue {
  readonly issue: Issue
  readonly groups: readonly GroupView[]
}

async function view(
  parts: EventReadsParts,
  scope: ReadScope,
  row: EventRow,
  known: KnownIssue | null = null,
): Promise<EventView | null> {
  // Asked for before it is known whether the event may be seen: it is thrown away then.
  const reading = parts.payloads.read(eventFile(row), row.projectId, row.eventId)
  const [payload, around] = await Promise.all([reading, readEventSurroundings(parts, scope, { row, known })])
  if (around === null) return null
  const { issue, groups, digests, neighbours } = around
  const [state, stored] = readPayloadState(row, payload)
  const event = state === 'kept' ? await parts.readAgain(row, asScrubbed(stored)) : stored
  const hashes = [row.groupHash, ...groups.map(({ hash }) => hash)]
  const readable = await readableStacks(parts, scope, { project: row.projectId, event })
  return {
    row: rowShown(event === stored ? row : withTitle(row, event), parts.routesOf),
    issueId: issue.id,
    ...decodeEvent(event),
    exceptions: exceptionTree(event.exception?.values ?? []),
    hydration: state === 'kept' ? hydrationOf(event) : null,
    payload: state,
    problems: event.problems,
    grouping: state === 'kept' ? explanationOf(event, hashes) : [],
    digests: digestsOfEvent(row, digests),
    requestKind: row.requestKind,
    ...(await actionOfEvent(parts, scope, { row, event: asScrubbed(event) })),
    neighbours,
    readable,
  }
}

async function actionOfEvent(
  parts: ActionNameParts,
  scope: ReadScope,
  { row, event }: { readonly row: EventRow; readonly event: ScrubbedEvent },
): Promise<ShownAction> {
  const id = row.skew === 'action' ? row.skewSubject : actionIdOf(event)
  if (id === null) return { action: null, actionId: null }
  const names = await actionNames(parts, scope, [{ project: row.projectId, release: row.release, id }])
  return shownIn(names, { projectId: row.projectId, action: id })
}

function readPayloadState(row: EventRow, payload: Uint8Array | null): readonly [PayloadState, StoredEvent] {
  if (payload === null) return ['missing', storedFromRow(row, 'missing')]
  if (payload.length === 0) return ['not_kept', storedFromRow(row, 'not_kept')]
  return ['kept', readStoredEvent(payload)]
}

function eventFile({ day, retentionDays }: EventRow): FileName {
  return { kind: ERROR, day, retentionDays }
}

async function readEventSurroundings(
  { issues, telemetry }: EventReadsParts,
  scope: ReadScope,
  { row, known }: { readonly row: EventRow; readonly known: KnownIssue | null },
) {
  const issue = known?.issue ?? (await issues.issueOfGroup(scope, row.projectId, row.groupHash))
  if (issue === null) return null
  const reading = issues.digestsOfIssue(scope, issue.id, max('digestsPerGroupMax'))
  const asking = async () => {
    const groups = known?.groups ?? (await issues.groups(scope, issue.id))
    return { groups, neighbours: await telemetry.neighbours(scope, eventFilter(groups), row) }
  }
  const [digests, asked] = await Promise.all([reading, asking()])
  return { issue, digests, ...asked }
}

/** The tag carries the event's most certain digest; the others are known of the newest event that showed them. */
function digestsOfEvent(
  row: EventRow,
  matches: Awaited<ReturnType<IssuesRead['digestsOfIssue']>>,
): EventView['digests'] {
  const tagged = readDigest(row.tags.find(([key]) => key === 'digest')?.[1])
  const own = matches.filter(
    ({ eventId, projectId }) => projectId === row.projectId && eventId === row.eventId,
  )
  return [...new Set([...(tagged === null ? [] : [tagged]), ...own.map(({ digest }) => digest)])]
}

async function readEventTable(
  parts: EventReadsParts,
  scope: ReadScope,
  { ref, query, limit, cursor, range }: EventTableParams & { readonly ref: string },
): Promise<EventTable | null> {
  const issue = await parts.issues.issue(scope, ref)
  if (issue === null) return null
  const parsed = parseSearch(query, { grammar: EVENT_GRAMMAR })
  const meant = await readMeant(parts, scope, { projects: [issue.projectId], terms: parsed.terms })
  if (meant === 'too many') return { ...NO_EVENTS, problems: [tooManyReleases()] }
  const search = searchWithin(readEventSearch(parsed, { meant, nowMs: parts.clock.now() }), range)
  if (search.problems.length > 0) return { ...NO_EVENTS, problems: search.problems }
  const [groups, counted] = await Promise.all([
    parts.issues.groups(scope, issue.id),
    countedSearch(parts, scope, { issue, search }),
  ])
  const filter = { ...eventFilter(groups), ...search.filter, counted }
  const [page, total] = await Promise.all([
    parts.telemetry.events(scope, filter, { limit, cursor }),
    // Of what is left: counts of the issue outlive events that retention removed.
    parts.telemetry.count(scope, filter),
  ])
  const rows = page.rows.map((row) => rowShown(row, parts.routesOf))
  return { rows, nextCursor: page.nextCursor, total, problems: [] }
}

const NO_EVENTS: Omit<EventTable, 'problems'> = { rows: [], nextCursor: null, total: 0 }

/** Returns the search, within the range if there is one. */
function searchWithin(search: EventSearch, range: TimeRange | undefined): EventSearch {
  if (range === undefined) return search
  const { startMs = 0, endMs = Number.POSITIVE_INFINITY } = search.filter
  const both = { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) }
  return { ...search, filter: { ...search.filter, ...both } }
}

/** Returns what tag counts say about a search for one value of one tag. */
async function countedSearch(
  { issues }: EventReadsParts,
  scope: ReadScope,
  { issue, search }: { readonly issue: Issue; readonly search: EventSearch },
): Promise<CountedMatches | null> {
  const { tags = [], ...others } = search.filter
  const [tag] = tags
  const isAlone = Object.values(others).every((each) => Array.isArray(each) && each.length === 0)
  if (tag === undefined || tags.length > 1 || tag.negated || !isAlone) return null
  const { key, value } = tag
  if (typeof value !== 'string' || hasWildcard(value)) return null
  return issues.tagCount(scope, issue.id, { key, value: literalText(value) })
}

/** `recommended` is the newest of the server's that can be read in full: what happens now is what people look into. */
async function readEventOfIssue(
  parts: EventReadsParts,
  scope: ReadScope,
  { ref, which }: { readonly ref: string; readonly which: string },
): Promise<EventView | null> {
  const issue = await parts.issues.issue(scope, ref)
  if (issue === null) return null
  const known = { issue, groups: await parts.issues.groups(scope, issue.id) }
  const row = await rowOfIssue(parts, scope, { ...known, which })
  return row === null ? null : view(parts, scope, row, known)
}

async function rowOfIssue(
  parts: EventReadsParts,
  scope: ReadScope,
  { issue, groups, which }: KnownIssue & { readonly which: string },
): Promise<EventRow | null> {
  if (which === 'recommended') return readRecommended(parts, scope, { issue, groups: causeGroups(groups) })
  if (which === 'latest') return readLatestEvent(parts, scope, groups)
  if (which === 'oldest') return readOldestEvent(parts, scope, groups)
  const id = readEventId(which)
  return id === null ? null : withinGroups(parts, scope, { id, groups })
}

async function readLatestEvent(
  parts: EventReadsParts,
  scope: ReadScope,
  groups: readonly GroupView[],
): Promise<EventRow | null> {
  return (
    (await parts.telemetry.events(scope, eventFilter(groups), { limit: 1, cursor: null })).rows[0] ?? null
  )
}

/**
 * Returns the recommended event that groups remember, unless every event has a payload or that one is gone.
 */
async function readRecommended(
  parts: EventReadsParts,
  scope: ReadScope,
  { issue, groups }: { readonly issue: Issue; readonly groups: readonly GroupView[] },
): Promise<EventRow | null> {
  if (issue.payloadCount >= issue.eventCount) return readLatestEvent(parts, scope, groups)
  const [newest] = groups.flatMap(({ newestPayload }) => newestPayload ?? []).sort((a, b) => b.atMs - a.atMs)
  const row = newest === undefined ? null : await withinGroups(parts, scope, { id: newest.eventId, groups })
  return row ?? readLatestEvent(parts, scope, groups)
}

/** A browser's half says nothing of the cause. */
function causeGroups(groups: readonly GroupView[]): readonly GroupView[] {
  const own = groups.filter(({ isFolded }) => !isFolded)
  return own.length === 0 ? groups : own
}

async function readOldestEvent(
  parts: EventReadsParts,
  scope: ReadScope,
  groups: readonly GroupView[],
): Promise<EventRow | null> {
  const newest = await readLatestEvent(parts, scope, groups)
  if (newest === null) return null
  const { first } = await parts.telemetry.neighbours(scope, eventFilter(groups), newest)
  return first === newest.eventId ? newest : withinGroups(parts, scope, { id: first, groups })
}

/** Mirrors lie in projects of their own. */
async function withinGroups(
  parts: EventReadsParts,
  scope: ReadScope,
  { id, groups }: { readonly id: EventId; readonly groups: readonly GroupView[] },
): Promise<EventRow | null> {
  for (const project of new Set(groups.map(({ projectId }) => projectId))) {
    const row = await parts.findEvent(scope, id, project)
    const isOfThem = groups.some(({ projectId, hash }) => projectId === project && hash === row?.groupHash)
    if (row !== null && isOfThem) return row
  }
  return null
}
