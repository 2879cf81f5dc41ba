/** Cost of one key's envelopes in a journal range, for the process thread. */
import type { KeyId } from '#base/ids.ts'

/** Bodies that the journal holds as they are read, and those it holds compressed: a byte of each is not the same work. */
export const BODY_FORMS = ['plain', 'compressed'] as const
export type BodyForm = (typeof BODY_FORMS)[number]

export interface KeyWork {
  readonly keyId: KeyId
  readonly form: BodyForm
  /** Bytes as the journal holds them. */
  readonly bytes: number
  readonly ms: number
}
