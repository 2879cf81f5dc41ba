/** Letters: how many wait, which are not sent any more, and what stands in the audit log. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { DeliveryState } from '#ports/notices.ts'

/** Waiting letters of a kind, and those of them that one organisation sent. */
interface WaitingLetters {
  readonly ofKind: number
  readonly ofOrganisation: number
}

export function refuseLetters({ ofKind, ofOrganisation }: WaitingLetters): Refusal | null {
  if (ofKind < max('lettersWaitingMax') && ofOrganisation < max('invitationsWaitingMax')) return null
  return refuse('overloaded', 'Too many emails are waiting to be sent. Try again in a few minutes.')
}

/** Nobody waits for a link that has ended. */
export function hasExpired({ expiresMs }: { readonly expiresMs: number }, nowMs: number): boolean {
  return expiresMs <= nowMs
}

/** With the first try: that there is a link. */
export const RESET_EMAILED = 'password.reset_emailed'

/** A password link that is settled is forgotten, and so is what followers are told; an invitation shows what became of it. */
export function isLetterKept(
  { invitation }: { readonly invitation: string | null },
  state: DeliveryState,
): boolean {
  return invitation !== null || state === 'waiting'
}
