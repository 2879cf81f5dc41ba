/** Stale clicks gathered per deploy: which release replaced the one that the tab ran, and when. */
import { hash } from 'node:crypto'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { SkewFailure } from '#model/recognised.ts'
import type { KnownBuild, StaleSlot, StaleSum } from '#ports/skew.ts'
import { SLOT_MS } from './clicks.ts'

const SUCCESSOR_MS = max('skewSuccessorMs')
const DEPLOY_SLACK_MS = max('skewDeploySlackMs')
const ID_CHARS = 16

/** A release for as long as nothing else took its place. */
interface Period {
  readonly version: string
  readonly atMs: number
  readonly isDeploy: boolean
}

/** Sum of tabs, without crawlers. */
export type TabSum = StaleSum & { readonly failure: SkewFailure }

/** Part of a series that belongs to one deploy. */
export interface DeployPart {
  readonly sum: TabSum
  readonly slots: readonly StaleSlot[]
}

export interface SkewedDeploy {
  /** The same as long as nothing else is told of when it was. */
  readonly id: string
  /** A page and its server may be two; the one with the most clicks first. */
  readonly projectIds: readonly ProjectId[]
  readonly environment: string
  /** `null`: nothing says what replaced the tabs' build. */
  readonly release: string | null
  /** When it was out; of one that nobody told of, when it was first seen. */
  readonly atMs: number
  readonly isTold: boolean
  readonly parts: readonly DeployPart[]
  /** Files of builds that it replaced, asked for by crawlers. */
  readonly crawled: number
}

/** Newest first. */
export function skewedDeploys(
  sums: readonly StaleSum[],
  builds: readonly KnownBuild[],
): readonly SkewedDeploy[] {
  const places = Map.groupBy(sums, ({ projectId, environment }) => JSON.stringify([projectId, environment]))
  const found = [...places.values()].flatMap((ofPlace) => deploysOf(ofPlace, builds))
  return acrossProjects(found).sort((a, b) => b.atMs - a.atMs)
}

/** Joins deploys of one release to several projects at about the same time. */
function acrossProjects(deploys: readonly SkewedDeploy[]): SkewedDeploy[] {
  const joined: SkewedDeploy[] = []
  for (const deploy of [...deploys].sort((a, b) => clicksOf(b) - clicksOf(a))) {
    const at = joined.findIndex((other) => isSameDeploy(other, deploy))
    const other = joined[at]
    if (other === undefined) joined.push(deploy)
    else joined[at] = withProject(other, deploy)
  }
  return joined
}

function isSameDeploy(one: SkewedDeploy, other: SkewedDeploy): boolean {
  const isSame =
    one.release !== null && one.release === other.release && one.environment === other.environment
  const isElsewhere = other.projectIds.every((id) => !one.projectIds.includes(id))
  return isSame && isElsewhere && Math.abs(one.atMs - other.atMs) <= SUCCESSOR_MS
}

/** A deploy that was told of is surer than what was first seen. */
function withProject(one: SkewedDeploy, other: SkewedDeploy): SkewedDeploy {
  const isTold = one.isTold || other.isTold
  const times = [one, other].filter((deploy) => deploy.isTold === isTold).map(({ atMs }) => atMs)
  return {
    ...{ ...one, isTold, atMs: Math.min(...times) },
    projectIds: [...one.projectIds, ...other.projectIds],
    parts: [...one.parts, ...other.parts],
    crawled: one.crawled + other.crawled,
  }
}

function clicksOf({ parts }: SkewedDeploy): number {
  return parts.reduce((sum, { slots }) => slots.reduce((own, { count }) => own + count, sum), 0)
}

function deploysOf(sums: readonly StaleSum[], builds: readonly KnownBuild[]): readonly SkewedDeploy[] {
  const [first] = sums
  if (first === undefined) return []
  const { projectId, environment } = first
  const periods = timeline(first, { builds, answered: sums })
  const answers = answersTo(sums)
  const found = new Map<Period | null, Map<TabSum, StaleSlot[]>>()
  const crawled = new Map<Period | null, number>()
  for (const sum of sums) {
    for (const slot of sum.slots) {
      const untilMs = slot.startMs + SLOT_MS
      const answer = answers.get(sum.fromRelease) ?? ''
      const period =
        periodOf(periods, sum, untilMs) ?? periodOf(periods, { ...sum, release: answer }, untilMs)
      if (!isOfTabs(sum)) {
        crawled.set(period, (crawled.get(period) ?? 0) + slot.count)
        continue
      }
      const parts = found.get(period) ?? new Map<TabSum, StaleSlot[]>()
      found.set(period, parts)
      const own = parts.get(sum)
      if (own === undefined) parts.set(sum, [slot])
      else own.push(slot)
    }
  }
  return [...found].map(([period, of]) => {
    const parts = [...of].map(([sum, slots]) => ({ sum, slots }))
    const firstMs = Math.min(...parts.map(({ sum, slots }) => Math.max(sum.firstMs, slots[0]?.startMs ?? 0)))
    const release = period?.version ?? null
    // What was seen first of a release may be the stale click itself.
    const atMs = period?.isDeploy === true ? period.atMs : Math.min(period?.atMs ?? firstMs, firstMs)
    const id = hash('sha256', JSON.stringify([projectId, environment, release, period?.atMs ?? null]), 'hex')
    return {
      ...{ id: id.slice(0, ID_CHARS), projectIds: [projectId], environment, release, parts },
      crawled: crawled.get(period) ?? 0,
      ...{ atMs, isTold: period?.isDeploy ?? false },
    }
  })
}

