/** Letters: mails that carry a link for one person, claimed and settled as deliveries are. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { maySettle } from '#notices/rules/deliveries.ts'
import { hasExpired, isLetterKept, RESET_EMAILED } from '#notices/rules/letters.ts'
import type { Role } from '#ports/accounts.ts'
import type { ClaimedLetter, HeldLine, IssueTelling, Letters } from '#ports/letters.ts'
import type { Waiting } from '#ports/notices.ts'
import type { Outgoing } from '#ports/outbox.ts'
import { emailedPerson } from '../alerts/message-people.ts'
import type { Connection } from '../connection.ts'
import type { ClaimedRow, Queue, Waited } from '../outbox/claims.ts'
import { countOf, projectsOpenTo } from '../rows/account-rows.ts'
import { readDetail } from '../rows/activity.ts'
import { insertAccountAudit } from '../rows/audit.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { notMuted } from '../rows/muted-issues.ts'

export function letters(db: Connection): Letters {
  return {
    openLetter: async (letter, codeHash, nowMs) =>
      db.transaction(() => openLetter(db, { ...letter, codeHash, nowMs })),
  }
}

/** Counts those that wait: of people's own accounts, which no organisation's invitations hold up; else invitations. */
export function lettersWaiting(
  db: Connection,
  org: OrgId | null,
): { readonly ofKind: number; readonly ofOrganisation: number } {
  // letters_due
  const due = 'FROM letters l WHERE l.due_ms IS NOT NULL AND l.user_id IS NULL'
  if (org === null) {
    const ofKind = countOf(db, `SELECT count(*) AS count ${due} AND l.invitation IS NULL`, [])
    return { ofKind, ofOrganisation: 0 }
  }
  const invited = `${due} AND l.invitation IS NOT NULL`
  const own = `${invited} AND EXISTS (SELECT 1 FROM invitations i WHERE i.code_hash = l.invitation AND i.org_id = ?)`
  return {
    ofKind: countOf(db, `SELECT count(*) AS count ${invited}`, []),
    ofOrganisation: countOf(db, `SELECT count(*) AS count ${own}`, [org]),
  }
}

export function nextLetterMs(db: Connection): number | null {
  // letters_due
  const sql = 'SELECT min(due_ms) AS due FROM letters WHERE due_ms IS NOT NULL'
  return db.get<{ due: number | null }>(sql)?.due ?? null
}

interface LetterRow extends Waited {
  readonly invitation: string | null
  readonly device: string | null
  readonly email: string
  readonly folded: string
  readonly key: string
  readonly actor: string
  readonly address: string | null
  readonly expiresMs: number
  readonly activityId: number | null
  readonly userId: UserId | null
  readonly isMention: number
}

/** Letters share their places, whoever they go to. */
const LETTERS = 'letters'

/** Waiting of them all. */
export function lettersDueNext(db: Connection): readonly Waiting[] {
  const dueMs = nextLetterMs(db)
  return dueMs === null ? [] : [{ receiver: LETTERS, orgId: null, isPager: false, dueMs }]
}

const SELECT = `SELECT own.id, own.state, own.lease, own.tries, own.invitation, own.device, own.email,
    own.email_folded AS folded, own.key, own.actor, own.address, own.expires_ms AS expiresMs,
    own.activity_id AS activityId, own.user_id AS userId, own.is_mention AS isMention
  FROM letters own`

type Content = Omit<Outgoing['letters'], keyof ClaimedRow>

export function lettersDue(db: Connection): Queue<LetterRow, Content> {
  return {
    table: 'letters',
    select: SELECT,
    // letters_due. Whoever cannot sign in goes before whoever was invited or is told of something.
    next: () => ({
      where: `true ORDER BY own.invitation IS NOT NULL OR own.user_id IS NOT NULL, own.due_ms, own.id`,
      params: {},
    }),
    content(letter, nowMs) {
      const what = hasExpired(letter, nowMs) ? null : letterContents(db, letter)
      if (what === null) {
        db.run('DELETE FROM letters WHERE id = ?', [letter.id])
        return null
      }
      return { receiver: LETTERS, key: letter.key, expiresMs: letter.expiresMs, ...what }
    },
    after(letter, { after }) {
      if (!isLetterKept(letter, after.state)) db.run('DELETE FROM letters WHERE id = ?', [letter.id])
    },
  }
}

