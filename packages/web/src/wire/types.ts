/**
 * Inputs and answers of loaders and actions. They live in `*.server.ts` files that the browser bundle cannot
 * reach; the views and this file are shared.
 */
import type { Permission, PersonViewer } from '@errata/server/access'
import type { SignedIn } from '@errata/server/commands'
import type { ErrorCode } from '@errata/server/errors'
import type { Engine } from '@errata/server/http'
import type { ReadScope } from '@errata/server/queries'

/** Input of a loader, one per request. Commands take it as who asks (`Asking`, `RequestFacts`). */
export interface LoaderContext {
  readonly engine: Engine
  /** `null` when nobody is signed in; a route says in the table whether that may be. */
  readonly viewer: PersonViewer | null
  readonly params: Readonly<Record<string, string | undefined>>
  /** Address of the page, at the public origin. */
  readonly url: URL
  readonly address: string | null
  readonly userAgent: string | null
  /** Cookie of a browser that has signed in before. */
  readonly device: string | null
  /** How the rail was left in this browser; `null`: as it comes. */
  readonly rail: 'open' | 'collapsed' | null
  /**
   * Address in the browser, for a form posted from our own page. Anybody can write it; `null` if it is not
   * shown.
   */
  readonly usedOrigin: string | null
  /**
   * Address where this page was opened, as its client or a proxy states: good for answers to this client
   * only.
   */
  readonly openedAt: string
  readonly nowMs: number
  /** Runs what needs time but not the thread: another request has its turn meanwhile. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>
  /** Returns whose pages a page of this session waits for; `null` while none waits for its turn. */
  readonly waitsFor: () => 'own' | 'others' | null
  /** Parts of the page that could not be read, and why; `readable` fills it. */
  readonly unread: Map<string, ActionError>
}

/** Context of pages behind sign-in: the viewer is there. */
export interface ViewerContext extends LoaderContext {
  readonly viewer: PersonViewer
}

/** Context of pages below `/:org`: the viewer and their scope in that organisation. */
export interface OrgContext extends ViewerContext {
  readonly scope: ReadScope
}

/** Access to a page or action: a permission in the organisation of the address, or one of these. */
export type ActionAccess = Permission | 'anyone' | 'signed-in' | 'operator'

/** Session of the person who asks, as an action may change it; the wire turns it into the cookie. */
export interface SessionControl {
  start(signedIn: SignedIn): void
  end(): void
}

/** Answer of an action: a value for the page, a redirect, or an expected refusal with its field errors. */
export type ActionAnswer<T> =
  | { readonly result: T }
  | { readonly redirect: string }
  | { readonly error: ActionError }

export interface ActionError {
  readonly code: ErrorCode
  readonly message: string
  readonly fields?: Readonly<Record<string, readonly string[]>>
  readonly digest?: string
  /** Value for Retry-After, with `too_many_attempts` and `overloaded`. */
  readonly retryAfterSeconds?: number
  /** Address to open the same page at instead, with `cross_origin`. */
  readonly address?: string
}