function isOfTabs(sum: StaleSum): sum is TabSum {
  return sum.failure !== 'crawler'
}

/**
 * Returns the releases of servers that answered tabs of a build: for clicks in such tabs that no server tells
 * of.
 */
function answersTo(sums: readonly StaleSum[]): ReadonlyMap<string, string> {
  const told = sums.filter(({ release, fromRelease }) => release !== '' && fromRelease !== '')
  return new Map(told.toSorted((a, b) => a.lastMs - b.lastMs).map((sum) => [sum.fromRelease, sum.release]))
}

/** Times from which releases of a project are known to run. */
export interface KnownRuns {
  readonly builds: readonly KnownBuild[]
  /** Releases that answered stale clicks there, and when first. */
  readonly answered: readonly Pick<StaleSum, 'release' | 'firstMs'>[]
}

/** Returns what ran when an old tab was clicked in; `null` if only the tab's own release is known. */
export function replacedBy(
  click: Pick<StaleSum, 'projectId' | 'environment' | 'fromRelease'> & { readonly atMs: number },
  runs: KnownRuns,
): string | null {
  return runningThen(timeline(click, runs), click.fromRelease, click.atMs + SLOT_MS)?.version ?? null
}

/** Oldest first. Where a tool tells of deploys, a release that it tells of begins with the first of them. */
function timeline(
  { projectId, environment }: Pick<StaleSum, 'projectId' | 'environment'>,
  { builds, answered: told }: KnownRuns,
): readonly Period[] {
  const here = builds.filter(
    (build) =>
      build.projectId === projectId &&
      (environment === '' || build.environment === '' || build.environment === environment),
  )
  const deploys = here.filter(({ isDeploy }) => isDeploy)
  const deployed = new Set(deploys.map(({ version }) => version))
  const seen = here.filter(({ version, isDeploy }) => !isDeploy && !deployed.has(version))
  const named = new Set([...deployed, ...seen.map(({ version }) => version)])
  // Spans name no release to anybody else: one that answered has run since then at least.
  const answered = told
    .filter(({ release }) => release !== '' && !named.has(release))
    .map(({ release, firstMs }) => ({ version: release, atMs: firstMs, isDeploy: false }))
  const all = [...deploys, ...seen, ...answered].sort((a, b) => a.atMs - b.atMs)
  return all.filter(({ version }, at) => all[at - 1]?.version !== version)
}

function periodOf(periods: readonly Period[], sum: StaleSum, untilMs: number): Period | null {
  const current = lastBefore(periods, untilMs)
  if (sum.release !== '') {
    const isAnswer = ({ version }: Period) => version === sum.release
    return findDown(periods, current, isAnswer) ?? periods.find(isAnswer) ?? null
  }
  const running = runningThen(periods, sum.fromRelease, untilMs)
  if (running !== null || periods[current]?.isDeploy === true) return running
  return findDown(periods, current, ({ version }) => version !== sum.fromRelease)
}

/** Returns the place of the last period that had begun; -1 for none. A day has thousands of slots, and a project hundreds of periods. */
function lastBefore(periods: readonly Period[], untilMs: number): number {
  let [low, high] = [0, periods.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((periods[middle]?.atMs ?? 0) <= untilMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns the newest period up to a place that is asked for. */
function findDown(
  periods: readonly Period[],
  from: number,
  isAsked: (period: Period) => boolean,
): Period | null {
  for (let at = from; at >= 0; at--) {
    const period = periods[at]
    if (period !== undefined && isAsked(period)) return period
  }
  return null
}

/** Returns the release that replaced the tab's, as far as its time tells. */
function runningThen(periods: readonly Period[], fromRelease: string, untilMs: number): Period | null {
  const last = lastBefore(periods, untilMs)
  const current = periods[last]
  const isOther = ({ version }: Period) => version !== fromRelease
  if (current !== undefined && isOther(current)) return current
  // The tab's own release still seems to run: what took its place was not seen yet, or its own first sight came late.
  const next = periods.find((period, at) => at > last && isOther(period))
  const slack = next?.isDeploy === true ? DEPLOY_SLACK_MS : SUCCESSOR_MS
  return next !== undefined && next.atMs - untilMs <= slack ? next : null
}
