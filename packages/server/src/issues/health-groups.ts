/** Sums up what a store keeps of sessions, for whatever store: counts add, people are united. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { HealthFigures, HealthGroup, HealthQuery, ReleaseUses, SessionCounts } from '#ports/health.ts'
import { addCounts, NO_SESSIONS } from './session-changes.ts'
import { countUsers, type UserSet, unionOfUsers } from './user-set.ts'

interface Named {
  readonly projectId: ProjectId
  readonly release: string
  readonly environment: string
  /** Since 1970, of the start of what is counted. */
  readonly hour: number
}

export type CountedHour = Named & SessionCounts

export interface PeopleThen extends Named {
  readonly isCrashed: boolean
  readonly people: UserSet
}

export const DAY_HOURS = 24

/** People are kept by the hour and by the day: rows of `span` hours that begin in [startHour, endHour). */
export interface PeopleRange {
  readonly span: 1 | typeof DAY_HOURS
  readonly startHour: number
  readonly endHour: number
}

/** Which rows of people cover the query: days where they fit, hours at the edges. */
export function peopleRanges({ startHour, endHour, stepHours }: HealthQuery): readonly PeopleRange[] {
  if (stepHours !== null && (stepHours % DAY_HOURS !== 0 || startHour % DAY_HOURS !== 0))
    return [{ span: 1, startHour, endHour }]
  const firstDay = Math.ceil(startHour / DAY_HOURS) * DAY_HOURS
  const lastDay = Math.floor(endHour / DAY_HOURS) * DAY_HOURS
  if (firstDay >= lastDay) return [{ span: 1, startHour, endHour }]
  const ranges: PeopleRange[] = [
    { span: 1, startHour, endHour: firstDay },
    { span: DAY_HOURS, startHour: firstDay, endHour: lastDay },
    { span: 1, startHour: lastDay, endHour },
  ]
  return ranges.filter((range) => range.startHour < range.endHour)
}

/** Returns the oldest hours and days of a project's health that are kept. */
export function oldestHealth(nowHour: number, retentionDays: number) {
  return {
    hour: nowHour - Math.max(retentionDays, max('healthDaysMin')) * DAY_HOURS,
    peopleByHour: nowHour - max('healthHourPeopleDays') * DAY_HOURS,
    session: nowHour - max('sessionMemoryDays') * DAY_HOURS,
  }
}

interface Sum {
  counts: SessionCounts
  readonly people: UserSet[]
  readonly crashed: UserSet[]
}

interface GroupSums {
  readonly name: Partial<Named>
  readonly totals: Sum
  readonly series: readonly Sum[]
}

export function healthGroups(
  query: HealthQuery,
  counts: readonly CountedHour[],
  people: readonly PeopleThen[],
): readonly HealthGroup[] {
  const groups = new Map<string, GroupSums>()
  const sums = (row: Named): readonly Sum[] => {
    const name = healthGroupName(row, query)
    const key = JSON.stringify([name.projectId ?? 0, name.release ?? '', name.environment ?? ''])
    const group = groups.get(key) ?? { name, totals: noSum(), series: healthBuckets(query).map(noSum) }
    groups.set(key, group)
    const bucket = group.series[healthBucket(row, query)]
    return bucket === undefined ? [group.totals] : [group.totals, bucket]
  }
  for (const row of counts) for (const sum of sums(row)) sum.counts = addCounts(sum.counts, row)
  for (const row of people)
    for (const sum of sums(row)) (row.isCrashed ? sum.crashed : sum.people).push(row.people)
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { name, totals, series }]) => ({
      ...name,
      totals: healthFigures(totals),
      series: series.map(healthFigures),
    }))
}

/** How often a release was used in one bucket. */
export interface UsedThen extends Pick<Named, 'projectId' | 'release'> {
  readonly bucket: number
  readonly count: number
}

/** By project and release, each with all its buckets. */
export function releaseUses(rows: readonly UsedThen[], length: number): readonly ReleaseUses[] {
  const all = new Map<string, { readonly of: UsedThen; readonly counts: number[] }>()
  for (const row of rows) {
    const key = `${row.projectId}\n${row.release}`
    const { of, counts } = all.get(key) ?? { of: row, counts: Array.from({ length }, () => 0) }
    all.set(key, { of, counts })
    const before = counts[row.bucket]
    if (before !== undefined) counts[row.bucket] = before + row.count
  }
  return [...all.values()]
    .map(({ of: { projectId, release }, counts }) => ({ projectId, release, counts: counts.map(Math.round) }))
    .sort((a, b) => a.projectId - b.projectId || (a.release < b.release ? -1 : 1))
}

/** Starts of the query's buckets, in hours since 1970. */
function healthBuckets({ startHour, endHour, stepHours }: HealthQuery): readonly number[] {
  if (stepHours === null) return []
  const count = Math.max(0, Math.ceil((endHour - startHour) / stepHours))
  return Array.from({ length: count }, (_, index) => startHour + index * stepHours)
}

function healthBucket({ hour }: Named, { startHour, stepHours }: HealthQuery): number {
  return stepHours === null ? -1 : Math.floor((hour - startHour) / stepHours)
}

function healthGroupName(
  { projectId, release, environment }: Named,
  { groupBy }: HealthQuery,
): Partial<Named> {
  return {
    ...(groupBy.includes('project') ? { projectId } : {}),
    ...(groupBy.includes('release') ? { release } : {}),
    ...(groupBy.includes('environment') ? { environment } : {}),
  }
}

const noSum = (): Sum => ({ counts: NO_SESSIONS, people: [], crashed: [] })

function healthFigures({ counts, people, crashed }: Sum): HealthFigures {
  const [all, hit] = [uniteUsers(people), uniteUsers(crashed)]
  return {
    ...counts,
    people: countUsers(all),
    crashedPeople: countUsers(hit),
    isExact: all.isExact && hit.isExact,
  }
}

function uniteUsers(sets: readonly UserSet[]): UserSet {
  const [only] = sets
  return sets.length === 1 && only !== undefined ? only : unionOfUsers(sets)
}
