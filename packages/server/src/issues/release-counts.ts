/** Sums a batch's events by project and release over its groups. */
import type { ProjectId } from '#base/ids.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { GroupDelta } from '#ports/ingest.ts'

export interface NamedRelease {
  readonly projectId: ProjectId
  readonly release: string
  /** Whole milliseconds. */
  readonly firstMs: number
}

export interface ReleaseCount extends NamedRelease {
  readonly events: number
  readonly lastMs: number
}

export interface EnvironmentCount {
  readonly projectId: ProjectId
  readonly release: string
  readonly environment: string
  readonly events: number
}

/** The same by environment. */
export function environmentCounts(deltas: readonly GroupDelta[]): readonly EnvironmentCount[] {
  const counts = new Map<string, EnvironmentCount>()
  for (const { projectId, builds } of deltas) {
    for (const { release, environment, count } of builds) {
      const name = JSON.stringify([projectId, release, environment])
      const events = (counts.get(name)?.events ?? 0) + count
      counts.set(name, { projectId, release, environment, events })
    }
  }
  return [...counts.values()]
}

/** Returns counts in the order in which releases first occur. Every event carries its release as a tag. */
export function releaseCounts(deltas: readonly GroupDelta[]): readonly ReleaseCount[] {
  const counts = new Map<string, ReleaseCount>()
  for (const { projectId, facets } of deltas) {
    for (const { key, value, count, firstMs, lastMs } of facets) {
      if (key !== 'release') continue
      const name = `${projectId} ${value}`
      const before = counts.get(name)
      counts.set(name, {
        ...{ projectId, release: value, events: (before?.events ?? 0) + count },
        firstMs: Math.floor(Math.min(before?.firstMs ?? firstMs, firstMs)),
        lastMs: Math.floor(Math.max(before?.lastMs ?? lastMs, lastMs)),
      })
    }
  }
  return [...counts.values()]
}

/** Releases that sessions name, each once. */
export function releasesOfSessions(sessions: readonly SessionDelta[]): readonly NamedRelease[] {
  const named = new Map<string, NamedRelease>()
  for (const { projectId, release, startedMs, receivedMs } of sessions) {
    const name = `${projectId} ${release}`
    const firstMs = Math.floor(Math.min(startedMs, receivedMs))
    const before = named.get(name)
    if (before === undefined || firstMs < before.firstMs) named.set(name, { projectId, release, firstMs })
  }
  return [...named.values()]
}
