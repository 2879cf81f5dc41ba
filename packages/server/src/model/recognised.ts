/** What an event is, beyond what its SDK calls it: told by texts and types that frameworks give to one cause alone. */

/** `other`: neither a page nor a server, such as an app on a phone. */
export const CATEGORIES = ['server', 'client', 'hydration', 'skew', 'other'] as const
export type Category = (typeof CATEGORIES)[number]

/** What of a deploy an old tab asked for in vain. */
export type SkewKind = 'action' | 'chunk' | 'page-data'

export interface Skew {
  readonly category: 'skew'
  readonly kind: SkewKind
  /** Id of the action, path or number of the chunk; `null` where the message names none. */
  readonly subject: string | null
}

/** Whose words a mismatch of server and client is told in. */
export type HydratingFramework = 'React' | 'Vue' | 'Svelte' | 'Solid' | 'Preact' | 'Angular' | 'Lit'

export interface Hydration {
  readonly category: 'hydration'
  readonly framework: HydratingFramework
  /** The component that rendered something else, where the event says it in a name that lasts from build to build. */
  readonly component: string | null
  /** As far as the event holds them. */
  readonly server: string | null
  readonly client: string | null
}

export type Recognised = Skew | Hydration
