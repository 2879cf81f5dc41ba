/** Choices of people for themselves: which emails and entries of inboxes they do without, and when. */
import { quietUntil } from '#alerts/rules/quiet-hours.ts'
import type { IssueId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { INBOX_KINDS, type InboxKind } from '#model/inbox.ts'
import { LETTERS } from '#model/tables/accounts.ts'
import { ALERT_EMAIL_OFF } from '#model/tables/alerts.ts'
import { INBOX_OFF, PERSON_QUIET_HOURS } from '#model/tables/inbox.ts'
import { ISSUE_PEOPLE } from '#model/tables/issues.ts'
import type { Tx } from '#ports/control.ts'
import type { InboxMark } from '#ports/inbox.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAccountAudit } from './audit-entry.ts'

interface OfPerson {
  readonly user: UserId
  readonly actor: Actor
}

export async function setEmailMomentsOff(
  tx: Tx,
  { user: userId, off, actor }: OfPerson & { readonly off: readonly string[] },
): Promise<void> {
  const rows = tx.rows(ALERT_EMAIL_OFF)
  const before = (await rows.find({ userId }, MOMENTS_MOST)).map(({ moment }) => moment)
  if (JSON.stringify(before) === JSON.stringify(off.toSorted())) return
  await rows.remove({ userId })
  await rows.insert(off.map((moment) => ({ userId, moment })))
  const detail = { off: off.join(', ') }
  await writeAccountAudit(tx, userId, actor, { action: 'account.alerts_chosen', target: actor.label, detail })
}

/** More than there are moments and kinds. */
const MOMENTS_MOST = 100

/** Entries that exist stay. */
export async function setInboxOff(
  tx: Tx,
  { user: userId, off, actor }: OfPerson & { readonly off: readonly InboxKind[] },
): Promise<void> {
  const rows = tx.rows(INBOX_OFF)
  const known = new Set((await rows.find({ userId }, MOMENTS_MOST)).map(({ kind }) => kind))
  const before = INBOX_KINDS.filter((kind) => known.has(kind))
  const after = INBOX_KINDS.filter((kind) => off.includes(kind))
  if (before.join() === after.join()) return
  await rows.remove({ userId })
  await rows.insert(after.map((kind) => ({ userId, kind })))
  await writeAccountAudit(tx, userId, actor, { action: 'account.inbox_changed', target: actor.label })
}

/** Sets when the person is not emailed. What waits is due when the new quiet hours end, or at once. */
export async function setPersonQuietHours(
  tx: Tx,
  { user: userId, hours, actor }: OfPerson & { readonly hours: QuietHours },
): Promise<void> {
  const rows = tx.rows(PERSON_QUIET_HOURS)
  const before = (await rows.one({ userId }))?.hours ?? QUIET_HOURS_DEFAULT
  if (JSON.stringify(before) === JSON.stringify(hours)) return
  await rows.merge([{ userId, hours }])
  const dueMs = Math.floor(quietUntil(hours, actor.atMs) ?? actor.atMs)
  const waiting = { userId, activityId: null, state: 'waiting', tries: 0 }
  await tx.rows(LETTERS).change(waiting, { dueMs, expiresMs: dueMs + max('followerEmailMs') })
  await writeAccountAudit(tx, userId, actor, { action: 'account.quiet_hours_changed', target: actor.label })
}

/** Marks entries of a person's own inbox; answers how many changed. */
export function markOwnInbox(
  tx: Tx,
  { nowMs, ...mark }: InboxMark & { readonly nowMs: number },
): Promise<number> {
  return tx.accounts.markInbox(mark, nowMs)
}

/** Tells the person of the issue again, whether they may read it or not: the other half of `muteIssue`. */
export async function unmuteIssue(
  tx: Tx,
  { user: userId, issue: issueId }: { readonly user: UserId; readonly issue: IssueId },
): Promise<void> {
  await tx.rows(ISSUE_PEOPLE).change({ issueId, userId }, { isMuted: false })
}
