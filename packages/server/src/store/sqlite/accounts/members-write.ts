/** Roles of members. The last owner stays. */
import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, refuseLastOwner, refuseOtherRole, rolesNotInvited } from '#model/account-rules.ts'
import type { AccountsWrite, KnownMember, Role } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf, insertGuestProjects, projectsWithin, roleOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { emailOf } from './sessions-write.ts'

export function membersWrite(db: Connection): Pick<AccountsWrite, 'setRole' | 'setGuest' | 'removeMember'> {
  return {
    setGuest: async (org, of, projects, actor) =>
      db.transaction(() => setGuest(db, { org, of, projects }, actor)),
    setRole: async (org, of, role, actor) =>
      db.transaction(() => {
        const { user } = of
        const before = roleOf(db, org, user)
        if (before === null) return ACCOUNT_REFUSALS.noMember()
        const other = refuseOtherRole(before, of)
        if (other !== null) return other
        if (before === role) return ok(null)
        const last = refuseLastOwner('demoted', { role: before, owners: ownersOf(db, org) })
        if (last !== null) return last
        db.run('UPDATE memberships SET role = ? WHERE org_id = ? AND user_id = ?', [role, org, user])
        db.run('DELETE FROM guest_projects WHERE org_id = ? AND user_id = ?', [org, user])
        endInvitations(db, { org, user, role })
        writeAudit(db, org, actor, {
          action: 'member.role_changed',
          target: emailOf(db, user),
          detail: { before, after: role },
        })
        return ok(null)
      }),
    removeMember: async (org, of, actor) =>
      db.transaction(() => {
        const { user } = of
        const before = roleOf(db, org, user)
        if (before === null) return ACCOUNT_REFUSALS.noMember()
        const refusal =
          refuseOtherRole(before, of) ??
          refuseLastOwner('removed', { role: before, owners: ownersOf(db, org) })
        if (refusal !== null) return refusal
        removeTraces(db, org, user)
        writeAudit(db, org, actor, {
          action: 'member.removed',
          target: emailOf(db, user),
          detail: { before },
        })
        return ok(null)
      }),
  }
}

function setGuest(
  db: Connection,
  given: { readonly org: OrgId; readonly of: KnownMember; readonly projects: readonly ProjectId[] },
  actor: Actor,
): Result<null> {
  const { org, of } = given
  const { user } = of
  const before = roleOf(db, org, user)
  if (before === null) return ACCOUNT_REFUSALS.noMember()
  const refusal =
    refuseOtherRole(before, of) ?? refuseLastOwner('demoted', { role: before, owners: ownersOf(db, org) })
  if (refusal !== null) return refusal
  const projects = projectsWithin(db, org, given.projects)
  if (projects.length === 0 || projects.length !== new Set(given.projects).size)
    return ACCOUNT_REFUSALS.projectUnknown()
  db.run("UPDATE memberships SET role = 'guest' WHERE org_id = ? AND user_id = ?", [org, user])
  db.run('DELETE FROM guest_projects WHERE org_id = ? AND user_id = ?', [org, user])
  insertGuestProjects(db, { org, user }, projects)
  leaveTeams(db, org, user)
  endInvitations(db, { org, user, role: 'guest' })
  writeAudit(db, org, actor, {
    action: 'member.role_changed',
    target: emailOf(db, user),
    detail: { before, after: 'guest', projects: projects.length },
  })
  return ok(null)
}

function leaveTeams(db: Connection, org: OrgId, user: UserId): void {
  db.run(
    'DELETE FROM team_members WHERE user_id = ? AND team_id IN (SELECT id FROM teams WHERE org_id = ?)',
    [user, org],
  )
}

/** Everything that let the user act in the organisation, or stands there in their name. */
export function removeTraces(db: Connection, org: OrgId, user: UserId): void {
  db.run('DELETE FROM memberships WHERE org_id = ? AND user_id = ?', [org, user])
  leaveTeams(db, org, user)
  db.run('DELETE FROM tokens WHERE org_id = ? AND user_id = ?', [org, user])
  db.run('DELETE FROM slack_people WHERE org_id = ? AND user_id = ?', [org, user])
  endInvitations(db, { org, user, role: null })
  db.run('UPDATE users SET org_id_last = NULL WHERE id = ? AND org_id_last = ?', [user, org])
  // issues_by_assignee
  db.run(
    `UPDATE issues SET assignee_id = NULL
      WHERE assignee_id = ? AND project_id IN (SELECT id FROM projects WHERE org_id = ?)`,
    [user, org],
  )
}

/** Nobody comes in by a link that who sent it could not send any more. */
export function endInvitations(
  db: Connection,
  { org, user, role }: { readonly org: OrgId; readonly user: UserId; readonly role: Role | null },
): void {
  const sql = `DELETE FROM invitations WHERE org_id = ? AND invited_by = ?
    AND role IN (SELECT value FROM json_each(?))`
  db.run(sql, [org, user, JSON.stringify(rolesNotInvited(role))])
}

export function ownersOf(db: Connection, org: OrgId): number {
  const sql = 'SELECT count(*) AS count FROM memberships WHERE org_id = ? AND role = ?'
  return countOf(db, sql, [org, 'owner'])
}
