/** Figures of a release beside those of the one it is compared with, both at the same age. */
import { HOUR_MS } from '#base/durations.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ageOf, comparedReleases, type ReleaseViewParts, timedRelease } from './release-view.ts'

export interface ReleaseFigures {
  /** 75th percentile of largest contentful paint; `null` on a side that measured none. */
  readonly lcpMs: BothReleases<number | null>
  /** Clicks on tabs of older builds that it answered. */
  readonly staleClicks: BothReleases<number>
  /** Versions, and their stretches of the same length. */
  readonly stretches: BothReleases<ReleaseStretch>
}

interface ReleaseStretch {
  readonly version: string
  readonly startMs: number
  readonly endMs: number
}

interface BothReleases<T> {
  readonly now: T
  readonly was: T
}

type Parts = Pick<ReleaseViewParts, 'releases' | 'requests' | 'skew' | 'clock'>

/** Returns `null` for a release that is not there, and for the first. */
export async function releaseFigures(
  parts: Parts,
  scope: ReadScope,
  version: string,
  against: string | null = null,
): Promise<ReleaseFigures | null> {
  const compared = await comparedReleases(parts.releases, scope, { version, against })
  if (compared === null) return null
  const { release, before } = compared
  const ageMs = ageOf(release, parts.clock.now())
  const projects = release.projects.map(({ projectId }) => projectId)
  const [now, was] = await Promise.all(
    [timedRelease(release), before].map((of) => readReleaseFigures(parts, scope, { of, ageMs, projects })),
  )
  if (now === undefined || was === undefined) return null
  return {
    lcpMs: { now: now.lcpMs, was: was.lcpMs },
    staleClicks: { now: now.staleClicks, was: was.staleClicks },
    stretches: { now: now.stretch, was: was.stretch },
  }
}

/** Figures that are days old are kept by the day: what is counted begins with the hour that the release did. */
async function readReleaseFigures(
  { requests, skew }: Parts,
  scope: ReadScope,
  asked: {
    readonly of: TimedRelease
    readonly ageMs: number
    readonly projects: Parameters<Parts['skew']['staleSums']>[1]['projects']
  },
) {
  const { of, ageMs, projects } = asked
  const startMs = Math.floor(of.atMs / HOUR_MS) * HOUR_MS
  const range = { startMs, endMs: startMs + ageMs + HOUR_MS, projects }
  const [vitals, sums] = await Promise.all([
    requests.vitalSpreads(scope, { ...range, release: of.version }),
    skew.staleSums(scope, range),
  ])
  const slots = sums.filter(({ release }) => release === of.version).flatMap((sum) => sum.slots)
  return {
    lcpMs: vitals.find(({ vital }) => vital === 'lcp')?.p75 ?? null,
    staleClicks: slots.reduce((total, { count }) => total + count, 0),
    stretch: { version: of.version, startMs: of.atMs, endMs: of.atMs + ageMs },
  }
}
