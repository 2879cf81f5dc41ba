/** Issues that people send to a channel: one message each, with what an alert about the issue says. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { sentHeadline } from '#notices/rules/messages.ts'
import type { MessageQueue, SentIssue } from '#ports/messages.ts'
import type { Actor } from '#ports/scope.ts'
import { insertMessages } from '../alerts/message-queue.ts'
import { readToldAlert } from '../alerts/watched-issue.ts'
import type { Connection } from '../connection.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { writeActivity } from '../rows/activity.ts'
import { writeAudit } from '../rows/audit.ts'
import { choose } from './chosen-issues.ts'

export function sentIssues(db: Connection): Pick<MessageQueue, 'sendIssue'> {
  return { sendIssue: async (sent, actor) => db.transaction(() => send(db, sent, actor)) }
}

function send(
  db: Connection,
  { issue, channelId, note, isOfComment = false }: SentIssue,
  actor: Actor,
): Result<null> {
  const [found] = choose(db, issue)
  const channel = channelName(db, issue.orgId, channelId)
  if (found === undefined) return refuse('not_found', 'There is no such issue.')
  if (channel === null) return refuse('not_found', 'There is no such channel.')
  const told = readToldAlert(db, found.id, new SuspectFinder(db))
  const where = placeOf(db, found.projectId)
  const because = note === '' ? `sent by ${actor.label}` : `${actor.label}: ${note}`
  const message: AlertMessage = {
    ...where,
    ...({ moment: 'sent', level: 'info' } as const),
    ...{ atMs: actor.atMs, rule: null },
    ...{ headline: sentHeadline(told), because, issue: told, metric: null, gathered: null },
    story: `issue-${found.id}`,
  }
  const to = { orgId: issue.orgId, projectId: found.projectId, projects: null, issueId: found.id }
  const target = { to: 'channel', channelId } as const
  const now = { firingId: null, occasion: null, heldUntilMs: null }
  insertMessages(db, [{ ...to, ...now, target, message }], actor.atMs)
  const detail = { channel, ...(note === '' ? {} : { note }) }
  if (!isOfComment) writeActivity(db, found.id, { kind: 'sent', atMs: actor.atMs, actor, detail })
  writeAudit(db, issue.orgId, actor, { action: 'issue.sent', target: found.shortId, detail: { to: channel } })
  return ok(null)
}

function channelName(db: Connection, org: OrgId, channel: number): string | null {
  const sql = 'SELECT name FROM channels WHERE id = ? AND org_id = ?'
  return db.get<{ name: string }>(sql, [channel, org])?.name ?? null
}

interface PlaceRow {
  readonly slug: string
  readonly name: string
  readonly orgSlug: string
  readonly orgName: string
}

function placeOf(db: Connection, project: ProjectId) {
  const sql = `SELECT p.slug, p.name, o.slug AS orgSlug, o.name AS orgName
    FROM projects p JOIN organisations o ON o.id = p.org_id WHERE p.id = ?`
  const row = db.get<PlaceRow>(sql, [project])
  if (row === undefined) throw new Error(`no project ${project}: an issue is of one that does not exist`)
  const { slug, name, orgSlug, orgName } = row
  return { organisation: { slug: orgSlug, name: orgName }, project: { slug, name } }
}