/** Returns receiver and content of a letter; `null` if nobody has the address of a reset. */
function letterContents(db: Connection, letter: LetterRow): Contents | null {
  if (letter.activityId !== null) return tellingOf(db, letter)
  if (letter.userId !== null) return heldContents(db, { letter: letter.id, user: letter.userId })
  if (letter.invitation === null) {
    const account = findAccount(db, letter)
    if (account === null) return null
    const { device, address } = letter
    const to = { email: account.email, name: account.name }
    return {
      to,
      invitation: null,
      telling: null,
      held: null,
      signIn: device === null ? null : { device, address },
    }
  }
  const sql = `SELECT i.role, o.name AS organisation FROM invitations i
    JOIN organisations o ON o.id = i.org_id WHERE i.code_hash = ?`
  const found = db.get<{ role: Role; organisation: string }>(sql, [letter.invitation])
  if (found === undefined) return null
  const to = { email: letter.email, name: '' }
  return { to, invitation: { ...found, by: letter.actor }, telling: null, held: null, signIn: null }
}

type Contents = Pick<ClaimedLetter, 'to' | 'invitation' | 'telling' | 'held' | 'signIn'>

interface TellingRow extends Pick<IssueTelling, 'organisation' | 'kind'> {
  readonly userId: UserId
  readonly orgId: OrgId
  readonly projectId: ProjectId
  readonly email: string
  readonly name: string
  readonly slug: string
  readonly number: number
  readonly title: string
  readonly detail: string
}

/** `null`: the receiver may not read the issue any more, or wants no email. */
function tellingOf(
  db: Connection,
  letter: Pick<LetterRow, 'userId' | 'activityId' | 'actor' | 'isMention'>,
): Contents | null {
  const sql = `SELECT u.id AS userId, u.email, u.name, o.id AS orgId, o.slug AS organisation, p.id AS projectId,
      p.slug, i.number, ${ISSUE_TITLE} AS title, a.kind, a.detail
    FROM activities a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id
      JOIN organisations o ON o.id = p.org_id JOIN users u ON u.id = ?
    WHERE a.id = ? AND NOT EXISTS (SELECT 1 FROM notice_mail_off off WHERE off.user_id = u.id)
      AND ${notMuted('i.id')}`
  const row = db.get<TellingRow>(sql, [letter.userId, letter.activityId])
  if (row === undefined || !projectsOpenTo(db, row.orgId, row.userId).includes(row.projectId)) return null
  const { organisation, kind, title } = row
  const detail = readDetail(row.detail)
  const issue = { shortId: shortId(row.slug, row.number), title }
  const isToReceiver = detail.assignee === row.userId
  const telling = { organisation, kind, issue, detail, by: letter.actor, isToReceiver }
  return {
    to: { email: row.email, name: row.name },
    invitation: null,
    signIn: null,
    held: null,
    telling: { ...telling, isMention: letter.isMention === 1 },
  }
}

interface HeldRow {
  readonly orgId: OrgId
  readonly organisation: string
  readonly projectId: ProjectId | null
  readonly slug: string | null
  readonly number: number | null
  readonly title: string | null
  readonly issueId: IssueId | null
  readonly activityId: number | null
  readonly isMention: number
  readonly by: string | null
  readonly headline: string | null
  readonly ruleId: number | null
}

