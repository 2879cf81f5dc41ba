/** JSON answers to page-data requests and actions. */
import type { SelfTarget } from '@errata/server/http'
import type { ActionError } from './types.ts'

/** Loader data by route id. */
export type PageData = Readonly<Record<string, unknown>>

/** Error of any answer that is not 2xx. */
export interface WireError extends ActionError {
  /** Address of the recorded failure, for people who may read it. */
  readonly recorded?: string
  /** With `not_found`. */
  readonly missing?: Missing
  /** Build of the server, with `stale_build`. */
  readonly build?: string
}

/** Names the missing thing of an address, and says where to look for it. */
export interface Missing {
  /** “Issue STOREFRONT-9999 not found”. */
  readonly title: string
  /** List in which it would be; empty if there is none. */
  readonly list: string
  /** A search for it; empty for what only has a number, which nobody looks for. */
  readonly search: string
  /** Text of the search, as far as there is room. */
  readonly looksFor: string
}

/** `part`: what changed of what the page's own loader answered, beside the frame's data; all else is as the page has it. */
export type PageAnswer =
  | { readonly data: PageData; readonly part?: PageData }
  | { readonly redirect: string }
  | { readonly error: WireError }

export type ActionReply =
  | { readonly result: unknown; readonly data?: PageData; readonly part?: PageData }
  /** `isDocument`: what it leads to is a document, whatever the browser holds of the page. */
  | { readonly redirect: string; readonly isDocument?: true }
  | { readonly error: WireError }

/** Result of a form that was posted without script, or waited for its sender: rendered into the page. */
export interface FormOutcome {
  readonly form: string
  readonly action: string
  readonly error: WireError | null
  readonly result: unknown
  /** Values typed, without secrets. */
  readonly values: FormValues
}

export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** State that a document gives to the browser. */
export interface PageState {
  readonly build: string
  readonly data: PageData
  readonly form: FormOutcome | null
  readonly report: Pick<SelfTarget, 'dsn' | 'tunnel'> | null
  /** Refusal that the page shows instead of its data. */
  readonly error: WireError | null
  readonly traceId: string
}
