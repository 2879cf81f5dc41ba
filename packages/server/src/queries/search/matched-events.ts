/** Which events a search matches, of which groups they are, and how many: asked of the columns once a search. */
import type { IssueId } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { IssueFilter, IssuesRead, ReadableGroup } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventConditions, EventReads, MatchingGroup } from '#ports/telemetry.ts'
import type { TimeRange } from '../types.ts'
import { askedOfEvents } from './asked-of-events.ts'
import { type BuiltPart, NO_CONDITIONS } from './filter.ts'
import { inTime } from './in-time.ts'

export interface MatchedParts {
  readonly issues: Pick<IssuesRead, 'groupsFound'>
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching'>
}

/** How a page counts the events that a search matches. */
export interface CountingOptions {
  readonly conditions: EventConditions
  /** Groups of issues that are called as the search asks while their events are not, and what is asked of those. */
  readonly named: { readonly groups: readonly ReadableGroup[]; readonly conditions: EventConditions } | null
  readonly range: TimeRange
  readonly files: readonly FileName[]
  /** False where the issues were found by their tags one by one, since their events were too many to ask. */
  readonly isWhole: boolean
}

export interface MatchedEvents {
  /** Left out where `counted.isWhole` is false. */
  readonly filter: IssueFilter | null
  /** `null`: the search asks events nothing, or more than can be counted. */
  readonly counted: CountingOptions | null
}

export interface MatchedAsked {
  readonly part: BuiltPart
  readonly range: TimeRange
  /** The search leaves less of time than was chosen, to the millisecond. */
  readonly isNarrowed: boolean
  readonly files: () => Promise<readonly FileName[]>
}

/** `null`: the search asks the events nothing, or a choice in it names too many issues. */
export async function matchedEvents(
  parts: MatchedParts,
  scope: ReadScope,
  asked: MatchedAsked,
): Promise<MatchedEvents | null> {
  const { part, range, isNarrowed } = asked
  const limit = max('groupsMatchingMax')
  const halves = await askedOfEvents(part, async (conditions) => {
    const groups = await parts.issues.groupsFound(scope, { ...conditions, ...range }, limit)
    return groups.length >= limit ? null : groups
  })
  if (halves === null || (halves.events === null && !isNarrowed)) return null
  const conditions = halves.events ?? {}
  const files = await asked.files()
  const counted = { conditions, range, files }
  const filter = { ...conditions, ...range, files }
  const found = await inTime(
    parts.telemetry.groupsMatching(scope, filter, limit, max('matchingEventsBudgetMs')),
  )
  if (found === null || found.length >= limit)
    return { filter: null, counted: { ...counted, named: null, isWhole: false } }
  const named =
    halves.ofNamed === null ? null : await namedOtherwise(parts, scope, { ...halves.ofNamed, found, filter })
  const matched = named === null ? found : [...found, ...named.matched]
  return {
    filter: { ...halves.issues, ...range, matched },
    counted: { ...counted, named, isWhole: true },
  }
}

/** Issues that are called so themselves, of which no event is: theirs are counted without that. */
async function namedOtherwise(
  { issues, telemetry }: MatchedParts,
  scope: ReadScope,
  asked: {
    readonly issues: BuiltPart['conditions']
    readonly events: EventConditions
    readonly found: readonly MatchingGroup[]
    readonly filter: TimeRange & { readonly files: readonly FileName[] }
  },
): Promise<(NonNullable<CountingOptions['named']> & { readonly matched: readonly MatchingGroup[] }) | null> {
  const limit = max('groupsMatchingMax')
  const { startMs, endMs, files } = asked.filter
  const anyState = { status: null, substatus: null }
  const called = await issues.groupsFound(scope, { ...asked.issues, ...anyState, startMs, endMs }, limit)
  if (called.length >= limit) return null
  const known = new Set(asked.found.map(groupName))
  const counted = new Set<IssueId>(
    called.filter((one) => known.has(groupName(one))).map((one) => one.issueId),
  )
  const groups = called.filter(({ issueId }) => !counted.has(issueId))
  if (groups.length === 0) return null
  const conditions = { ...asked.events, ofGroups: groups.map(({ projectId, hash }) => ({ projectId, hash })) }
  const filter = { ...conditions, startMs, endMs, files }
  const matched = await inTime(telemetry.groupsMatching(scope, filter, limit, max('matchingEventsBudgetMs')))
  return matched === null ? null : { groups, conditions, matched }
}

function groupName({ projectId, hash }: Pick<MatchingGroup, 'projectId' | 'hash'>): string {
  return `${projectId}:${hash}`
}

/** Asks nothing of an issue but to be one of these. */
export function filterOfIssues(ids: readonly IssueId[]): IssueFilter {
  return { ...NO_CONDITIONS, issueIds: ids, startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
}
