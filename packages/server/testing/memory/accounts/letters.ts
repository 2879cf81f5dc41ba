/** Letters: mails that carry a link for one person. */
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { foldEmail } from '#model/account-rules.ts'
import { claimed, isLost, lost, maySettle, type Settled, settled } from '#notices/rules/deliveries.ts'
import { hasExpired, isKept, RESET_EMAILED, refuseLetters } from '#notices/rules/letters.ts'
import type { LetterProgress } from '#ports/accounts.ts'
import type { ClaimedLetter, Letters, NewReset } from '#ports/letters.ts'
import type { Actor } from '#ports/scope.ts'
import { chosenIssue } from '../issues/merging.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { writeAccountAudit } from '../rows/audit.ts'
import { projectsOpenTo, userByEmail } from '../rows/members.ts'
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
  const tooMany = refuseLetters(
    to.letters.where(({ dueMs, telling }) => dueMs !== null && telling === null).length,
  )
  if (tooMany !== null) return tooMany
  const { key, expiresMs, invitation = null, device = null } = letter
  const id = to.letters.nextId()
  const from = { actor: actor.label, address: actor.address }
  const begun = { state: 'waiting', tries: 0, dueMs: actor.atMs, lease: null } as const
  const none = { codeHash: null, telling: null, says: null, settledMs: null }
  to.letters.put(id, {
    ...{ id, invitation, device, email: letter.email.trim(), key, expiresMs },
    ...{ ...from, ...begun, ...none },
  })
  return null
}

export function removeResets(to: Tables, user: UserId): void {
  to.passwordResets.deleteWhere(({ userId }) => userId === user)
  const email = foldEmail(to.users.get(user)?.email ?? '')
  const isReset = ({ invitation, telling, device }: LetterRow) =>
    invitation === null && telling === null && device === null
  to.letters.deleteWhere((letter) => isReset(letter) && foldEmail(letter.email) === email)
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

type Contents = Pick<ClaimedLetter, 'to' | 'invitation' | 'telling' | 'signIn'>

function contentsOf(of: Tables, letter: LetterRow): Contents | null {
  if (letter.telling !== null) return tellingOf(of, letter.telling, letter.actor)
  if (letter.invitation === null) {
    const user = userByEmail(of, letter.email)
    if (user === undefined) return null
    const { device, address } = letter
    const receiver = { email: user.email, name: user.name }
    const signIn = device === null ? null : { device, address }
    return { to: receiver, invitation: null, telling: null, signIn }
  }
  const invitation = of.invitations.get(letter.invitation)
  const organisation = invitation === undefined ? undefined : of.organisations.get(invitation.orgId)
  if (invitation === undefined || organisation === undefined) return null
  const what = { role: invitation.role, organisation: organisation.name, by: letter.actor }
  return { to: { email: letter.email, name: '' }, invitation: what, telling: null, signIn: null }
}

/** `null`: the receiver may not read the issue any more, or wants no email. */
function tellingOf(of: Tables, telling: NonNullable<LetterRow['telling']>, by: string): Contents | null {
  const activity = of.activities.get(telling.activityId)
  const issue = activity === undefined ? undefined : of.issues.get(activity.issueId)
  const project = issue === undefined ? undefined : of.projects.get(issue.projectId)
  const user = of.users.get(telling.userId)
  if (activity === undefined || issue === undefined || project === undefined || user === undefined)
    return null
  if (of.noticeMailOff.has(user.id) || !projectsOpenTo(of, project.orgId, user.id).includes(project.id))
    return null
  const { shortId, title } = chosenIssue(of, issue)
  const { kind, detail } = activity
  const organisation = of.organisations.get(project.orgId)?.slug ?? ''
  return {
    to: { email: user.email, name: user.name },
    invitation: null,
    signIn: null,
    telling: {
      ...{ organisation, kind, detail, by, issue: { shortId, title } },
      ...{ isMention: telling.isMention, isToReceiver: detail.assignee === user.id },
    },
  }
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
  if (letter === null || letter.telling !== null) return false
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

function writeSettled(to: Tables, letter: LetterRow, after: Settled): void {
  if (isKept(letter, after.state)) to.letters.change(letter.id, after)
  else to.letters.delete(letter.id)
}
