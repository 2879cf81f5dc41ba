/** Emails of links, left to be sent. */
import { ok, type Result } from '#base/result.ts'
import { foldEmail } from '#model/account-rules.ts'
import { LETTERS } from '#model/tables/accounts.ts'
import { refuseLetters } from '#notices/rules/letters.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'

interface NewLetter {
  readonly email: string
  /** 32 hex characters, new for each letter. No secret. */
  readonly key: string
  /** Neither the letter nor its link outlives it. */
  readonly expiresMs: number
}

/** Tells of a sign-in from a device that was not known. It carries no secret link. */
interface DeviceLetter extends NewLetter {
  /** Device name, such as `Chrome on macOS`. */
  readonly device: string
}

/** Says nothing of whether there is such an account. Refused when too many letters wait. */
export async function createReset(
  tx: Tx,
  { letter, actor }: { readonly letter: NewLetter; readonly actor: Actor },
): Promise<Result<null>> {
  const tooMany = refuseLetters(await tx.accounts.lettersWaiting(null))
  if (tooMany !== null) return tooMany
  await leaveLetter(tx, letter, actor)
  return ok(null)
}

/** Queues a letter about a new device. Dropped if too many letters wait: a sign-in must not fail by it. */
export async function createDeviceLetter(
  tx: Tx,
  { letter, actor }: { readonly letter: DeviceLetter; readonly actor: Actor },
): Promise<void> {
  if (refuseLetters(await tx.accounts.lettersWaiting(null)) === null) await leaveLetter(tx, letter, actor)
}

/** Leaves a letter, which waits to be sent; `invitation`: the code's hash of the one whose link it carries. */
export async function leaveLetter(
  tx: Tx,
  letter: NewLetter & { readonly invitation?: string; readonly device?: string },
  { label: actor, address, atMs }: Actor,
): Promise<void> {
  const to = { email: letter.email.trim(), emailFolded: foldEmail(letter.email) }
  await tx.rows(LETTERS).insert([{ ...letter, ...to, actor, address, state: 'waiting', dueMs: atMs }])
}
