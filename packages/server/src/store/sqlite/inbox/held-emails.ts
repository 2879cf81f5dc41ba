/** Emails that a person's quiet hours hold back: lines of one email, which is due when they end. */
import { quietUntil } from '#alerts/rules/quiet-hours.ts'
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { sinceOccasion } from '#notices/rules/messages.ts'
import type { Connection } from '../connection.ts'
import { type IssueMove, moveRows } from '../rows/issue-move.ts'

/** Something that is told later. `headline` is `null` for a change of an issue, which is read when it is told. */
export interface HeldEmail {
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly issueId: IssueId | null
  readonly activityId?: number
  readonly isMention?: boolean
  readonly firingId?: number | null
  readonly ruleId?: number | null
  readonly headline: string | null
  readonly atMs: number
}

export function personQuietHours(db: Connection, user: UserId): QuietHours {
  const sql = 'SELECT hours FROM person_quiet_hours WHERE user_id = ?'
  const row = db.get<{ hours: string }>(sql, [user])
  return row === undefined ? QUIET_HOURS_DEFAULT : JSON.parse(row.hours)
}

/** Returns when the person's quiet hours end that hold what is due at `atMs`; `null` where none do. */
export function personQuietUntil(db: Connection, user: UserId, atMs: number): number | null {
  return quietUntil(personQuietHours(db, user), atMs)
}

/** Adds a line to the email that the person gets at `untilMs`. One occasion of an issue is one line. */
export function holdEmail(
  db: Connection,
  user: UserId,
  held: HeldEmail & { readonly untilMs: number },
): void {
  const letter = waitingLetter(db, user) ?? insertLetter(db, user, held)
  const { untilMs } = held
  const later = `UPDATE letters SET due_ms = max(due_ms, :until), expires_ms = max(expires_ms, :expires) WHERE id = :letter`
  db.run(later, { until: untilMs, expires: untilMs + max('followerEmailMs'), letter })
  // held_emails_by_letter
  const sql = `INSERT INTO held_emails (letter_id, org_id, project_id, issue_id, activity_id, is_mention, firing_id, rule_id,
      headline, at_ms)
    SELECT :letter, :org, :project, :issue, :activity, :mention, :firing, :rule, :headline, :at
    WHERE (SELECT count(*) FROM held_emails WHERE letter_id = :letter) < :most AND NOT EXISTS (
      SELECT 1 FROM held_emails WHERE letter_id = :letter AND activity_id IS :activity AND issue_id = :issue
        AND (:activity IS NOT NULL OR at_ms >= :since))`
  db.run(sql, {
    ...{ letter, org: held.orgId, project: held.projectId, issue: held.issueId },
    ...{ activity: held.activityId ?? null, mention: held.isMention === true ? 1 : 0 },
    ...{ firing: held.firingId ?? null, rule: held.ruleId ?? null, headline: held.headline },
    ...{ at: Math.floor(held.atMs), since: sinceOccasion(held.atMs), most: max('heldEmailsMax') },
  })
}

function waitingLetter(db: Connection, user: UserId): number | null {
  // letters_of_people
  const sql = `SELECT id FROM letters WHERE user_id = ? AND activity_id IS NULL AND state = 'waiting' AND tries = 0`
  return db.get<{ id: number }>(sql, [user])?.id ?? null
}

function insertLetter(db: Connection, user: UserId, { untilMs }: { readonly untilMs: number }): number {
  const sql = `INSERT INTO letters (email, email_folded, key, actor, expires_ms, state, due_ms, user_id)
    VALUES ('', '', lower(hex(randomblob(16))), 'Errata', :expires, 'waiting', :until, :user)`
  return db.run(sql, { expires: untilMs + max('followerEmailMs'), until: untilMs, user }).lastId
}

/** Forgets what waits of a firing: something more urgent about it goes out at once. */
export function forgetHeld(db: Connection, user: UserId, firing: number): void {
  const letter = waitingLetter(db, user)
  if (letter === null) return
  db.run('DELETE FROM held_emails WHERE letter_id = ? AND firing_id = ?', [letter, firing])
}

/** Lines of an issue that another takes in go along. */
export function moveHeld(db: Connection, moves: readonly IssueMove[]): void {
  // held_emails_by_issue
  moveRows(db, 'UPDATE held_emails SET issue_id = ? WHERE issue_id = ?', moves)
}
