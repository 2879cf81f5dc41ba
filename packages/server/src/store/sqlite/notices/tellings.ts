/** Tells followers of an issue what was done to it: in their inboxes, and by emails that are queued as letters. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { byErrata, roomForTellings, tellingsOf } from '#issues/issue-people.ts'
import { max } from '#limits/limits.ts'
import { NOTICE_SETTINGS_DEFAULT, type NoticeSettings } from '#ports/notices.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { holdEmail, personQuietUntil } from '../inbox/held-emails.ts'
import { enterActivity } from '../inbox/inbox-rows.ts'
import { countOf } from '../rows/account-rows.ts'
import { followersOfIssues } from '../rows/issue-marks.ts'
import { withoutMuting } from '../rows/muted-issues.ts'
import type { Stage } from '../stage.ts'
import { settingsOfProjects } from './notice-rows.ts'

/** An activity, and whom it is told to. */
export interface Tellable {
  readonly activity: number
  readonly followers: readonly UserId[]
  readonly mentions: readonly UserId[]
}

/** Tells within the caller's transaction. */
export function queueTellings(db: Connection, told: Tellable, actor: Actor): void {
  enter(db, told, actor)
  queueEmails(db, told, actor)
}

/** Enters a change in inboxes, which have room for everybody. */
function enter(db: Connection, { activity, followers, mentions }: Tellable, actor: Actor): void {
  const room = Number.POSITIVE_INFINITY
  enterActivity(db, { activity, people: tellingsOf({ followers, mentions, by: actor.userId, room }) })
}

function queueEmails(db: Connection, told: Tellable, actor: Actor): void {
  const { activity, followers: all, mentions } = told
  if (all.length === 0 && mentions.length === 0) return
  forgetExpired(db, actor.atMs)
  // letters_of_people
  const waiting = countOf(db, 'SELECT count(*) AS count FROM letters WHERE user_id IS NOT NULL', [])
  const room = roomForTellings(waiting)
  const tellings = tellingsOf({ followers: all, mentions, by: actor.userId, room })
  insertTellings(db, { activity, tellings: withoutHeld(db, { activity, tellings }, actor) }, actor)
}

interface Told {
  readonly activity: number
  readonly tellings: ReturnType<typeof tellingsOf>
}

/** Keeps for later what quiet hours hold, and returns the rest. Whoever muted the issue is told nothing. */
function withoutHeld(db: Connection, { activity, tellings }: Told, { atMs }: Actor): Told['tellings'] {
  const sql = `SELECT a.issue_id AS issueId, i.project_id AS projectId, p.org_id AS orgId
    FROM activities a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id WHERE a.id = ?`
  const where = db.get<{ issueId: IssueId; projectId: ProjectId; orgId: OrgId }>(sql, [activity])
  if (where === undefined) return []
  const told = withoutMuting(db, { people: tellings, issue: where.issueId, idOf: ({ userId }) => userId })
  return told.filter(({ userId, isMention }) => {
    const untilMs = personQuietUntil(db, userId, atMs)
    if (untilMs === null) return true
    holdEmail(db, userId, { ...where, activityId: activity, isMention, headline: null, atMs, untilMs })
    return false
  })
}

interface ReturnedAtHand {
  readonly returnedIssues: readonly IssueId[]
  readonly nowMs: number
}

interface ReturnedThere {
  readonly told: readonly (Tellable & { readonly projectId: ProjectId })[]
  /** Settings of projects that have some of their own. */
  readonly settings: ReadonlyMap<ProjectId, NoticeSettings>
}

interface ToldReturned {
  readonly inboxes: readonly Tellable[]
  readonly emails: readonly Tellable[]
  readonly nowMs: number
}

/** Events brought issues back: where a project's alerts are emailed, those are the followers' emails too. */
export const RETURN_STAGE: Stage<ReturnedAtHand, ReturnedThere, ToldReturned, ReturnedAtHand> = {
  name: 'returned',
  pick: (at) => (at.returnedIssues.length === 0 ? null : at),
  load(db, { returnedIssues }) {
    const followers = followersOfIssues(db, returnedIssues)
    const followed = returnedIssues.flatMap((issue, at) => {
      const all = followers[at] ?? []
      return all.length === 0 ? [] : [{ issue, followers: all }]
    })
    const sql = `SELECT i.project_id AS projectId, max(a.id) AS activity
      FROM issues i JOIN activities a ON a.issue_id = i.id WHERE i.id = ?`
    const rows = db.getEach<{ readonly projectId: ProjectId; readonly activity: number }>(
      sql,
      followed.map(({ issue }) => [issue]),
    )
    const told = followed.flatMap(({ followers: all }, at) => {
      const row = rows[at]
      return row === undefined ? [] : [{ ...row, followers: all, mentions: [] }]
    })
    const projects = [...new Set(told.map(({ projectId }) => projectId))]
    return { told, settings: projects.length === 0 ? new Map() : settingsOfProjects(db, projects) }
  },
  decide({ told, settings }, { nowMs }) {
    const isMailed = (project: ProjectId) => (settings.get(project) ?? NOTICE_SETTINGS_DEFAULT).mail
    return { inboxes: told, emails: told.filter(({ projectId }) => !isMailed(projectId)), nowMs }
  },
  save(db, { inboxes, emails, nowMs }) {
    for (const told of inboxes) enter(db, told, byErrata(nowMs))
    for (const told of emails) queueEmails(db, told, byErrata(nowMs))
  },
}

/** Without a mail server nobody claims them. */
function forgetExpired(db: Connection, nowMs: number): void {
  db.run('DELETE FROM letters WHERE user_id IS NOT NULL AND expires_ms <= ?', [nowMs])
}

/** Inserts tellings in one statement, however many are told. */
function insertTellings(db: Connection, { activity, tellings }: Told, actor: Actor): void {
  // letters_of_people
  const sql = `INSERT INTO letters (email, email_folded, key, actor, expires_ms, state, due_ms, activity_id, user_id,
      is_mention)
    SELECT '', '', lower(hex(randomblob(16))), :actor, :expires, 'waiting', :at, :activity, t.value ->> 'userId',
      t.value ->> 'isMention'
    FROM json_each(:tellings) t
    WHERE (SELECT count(*) FROM letters WHERE user_id = t.value ->> 'userId') < :most
    ORDER BY t.key ON CONFLICT DO NOTHING`
  const expires = Math.floor(actor.atMs) + max('followerEmailMs')
  const said = {
    actor: actor.label,
    expires,
    at: actor.atMs,
    activity,
    most: max('followerEmailsPerPersonMax'),
  }
  db.run(sql, { ...said, tellings: JSON.stringify(tellings) })
}
