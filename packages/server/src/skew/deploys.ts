/** Stale clicks gathered per deploy: which release replaced the one that the tab ran, and when. */
import { hash } from 'node:crypto'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
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

/** What of a series is of one deploy. */
export interface DeployPart {
  readonly sum: StaleSum
  readonly slots: readonly StaleSlot[]
}

export interface SkewedDeploy {
  /** The same as long as nothing else is told of when it was. */
  readonly id: string
  readonly projectId: ProjectId
  readonly environment: string
  /** `null`: nothing says what replaced the tabs' build. */
  readonly release: string | null
  /** When it was out; of one that nobody told of, when it was first seen. */
  readonly atMs: number
  readonly isTold: boolean
  readonly parts: readonly DeployPart[]
}

/** Newest first. */
export function skewedDeploys(
  sums: readonly StaleSum[],
  builds: readonly KnownBuild[],
): readonly SkewedDeploy[] {
  const places = Map.groupBy(sums, ({ projectId, environment }) => JSON.stringify([projectId, environment]))
  return [...places.values()].flatMap((ofPlace) => deploysOf(ofPlace, builds)).sort((a, b) => b.atMs - a.atMs)
}

function deploysOf(sums: readonly StaleSum[], builds: readonly KnownBuild[]): readonly SkewedDeploy[] {
  const [first] = sums
  if (first === undefined) return []
  const { projectId, environment } = first
  const periods = timeline(first, builds, sums)
  const found = new Map<Period | null, Map<StaleSum, StaleSlot[]>>()
  for (const sum of sums) {
    for (const slot of sum.slots) {
      const period = periodOf(periods, sum, slot.startMs + SLOT_MS)
      const parts = found.get(period) ?? new Map<StaleSum, StaleSlot[]>()
      found.set(period, parts)
      parts.set(sum, [...(parts.get(sum) ?? []), slot])
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
      ...{ id: id.slice(0, ID_CHARS), projectId, environment, release, parts },
      ...{ atMs, isTold: period?.isDeploy ?? false },
    }
  })
}

/** Oldest first. Where a tool tells of deploys, a release that it tells of begins with the first of them. */
function timeline(
  { projectId, environment }: StaleSum,
  builds: readonly KnownBuild[],
  sums: readonly StaleSum[],
): readonly Period[] {
  const here = builds.filter(
    (build) =>
      build.projectId === projectId &&
      (environment === '' || build.environment === '' || build.environment === environment),
  )
  const deploys = here.filter(({ isDeploy }) => isDeploy)
  const told = new Set(deploys.map(({ version }) => version))
  const seen = here.filter(({ version, isDeploy }) => !isDeploy && !told.has(version))
  const named = new Set([...told, ...seen.map(({ version }) => version)])
  // Spans name no release to anybody else: one that answered has run since then at least.
  const answered = sums
    .filter(({ release }) => release !== '' && !named.has(release))
    .map(({ release, firstMs }) => ({ version: release, atMs: firstMs, isDeploy: false }))
  const all = [...deploys, ...seen, ...answered].sort((a, b) => a.atMs - b.atMs)
  return all.filter(({ version }, at) => all[at - 1]?.version !== version)
}

function periodOf(periods: readonly Period[], sum: StaleSum, untilMs: number): Period | null {
  const before = periods.filter(({ atMs }) => atMs <= untilMs)
  if (sum.release !== '') {
    const isAnswer = ({ version }: Period) => version === sum.release
    return before.findLast(isAnswer) ?? periods.find(isAnswer) ?? null
  }
  const current = before.at(-1)
  const isOther = ({ version }: Period) => version !== sum.fromRelease
  if (current !== undefined && isOther(current)) return current
  // The tab's own release still seems to run: what took its place was not seen yet, or its own first sight came late.
  const next = periods.find((period) => period.atMs > untilMs && isOther(period))
  const slack = next?.isDeploy === true ? DEPLOY_SLACK_MS : SUCCESSOR_MS
  if (next !== undefined && next.atMs - untilMs <= slack) return next
  return current?.isDeploy === true ? null : (before.findLast(isOther) ?? null)
}
