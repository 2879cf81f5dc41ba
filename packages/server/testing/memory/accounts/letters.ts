/** Letters: mails that carry a link for one person. */
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { foldEmail } from '#model/account-rules.ts'
import { claimed, isLost, lost, maySettle, type Settled, settled } from '#notices/rules/deliveries.ts'
import { hasExpired, RESET_EMAILED, refuseLetters } from '#notices/rules/letters.ts'
import type { LetterProgress } from '#ports/accounts.ts'
import type { ClaimedLetter, Letters, NewReset } from '#ports/letters.ts'
import type { Actor } from '#ports/scope.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { writeAccountAudit } from '../rows/audit.ts'
import { userByEmail } from '../rows/members.ts'
import type { LetterRow, Tables } from '../tables.ts'

export function letters(to: Tables): Letters {
  return {
    createReset: async (reset, actor) => to.transaction(() => createLetter(to, reset, actor) ?? ok(null)),
    createDeviceLetter: async (letter, actor) => to.transaction(() => void createLetter(to, letter, actor)),
    claimLetters: async (claim) => to.transaction(() => claimDue(to, claim)),
    openLetter: async (letter, codeHash, nowMs) =>
      to.transaction(() => open(to, { ...letter, codeHash, nowMs })),
    settleLetter: async (wanted, settlement, nowMs) =>
      to.transaction(() => {
        const letter = underLease(to, wanted)
        if (letter !== null) writeSettled(to, letter, settled(settlement, nowMs))
        return letter !== null
      }),
    nextLetterMs: async () => {
      const dues = to.letters.all().flatMap(({ dueMs }) => dueMs ?? [])
      return dues.length === 0 ? null : Math.min(...dues)
    },
  }
}

type NewLetter = NewReset & { readonly invitation?: string; readonly device?: string }

export function createLetter(to: Tables, letter: NewLetter, actor: Actor): Refusal | null {
  const tooMany = refuseLetters(to.letters.where(({ dueMs }) => dueMs !== null).length)
  if (tooMany !== null) return tooMany
  const { key, expiresMs, invitation = null, device = null } = letter
  const id = to.letters.nextId()
  const from = { actor: actor.label, address: actor.address }
  const begun = { state: 'waiting', tries: 0, dueMs: actor.atMs, lease: null } as const
  const none = { codeHash: null, says: null, settledMs: null }
  to.letters.put(id, {
    ...{ id, invitation, device, email: letter.email.trim(), key, expiresMs },
    ...{ ...from, ...begun, ...none },
  })
  return null
}

export function removeResets(to: Tables, user: UserId): void {
  to.passwordResets.deleteWhere(({ userId }) => userId === user)
  const email = foldEmail(to.users.get(user)?.email ?? '')
  to.letters.deleteWhere((letter) => letter.invitation === null && letter.device === null && foldEmail(letter.email) === email)
}

/** `null`: it was not emailed. */
export function progressOf(of: Tables, invitation: string): LetterProgress | null {
  const letter = of.letters.find((row) => row.invitation === invitation)
  if (letter === undefined) return null
  const { state, tries, says, dueMs, settledMs } = letter
  return { state, tries, says, settledMs, nextMs: state === 'waiting' ? dueMs : null }
}

type LetterClaim = Parameters<Letters['claimLetters']>[0]

function claimDue(to: Tables, claim: LetterClaim): readonly ClaimedLetter[] {
  const taken: ClaimedLetter[] = []
  const due = to.letters
    .where(({ dueMs }) => dueMs !== null && dueMs <= claim.nowMs)
    .sort(
      inOrder(
        ascending(({ dueMs }) => dueMs ?? 0),
        ascending(({ id }) => id),
      ),
    )
  for (const letter of due) {
    const one = taken.length < claim.limit ? claimOne(to, letter, claim) : null
    if (one !== null) taken.push(one)
  }
  return taken
}

function claimOne(to: Tables, letter: LetterRow, claim: LetterClaim): ClaimedLetter | null {
  const { id, key, expiresMs } = letter
  if (isLost(letter, { kind: 'new', triesMax: claim.triesMax })) {
    writeSettled(to, letter, lost(claim.nowMs))
    return null
  }
  const what = hasExpired(letter, claim.nowMs) ? null : contentsOf(to, letter)
  if (what === null) {
    to.letters.delete(id)
    return null
  }
  const progress = claimed(letter.tries, claim)
  to.letters.change(id, progress)
  return { id, key, lease: claim.lease, tries: progress.tries, expiresMs, ...what }
}

function contentsOf(of: Tables, letter: LetterRow): Pick<ClaimedLetter, 'to' | 'invitation' | 'signIn'> | null {
  if (letter.invitation === null) {
    const user = userByEmail(of, letter.email)
    if (user === undefined) return null
    const { device, address } = letter
    const receiver = { email: user.email, name: user.name }
    return { to: receiver, invitation: null, signIn: device === null ? null : { device, address } }
  }
  const invitation = of.invitations.get(letter.invitation)
  const organisation = invitation === undefined ? undefined : of.organisations.get(invitation.orgId)
  if (invitation === undefined || organisation === undefined) return null
  const what = { role: invitation.role, organisation: organisation.name, by: letter.actor }
  return { to: { email: letter.email, name: '' }, invitation: what, signIn: null }
}

function underLease(
  of: Tables,
  { id, lease }: { readonly id: number; readonly lease: string },
): LetterRow | null {
  const letter = of.letters.get(id)
  return letter !== undefined && maySettle(letter, lease) ? letter : null
}

function open(
  to: Tables,
  opening: {
    readonly id: number
    readonly lease: string
    readonly codeHash: string
    readonly nowMs: number
  },
): boolean {
  const letter = underLease(to, opening)
  if (letter === null) return false
  const { codeHash, nowMs } = opening
  if (letter.invitation !== null) {
    to.letters.change(letter.id, { codeHash })
    return true
  }
  const user = userByEmail(to, letter.email)
  if (user === undefined) return false
  if (letter.device !== null) return true
  const { id: letterId, actor: label, address, expiresMs } = letter
  to.passwordResets.deleteWhere((reset) => reset.letterId === letterId)
  to.passwordResets.put(codeHash, { codeHash, userId: user.id, expiresMs, letterId })
  const emailed = to.passwordResets
    .where((reset) => reset.userId === user.id && reset.letterId !== null)
    .sort(descending((reset) => reset.letterId ?? 0))
  for (const reset of emailed.slice(max('resetsPerAccount'))) to.passwordResets.delete(reset.codeHash)
  if (letter.tries > 1) return true
  const actor = { userId: null, tokenId: null, label, address, atMs: nowMs }
  writeAccountAudit(to, user.id, actor, { action: RESET_EMAILED, target: user.email })
  return true
}

function writeSettled(to: Tables, { id, invitation }: LetterRow, after: Settled): void {
  if (invitation === null && after.state !== 'waiting') to.letters.delete(id)
  else to.letters.change(id, after)
}
