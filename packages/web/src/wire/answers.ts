/** What a page-data request and an action are answered with, as JSON. */
import type { SelfTarget } from '@errata/server/http'
import type { ActionError } from './types.ts'

/** Loader data by route id. */
export type PageData = Readonly<Record<string, unknown>>

/** Of any answer that is not 2xx. */
export interface WireError extends ActionError {
  /** Where the failure was recorded, for those who may read it. */
  readonly recorded?: string
  /** Build of the server, with `stale_build`. */
  readonly build?: string
}

export type PageAnswer =
  | { readonly data: PageData }
  | { readonly redirect: string }
  | { readonly error: WireError }

export type ActionReply =
  | { readonly result: unknown; readonly data?: PageData }
  /** `isDocument`: what it leads to is a document, whatever the browser holds of the page. */
  | { readonly redirect: string; readonly isDocument?: true }
  | { readonly error: WireError }

/** What became of a form that was posted without script, or waited for its sender: rendered into the page. */
export interface FormOutcome {
  readonly form: string
  readonly action: string
  readonly error: WireError | null
  readonly result: unknown
  /** What was typed, without secrets. */
  readonly values: FormValues
}

export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** What a document hands to the browser. */
export interface PageState {
  readonly build: string
  readonly data: PageData
  readonly form: FormOutcome | null
  readonly report: Pick<SelfTarget, 'dsn' | 'tunnel'> | null
  /** Refusal that the page shows instead of its data. */
  readonly error: WireError | null
  readonly traceId: string
}