/** Returns what waited for the end of quiet hours and may be read still; `null` where that is nothing. */
function heldContents(
  db: Connection,
  { letter, user }: { readonly letter: number; readonly user: UserId },
): Contents | null {
  const sql = 'SELECT email, name FROM users WHERE id = ?'
  const to = db.get<{ email: string; name: string }>(sql, [user])
  // held_emails_by_letter
  const held = `SELECT h.org_id AS orgId, o.slug AS organisation, h.project_id AS projectId, p.slug, i.number,
      ${ISSUE_TITLE} AS title, h.issue_id AS issueId, h.activity_id AS activityId, h.is_mention AS isMention,
      a.actor AS by, h.headline, h.rule_id AS ruleId
    FROM held_emails h JOIN organisations o ON o.id = h.org_id LEFT JOIN issues i ON i.id = h.issue_id
      LEFT JOIN projects p ON p.id = i.project_id LEFT JOIN activities a ON a.id = h.activity_id
    WHERE h.letter_id = ? ORDER BY h.id LIMIT ?`
  const rows = db.all<HeldRow>(held, [letter, max('heldEmailsMax')])
  const lines = rows.flatMap((row) => heldLine(db, row, user) ?? [])
  if (to === undefined || lines.length === 0) return null
  const shown = lines.slice(0, max('heldLinesShownMax'))
  return { to, invitation: null, signIn: null, telling: null, held: { lines: shown, total: lines.length } }
}

function heldLine(db: Connection, row: HeldRow, user: UserId): HeldLine | null {
  const { organisation, slug, number, title, activityId, isMention, by, headline, ruleId } = row
  const issue =
    slug === null || number === null ? null : { shortId: shortId(slug, number), title: title ?? '' }
  const line = { organisation, issue, ruleId, headline: headline ?? '' }
  if (activityId === null) return emailedPerson(db, row, user) === null ? null : { ...line, telling: null }
  const told = tellingOf(db, { userId: user, activityId, actor: by ?? '', isMention })
  return told === null ? null : { ...line, telling: told.telling }
}

function findAccount(db: Connection, { folded }: Pick<LetterRow, 'folded'>) {
  const sql = 'SELECT id, email, name FROM users WHERE email_folded = ?'
  return db.get<{ id: UserId; email: string; name: string }>(sql, [folded]) ?? null
}

function underLease(db: Connection, { id, lease }: { readonly id: number; readonly lease: string }) {
  const letter = db.get<LetterRow>(`${SELECT} WHERE own.id = ?`, [id])
  return letter !== undefined && maySettle(letter, lease) ? letter : null
}

function openLetter(
  db: Connection,
  opening: {
    readonly id: number
    readonly lease: string
    readonly codeHash: string
    readonly nowMs: number
  },
): boolean {
  const letter = underLease(db, opening)
  if (letter === null || letter.userId !== null) return false
  const { codeHash, nowMs } = opening
  if (letter.invitation !== null) {
    db.run('UPDATE letters SET code_hash = ? WHERE id = ?', [codeHash, letter.id])
    return true
  }
  const account = findAccount(db, letter)
  if (account === null) return false
  if (letter.device !== null) return true
  writeReset(db, { letter, codeHash, user: account.id })
  if (letter.tries > 1) return true
  const actor = { userId: null, tokenId: null, label: letter.actor, address: letter.address, atMs: nowMs }
  insertAccountAudit(db, account.id, actor, { action: RESET_EMAILED, target: account.email })
  return true
}

/** Writes one link per letter; of an account's emailed links only the newest works. */
function writeReset(
  db: Connection,
  reset: { readonly letter: LetterRow; readonly codeHash: string; readonly user: UserId },
): void {
  const { letter, codeHash, user } = reset
  db.run('DELETE FROM password_resets WHERE letter_id = ?', [letter.id])
  const sql = 'INSERT INTO password_resets (code_hash, user_id, expires_ms, letter_id) VALUES (?, ?, ?, ?)'
  db.run(sql, [codeHash, user, letter.expiresMs, letter.id])
  // password_resets_by_user
  const oldest = `DELETE FROM password_resets WHERE user_id = :user AND letter_id IS NOT NULL AND letter_id NOT IN
    (SELECT letter_id FROM password_resets WHERE user_id = :user AND letter_id IS NOT NULL
      ORDER BY letter_id DESC LIMIT :keep)`
  db.run(oldest, { user, keep: max('resetsPerAccount') })
}
