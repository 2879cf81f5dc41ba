/** Finds the people of an alert: each time only those who may read the project. */
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertTarget, OwnersOtherwise } from '#model/alert-rule.ts'
import { activeSince } from '#notices/rules/messages.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'
import { PROJECT_READERS, TAKES_EMAIL } from '../notices/notice-rows.ts'
import { notMuted } from '../rows/muted-issues.ts'

export interface Person {
  readonly id: UserId
  readonly email: string
  readonly name: string
  /** False: it is in their inbox alone. */
  readonly takesEmail: boolean
}

/** Place of what is told. Whoever muted the issue is told nothing of it. */
type Where = Pick<NewMessage, 'orgId' | 'projectId' | 'issueId'>

/** Owners and managers read every project. Parameter: `org`. */
const MANAGERS = `SELECT u.id, u.email, u.name, ${TAKES_EMAIL} AS takesEmail
  FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = :org AND m.role IN ('owner', 'manager')`

export function peopleOfTarget(
  db: Connection,
  message: Where & Pick<NewMessage, 'message'>,
  target: Exclude<AlertTarget, { readonly to: 'channel' }>,
): readonly Person[] {
  switch (target.to) {
    case 'members':
      return readers(db, message, { condition: '', params: {} })
    case 'owners':
      return ownersOf(db, message, target.otherwise)
    case 'user':
      return readers(db, message, { condition: 'AND u.id = :user', params: { user: target.userId } })
    case 'team':
      return readers(db, message, {
        condition: 'AND u.id IN (SELECT user_id FROM team_members WHERE team_id = :team)',
        params: { team: target.teamId },
      })
    case 'assignee':
      return readers(db, message, {
        condition: 'AND u.id = (SELECT assignee_id FROM issues WHERE id = :issue)',
        params: { issue: message.issueId },
      })
  }
}

/**
 * True for the assignee and the people whom ownership rules name, members of teams included. Parameter:
 * `issue`.
 */
const IS_OWNER = `AND u.id IN (
  SELECT assignee_id FROM issues WHERE id = :issue
  UNION SELECT tm.user_id FROM issues i JOIN team_members tm ON tm.team_id = i.assignee_team_id WHERE i.id = :issue
  UNION SELECT user_id FROM issue_owners WHERE issue_id = :issue
  UNION SELECT tm.user_id FROM issue_owners o JOIN team_members tm ON tm.team_id = o.team_id WHERE o.issue_id = :issue)`

function ownersOf(
  db: Connection,
  message: Where & Pick<NewMessage, 'message'>,
  otherwise: OwnersOtherwise,
): readonly Person[] {
  const owners = readers(db, message, { condition: IS_OWNER, params: { issue: message.issueId } })
  if (owners.length > 0 || otherwise === 'nobody') return owners
  if (otherwise === 'members') return readers(db, message, { condition: '', params: {} })
  // sessions_by_user
  const condition = 'AND EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.seen_ms >= :since)'
  return readers(db, message, { condition, params: { since: activeSince(message.message.atMs) } })
}

/** Returns who is emailed; `null` where they may no longer read it, or take no email. */
export function emailedPerson(db: Connection, where: Where, user: UserId): Person | null {
  const only = { condition: `AND u.id = :user AND ${TAKES_EMAIL}`, params: { user } }
  return readers(db, where, only)[0] ?? null
}

function readers(
  db: Connection,
  { orgId, projectId, issueId }: Where,
  only: { readonly condition: string; readonly params: Readonly<Record<string, number | null>> },
): readonly Person[] {
  const from = projectId === null ? MANAGERS : PROJECT_READERS
  const place: Record<string, number> = projectId === null ? { org: orgId } : { project: projectId }
  const params = { ...place, ...only.params, mutable: issueId, limit: max('membersPerOrgMax') }
  type Row = Omit<Person, 'takesEmail'> & { readonly takesEmail: number }
  const rows = db.all<Row>(
    `${from} AND ${notMuted(':mutable')} ${only.condition} ORDER BY u.id LIMIT :limit`,
    params,
  )
  return rows.map((row) => ({ ...row, takesEmail: row.takesEmail === 1 }))
}
