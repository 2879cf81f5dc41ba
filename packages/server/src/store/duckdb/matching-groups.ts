/** Sums of the rows of groups that meet a filter, put together over files. */
import { groupHash, projectId } from '#base/ids.ts'
import type { EventFilter, GroupPerson, GroupTrend, MatchingGroup, TrendAsked } from '#ports/telemetry.ts'
import { type Parameters, visibleGroups } from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { groupFiles } from './group-files.ts'
import { type Branch, type ScannedRow, scanGroups, splitIntoScans } from './group-scan.ts'
import type { ReadContext } from './read-context.ts'
import { splitListText } from './row-lines.ts'
import { PEOPLE } from './table-sql.ts'

const GROUP = 'e.project_id::DOUBLE, e.group_hash'
/** Read by `matchingGroup`. */
export const SUMS = `${GROUP}, count(*)::DOUBLE, min(e.timestamp_ms), max(e.timestamp_ms)`

export function matchingGroup([project, hash, events, first, last]: AnswerRow): MatchingGroup {
  return {
    ...readGroupName([project, hash]),
    events: Number(events),
    firstMs: Number(first),
    lastMs: Number(last),
  }
}

function readGroupName([project, hash]: AnswerRow): Pick<MatchingGroup, 'projectId' | 'hash'> {
  return { projectId: projectId(Number(project)), hash: groupHash(String(hash)) }
}

/** Each once, with all that was added of it. */
export class MatchingGroups {
  readonly #found = new Map<string, MatchingGroup>()

  get size(): number {
    return this.#found.size
  }

  has(one: MatchingGroup): boolean {
    return this.#found.has(matchingGroupName(one))
  }

  add(one: MatchingGroup): void {
    const before = this.#found.get(matchingGroupName(one))
    this.#found.set(matchingGroupName(one), before === undefined ? one : addMatchingGroups(before, one))
  }

  all(): readonly MatchingGroup[] {
    return [...this.#found.values()]
  }
}

function matchingGroupName({ projectId: project, hash }: Pick<MatchingGroup, 'projectId' | 'hash'>): string {
  return `${project}:${hash}`
}

function addMatchingGroups(one: MatchingGroup, other: MatchingGroup): MatchingGroup {
  return {
    ...one,
    events: one.events + other.events,
    firstMs: Math.min(one.firstMs, other.firstMs),
    lastMs: Math.max(one.lastMs, other.lastMs),
  }
}

/** Same as `EventReads.groupTrends`. */
export async function readGroupTrends(
  context: ReadContext,
  filter: EventFilter,
  asked: TrendAsked,
): Promise<readonly GroupTrend[]> {
  const { buckets, within } = asked
  const sums = new MatchingGroups()
  const counts = new Map<string, number[]>()
  await eachRow(
    context,
    { ...filter, ...within },
    {
      branchOf: (from, parameters) => trendBranch(from, parameters, asked),
      take: ({ values: [project, hash, events, first, last, bucket] }) => {
        const name = matchingGroupName(readGroupName([project, hash]))
        sums.add(matchingGroup([project, hash, events, first, last]))
        const series = counts.get(name) ?? new Array<number>(buckets).fill(0)
        counts.set(name, series)
        const at = Math.max(0, Number(bucket))
        if (at < buckets) series[at] = (series[at] ?? 0) + Number(events)
      },
    },
  )
  return sums.all().map((group) => ({ ...group, counts: counts.get(matchingGroupName(group)) ?? [] }))
}

function trendBranch(from: string, parameters: Parameters, { startMs, stepMs }: TrendAsked): Branch {
  const number = (value: number) => `${parameters.add(value)}::DOUBLE`
  const bucket = `floor((e.timestamp_ms - ${number(startMs)}) / ${number(stepMs)})`
  return {
    select: 'p, h, count(*)::DOUBLE, min(t), max(t), b',
    from:
      'FROM (SELECT e.project_id::DOUBLE AS p, e.group_hash AS h, e.timestamp_ms AS t, ' +
      `${bucket} AS b ${from}) GROUP BY p, h, b`,
  }
}

const ADDRESS = `CASE WHEN e.is_mirror AND e."user" NOT LIKE 'ip:%' THEN ${PEOPLE} END`

/** Same as `EventReads.groupPeople`. */
export async function readGroupPeople(
  context: ReadContext,
  filter: EventFilter,
  limit: number,
): Promise<readonly GroupPerson[] | null> {
  const found = new Map<string, GroupPerson>()
  const most = Math.max(1, Math.floor(limit)) + 1
  await eachRow(context, filter, {
    branchOf: (from) => ({
      select: `${GROUP}, e."user", ${ADDRESS} AS address`,
      from: `${from} AND e."user" IS NOT NULL GROUP BY ALL`,
      last: `LIMIT ${most}`,
    }),
    take: ({ values: [project, hash, user, people] }) => {
      const one = { ...readGroupName([project, hash]), user: String(user), address: firstAddress(people) }
      found.set(`${matchingGroupName(one)}:${one.address ?? ''}:${one.user}`, one)
    },
    isEnough: () => found.size > limit,
  })
  return found.size > limit ? null : [...found.values()]
}

function firstAddress(people: unknown): string | null {
  if (typeof people !== 'string' || people === '') return null
  return splitListText(people).find((name) => name.startsWith('ip:')) ?? null
}

type HashedPerson = Pick<GroupPerson, 'projectId' | 'hash'> & { readonly user: bigint }

/** Same as `EventReads.groupPeopleHashes`: the least hash of each of a sketch's registers tells its rank. */
export async function readGroupPeopleHashes(
  context: ReadContext,
  filter: EventFilter,
): Promise<readonly HashedPerson[]> {
  const found: HashedPerson[] = []
  await eachRow(context, filter, {
    branchOf: (from) => ({
      select: 'p, h, min(u)::VARCHAR',
      from:
        'FROM (SELECT e.project_id::DOUBLE AS p, e.group_hash AS h, hash(e."user") AS u ' +
        `${from} AND e."user" IS NOT NULL) GROUP BY p, h, u >> 52`,
    }),
    take: ({ values: [project, hash, user] }) => {
      found.push({ ...readGroupName([project, hash]), user: BigInt(String(user)) })
    },
  })
  return found
}

interface Reading {
  readonly branchOf: (from: string, parameters: Parameters) => Branch
  readonly take: (row: ScannedRow) => void
  readonly isEnough?: () => boolean
}

/** Every answer of a statement over all files of the filter's groups, until `isEnough`. */
async function eachRow(
  context: ReadContext,
  filter: EventFilter,
  { branchOf, take, isEnough = () => false }: Reading,
): Promise<void> {
  const groups = visibleGroups(context.scope, filter.groups, context.rules)
  const files = await groupFiles(context, filter, groups)
  for (const part of splitIntoScans(files)) {
    if (isEnough()) return
    for (const row of await scanGroups(context, { filter, files: part }, branchOf)) take(row)
  }
}
