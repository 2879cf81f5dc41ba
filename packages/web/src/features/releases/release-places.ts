/** The environments that a release runs in. Pure. */
import type { ReleasePageData } from './release.server.ts'

export type PlaceDeploy = ReleasePageData['view']['deploys'][number]

type PlaceHealth = NonNullable<ReleasePageData['health']>['environments'][number]

export interface ReleasePlace {
  readonly name: string
  readonly eventCount: number
  /** Newest first. */
  readonly deploys: readonly PlaceDeploy[]
  /** `null` where no sessions came. */
  readonly health: PlaceHealth | null
}

interface Sources {
  readonly events: readonly { readonly name: string; readonly eventCount: number }[]
  readonly deploys: readonly PlaceDeploy[]
  /** Empty where sessions named none. */
  readonly sessions: readonly PlaceHealth[]
}

/**
 * Returns the places that events, deploys and sessions name, each once: one that only sessions name is a
 * place too.
 */
export function releasePlaces({ events, deploys, sessions }: Sources): readonly ReleasePlace[] {
  const names = new Set([
    ...events.map(({ name }) => name),
    ...deploys.map(({ environment }) => environment),
    ...sessions.map(({ environment }) => environment),
  ])
  return [...names].map((name) => ({
    name,
    eventCount: events.find((each) => each.name === name)?.eventCount ?? 0,
    deploys: deploys.filter(({ environment }) => environment === name),
    health: sessions.find(({ environment }) => environment === name) ?? null,
  }))
}
