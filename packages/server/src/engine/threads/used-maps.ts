/** Which maps frames were resolved with: from the threads that resolve, in few messages, to the one that keeps them. */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { OrgId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'

export interface UsedMaps {
  readonly usedMaps: readonly (readonly [org: OrgId, mapKey: string])[]
}

const EVERY_MS = 2_000

/**
 * Collects used maps for a moment, in a thread that resolves. Uses beyond the bound are told an hour later.
 */
export function collectUsedMaps(send: (message: UsedMaps) => void): (org: OrgId, mapKey: string) => void {
  let waiting: (readonly [OrgId, string])[] = []
  return (org, mapKey) => {
    if (waiting.length >= max('usedMapsPerMessageMax')) return
    waiting.push([org, mapKey])
    if (waiting.length > 1) return
    setTimeout(() => {
      send({ usedMaps: waiting })
      waiting = []
    }, EVERY_MS).unref()
  }
}

/** Notes used maps in the main thread, from any thread, and keeps them once there is a store for them. */
export class UsedMapNotes {
  #artifacts: Pick<Artifacts, 'noteUsed'> | null = null
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  keepIn(artifacts: Pick<Artifacts, 'noteUsed'>): void {
    this.#artifacts = artifacts
  }

  note({ usedMaps }: UsedMaps): void {
    const byOrg = Map.groupBy(usedMaps, ([org]) => org)
    for (const [org, maps] of byOrg) {
      this.#artifacts
        ?.noteUsed(
          org,
          maps.map(([, mapKey]) => mapKey),
        )
        .catch((cause: unknown) =>
          // Told again within the hour.
          this.#log.warn('it was not noted which maps are used', { reason: String(cause).slice(0, 200) }),
        )
    }
  }
}
