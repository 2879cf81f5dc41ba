/** What an event is, beyond what its SDK calls it: told by texts and types that frameworks give to one cause alone. */

/** `other`: neither a page nor a server, such as an app on a phone. */
export const CATEGORIES = ['server', 'client', 'hydration', 'skew', 'other'] as const
export type Category = (typeof CATEGORIES)[number]

/** What of a deploy an old tab asked for in vain. */
export type SkewKind = 'action' | 'chunk' | 'page-data'

/**
 * What became of it. `key`: an action that is there, whose arguments another key encrypted. `reload`: the framework saw
 * it and loads the page anew, so that nothing failed.
 */
export const SKEW_FAILURES = ['action', 'key', 'chunk', 'stylesheet', 'page-data', 'reload'] as const
export type SkewFailure = (typeof SKEW_FAILURES)[number]

/** `crawler`: asked for a file of an old build with no tab behind it, so that it is counted apart. */
export type StaleFailure = SkewFailure | 'crawler'

export const SKEW_KINDS: Readonly<Record<SkewFailure, SkewKind>> = {
  action: 'action',
  key: 'action',
  chunk: 'chunk',
  stylesheet: 'chunk',
  'page-data': 'page-data',
  reload: 'page-data',
}

/** Who tells of a stale click: the tab of the build that was replaced, or the server that answered it. */
export type SkewSide = 'browser' | 'server'

/**
 * What skew is grouped by: a build that was replaced, or that answered. Whatever was asked for in vain, and its ids, are
 * no group of their own; which groups are of one deploy, the control store decides.
 */
export function skewParts(side: SkewSide, release: string | null) {
  const parts = [
    {
      value: side,
      note: side === 'browser' ? 'told by a tab of an old build' : 'told by the server that answered',
    },
    { value: release, note: 'release: each is one group, whatever was asked for in vain' },
  ]
  return { name: 'skew', parts } as const
}

export interface Skew {
  readonly category: 'skew'
  readonly kind: SkewKind
  readonly failure: SkewFailure
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

/** Why a part of a page did not load, as far as its text says. */
export type UnloadedReason = 'broken address' | 'time-out' | 'missing' | 'unknown'

/** A part of a page that did not load, without a deploy that could be the reason. */
export interface Unloaded {
  readonly category: 'client'
  readonly kind: 'unloaded'
  readonly failure: SkewFailure
  readonly reason: UnloadedReason
  readonly isDevelopment: boolean
  /** Name or path of what did not load, without what a build puts into it; `null` where the message names none. */
  readonly subject: string | null
}

export type Recognised = Skew | Hydration | Unloaded

/**
 * What such an event is grouped by: browsers do not agree on whether they name the file, so that it counts only where its
 * address is what is broken.
 */
export function unloadedParts({ failure, reason, isDevelopment, subject }: Unloaded) {
  const parts = [
    { value: failure, note: 'what did not load' },
    { value: reason, note: 'why, as far as the message says it' },
    { value: isDevelopment ? 'development' : null, note: 'apart from what visitors meet' },
    { value: reason === 'broken address' ? subject : null, note: 'the address that is broken' },
  ]
  return { name: 'unloaded', parts } as const
}

/** What events of stale tabs are called: an event alone does not know which deploy its tab outlived. */
export const SKEW_TITLE = 'Stale tabs failed after a deploy'
/** What their issue is called once that is known; the release follows. */
export const SKEW_TITLE_OF = 'Stale tabs failed after the deploy of '
