/** Roles of members. The last owner stays. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Refusal, refuse } from '#base/result.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Connection } from '../connection.ts'
import { countOf, roleOf } from './account-rows.ts'
import { writeAudit } from './audit.ts'
import { emailOf } from './sessions-write.ts'

export function membersWrite(db: Connection): Pick<AccountsWrite, 'setRole' | 'removeMember'> {
  return {
    setRole: async (org, user, role, actor) =>
      db.transaction(() => {
        const before = roleOf(db, org, user)
        if (before === null) return noMember()
        if (role !== 'owner' && isLastOwner(db, org, user)) return lastOwner('demoted')
        if (before === role) return ok(null)
        db.run('UPDATE memberships SET role = ? WHERE org_id = ? AND user_id = ?', [role, org, user])
        writeAudit(db, org, actor, {
          action: 'member.role_changed',
          target: emailOf(db, user),
          detail: { before, after: role },
        })
        return ok(null)
      }),
    removeMember: async (org, user, actor) =>
      db.transaction(() => {
        const before = roleOf(db, org, user)
        if (before === null) return noMember()
        if (isLastOwner(db, org, user)) return lastOwner('removed')
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

/** Everything that let the user act in the organisation, or stands there in their name. */
function removeTraces(db: Connection, org: OrgId, user: UserId): void {
  db.run('DELETE FROM memberships WHERE org_id = ? AND user_id = ?', [org, user])
  db.run(
    'DELETE FROM team_members WHERE user_id = ? AND team_id IN (SELECT id FROM teams WHERE org_id = ?)',
    [user, org],
  )
  db.run('DELETE FROM tokens WHERE org_id = ? AND user_id = ?', [org, user])
  db.run('UPDATE users SET org_id_last = NULL WHERE id = ? AND org_id_last = ?', [user, org])
  // issues_by_assignee
  db.run(
    `UPDATE issues SET assignee_id = NULL
      WHERE assignee_id = ? AND project_id IN (SELECT id FROM projects WHERE org_id = ?)`,
    [user, org],
  )
}

function isLastOwner(db: Connection, org: OrgId, user: UserId): boolean {
  if (roleOf(db, org, user) !== 'owner') return false
  return (
    countOf(db, 'SELECT count(*) AS count FROM memberships WHERE org_id = ? AND role = ?', [org, 'owner']) ===
    1
  )
}

function lastOwner(what: string): Refusal {
  return refuse('conflict', `The last owner cannot be ${what}. Make somebody else an owner first.`)
}

function noMember(): Refusal {
  return refuse('not_found', 'They are no member of this organisation.')
}
