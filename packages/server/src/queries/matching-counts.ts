/** Counts a page's issues by the events that a search matches: how many, for whom, and when. */
import type { IssueId } from '#base/ids.ts'
import { type GroupUsers, usersOf } from '#issues/group-users.ts'
import { emptySketch } from '#issues/hyperloglog.ts'
import { listTrendRange } from '#issues/trend-range.ts'
import { countUsers, NO_USERS, withUsers } from '#issues/user-set.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { hashUser } from '#model/user-hash.ts'
import type { IssueFilter, IssuesRead, MatchingEvents, ReadableGroup } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventFilter, EventReads, GroupPerson, GroupTrend } from '#ports/telemetry.ts'
import { inTime } from './search/in-time.ts'
import { type CountingOptions, filterOfIssues } from './search/matched-events.ts'

export interface MatchingParts {
  readonly issues: Pick<IssuesRead, 'groupsFound'>
  readonly telemetry: Pick<EventReads<EventRow>, 'groupTrends' | 'groupPeople' | 'groupPeopleHashes'>
}

/**
 * Counts the events of issues that match a search. `null`: it took too long. Issues without a matching event have one
 * of zeros.
 */
export async function matchingCounts(
  parts: MatchingParts,
  scope: ReadScope,
  asked: { readonly counted: CountingOptions; readonly ids: readonly IssueId[] },
): Promise<ReadonlyMap<IssueId, MatchingEvents> | null> {
  const { counted, ids } = asked
  if (ids.length === 0) return new Map()
  const groups = await parts.issues.groupsFound(scope, filterOfIssues(ids), max('groupsMatchingMax'))
  const { range } = counted
  const trend = listTrendRange(range.startMs, range.endMs)
  const filters = eventFilters(counted, groups)
  const found = await inTime(
    Promise.all([
      Promise.all(
        filters.map((filter) => parts.telemetry.groupTrends(scope, filter, { ...trend, within: range })),
      ),
      usersByGroup(parts, scope, filters),
    ]),
  )
  if (found === null) return null
  const [trends, users] = found
  const ofGroup = new Map(trends.flat().map((one) => [trendName(one), one]))
  return new Map(
    ids.map((id) => {
      const own = groups.filter(({ issueId }) => issueId === id)
      const sums = own.flatMap((group) => ofGroup.get(trendName(group)) ?? [])
      const people = usersOf(own.map((group) => users.get(trendName(group)) ?? NOBODY))
      return [
        id,
        {
          ...sumTrends(sums),
          users: { count: countUsers(people), isExact: people.isExact },
          trend: {
            startMs: trend.startMs,
            stepMs: trend.stepMs,
            counts: Array.from({ length: trend.buckets }, (_, at) =>
              sums.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
            ),
          },
        },
      ]
    }),
  )
}

const NOBODY: GroupUsers = { users: NO_USERS, aliases: [] }

function sumTrends(groups: readonly GroupTrend[]) {
  return {
    events: groups.reduce((sum, { events }) => sum + events, 0),
    firstSeenMs: Math.min(...groups.map(({ firstMs }) => firstMs)),
    lastSeenMs: Math.max(...groups.map(({ lastMs }) => lastMs)),
  }
}

/**
 * Returns users of all issues that the search finds, for the order by users; `null` if too many to tell
 * apart.
 */
export async function usersOfMatched(
  parts: MatchingParts,
  scope: ReadScope,
  { counted, filter }: { readonly counted: CountingOptions; readonly filter: IssueFilter },
): Promise<NonNullable<IssueFilter['matchedUsers']> | null> {
  const groups = await parts.issues.groupsFound(scope, filter, max('groupsMatchingMax'))
  const users = await inTime(exactUsers(parts, scope, eventFilters(counted, groups)))
  if (users === null) return null
  return [...Map.groupBy(groups, ({ issueId }) => issueId)].map(([issueId, own]) => ({
    issueId,
    users: countUsers(usersOf(own.map((group) => users.get(trendName(group)) ?? NOBODY))),
  }))
}

/** Returns filters on the groups' events; groups named as the search asks need not be asked for the name. */
function eventFilters(counted: CountingOptions, groups: readonly ReadableGroup[]): readonly EventFilter[] {
  const { conditions, named, range, files } = counted
  const isNamed = new Set(named?.groups.map(trendName))
  const filters = [
    { ...conditions, ...range, files, groups: groups.filter((group) => !isNamed.has(trendName(group))) },
    {
      ...(named?.conditions ?? conditions),
      ...{ ...range, files },
      groups: groups.filter((group) => isNamed.has(trendName(group))),
    },
  ]
  return filters.filter((filter) => filter.groups.length > 0)
}

type Users = ReadonlyMap<string, GroupUsers>

async function usersByGroup(
  parts: MatchingParts,
  scope: ReadScope,
  filters: readonly EventFilter[],
): Promise<Users> {
  return (await exactUsers(parts, scope, filters)) ?? estimatedUsers(parts, scope, filters)
}

async function exactUsers(
  { telemetry }: MatchingParts,
  scope: ReadScope,
  filters: readonly EventFilter[],
): Promise<Users | null> {
  const found: GroupPerson[] = []
  for (const filter of filters) {
    const people = await telemetry.groupPeople(scope, filter, max('matchingPeopleMax'))
    if (people === null) return null
    found.push(...people)
  }
  return new Map(
    [...Map.groupBy(found, trendName)].map(([name, people]) => [
      name,
      {
        users: withUsers(
          NO_USERS,
          people.map(({ user }) => hashUser(user)),
        ),
        aliases: people.flatMap(({ user, address }) =>
          address === null ? [] : [{ person: hashUser(user), address: hashUser(address) }],
        ),
      },
    ]),
  )
}

async function estimatedUsers(
  { telemetry }: MatchingParts,
  scope: ReadScope,
  filters: readonly EventFilter[],
): Promise<Users> {
  const found = await Promise.all(filters.map((filter) => telemetry.groupPeopleHashes(scope, filter)))
  return new Map(
    [...Map.groupBy(found.flat(), trendName)].map(([name, people]) => [
      name,
      {
        users: withUsers(
          { isExact: false, sketch: emptySketch() },
          people.map(({ user }) => user),
        ),
        aliases: [],
      },
    ]),
  )
}

function trendName({ projectId, hash }: Pick<GroupTrend, 'projectId' | 'hash'>): string {
  return `${projectId}:${hash}`
}
