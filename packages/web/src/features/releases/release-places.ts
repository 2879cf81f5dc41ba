/** The environments that a release runs in. Pure. */
import type { loadRelease } from './releases.server.ts'

type Loaded = Awaited<ReturnType<typeof loadRelease>>
export type PlaceDeploy = Loaded['view']['deploys'][number]

export interface Place {
  readonly name: string
  readonly eventCount: number
  /** Newest first. */
  readonly deploys: readonly PlaceDeploy[]
}

interface Sources {
  readonly events: readonly { readonly name: string; readonly eventCount: number }[]
  readonly deploys: readonly PlaceDeploy[]
  /** Empty where sessions named none. */
  readonly sessions: readonly { readonly environment: string }[]
}

/** Of what events, deploys and sessions name, each once: one of which only sessions came is one too. */
export function placesOf({ events, deploys, sessions }: Sources): readonly Place[] {
  const names = new Set([
    ...events.map(({ name }) => name),
    ...deploys.map(({ environment }) => environment),
    ...sessions.map(({ environment }) => environment),
  ])
  names.delete('')
  return [...names].map((name) => ({
    name,
    eventCount: events.find((each) => each.name === name)?.eventCount ?? 0,
    deploys: deploys.filter(({ environment }) => environment === name),
  }))
}
