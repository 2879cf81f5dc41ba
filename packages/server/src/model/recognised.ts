/**
 * Cause of an event beyond what its SDK states, recognised by texts and types that frameworks give to one
 * cause alone.
 */

/** `other`: neither a page nor a server, such as an app on a phone. */
export const CATEGORIES = ['server', 'client', 'hydration', 'skew', 'other'] as const
export type Category = (typeof CATEGORIES)[number]

/** Part of a deploy that an old tab asked for in vain. */
export type SkewKind = 'action' | 'chunk' | 'page-data'

/**
 * Result of the click. `key`: the action exists but its arguments were encrypted by another key. `reload`:
 * the framework noticed and loads the page anew, so nothing failed.
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

/** Sender of a stale click: the tab of the replaced build, or the server that answered it. */
export type SkewSide = 'browser' | 'server'

/**
 * Returns the grouping of skew: the build that was replaced, or that answered. What was asked for, and its
 * ids, make no groups; the control store decides which groups belong to one deploy.
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

/** Framework whose words state a mismatch of server and client. */
export type HydratingFramework = 'React' | 'Vue' | 'Svelte' | 'Solid' | 'Preact' | 'Angular' | 'Lit'

export interface Hydration {
  readonly category: 'hydration'
  readonly framework: HydratingFramework
  /** The component that rendered something else, where the event says it in a name that lasts from build to build. */
  readonly component: string | null
  /** Server's text, as far as the event holds it. */
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
 * Returns the grouping of a file that did not load. Browsers do not agree on whether to name the file, so it
 * counts only if its address is what is broken.
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

/** Title of a stale-tab event: one event does not know which deploy its tab outlived. */
export const SKEW_TITLE = 'Stale tabs failed after a deploy'
/** Title of a stale-tab issue whose deploy is known; the release follows. */
export const SKEW_TITLE_OF = 'Stale tabs failed after the deploy of '
