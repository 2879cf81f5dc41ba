/** Teams: who is in them, and which projects they open. */

import { type OrgId, type TeamId, teamId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, refuseStrangers, refuseTeams } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'

type TeamChange = Parameters<AccountsWrite['setTeam']>[2]

export function teamsWrite(db: Connection): Pick<AccountsWrite, 'createTeam' | 'setTeam' | 'deleteTeam'> {
  return {
    createTeam: async (org, slug, name, actor) =>
      db.transaction(() => {
        if (db.get('SELECT 1 FROM teams WHERE org_id = ? AND slug = ?', [org, slug]) !== undefined) {
          return ACCOUNT_REFUSALS.teamSlug(slug)
        }
        const tooMany = refuseTeams(
          countOf(db, 'SELECT count(*) AS count FROM teams WHERE org_id = ?', [org]),
        )
        if (tooMany !== null) return tooMany
        const team = insertTeam(db, { org, slug, name, atMs: actor.atMs })
        writeAudit(db, org, actor, { action: 'team.created', target: name, detail: { slug } })
        return ok(team)
      }),
    setTeam: async (org, team, change, actor) =>
      db.transaction(() => setTeam(db, { org, team, change }, actor)),
    deleteTeam: async (org, team, actor) =>
      db.transaction(() => {
        const name = teamName(db, org, team)
        if (name === null) return ACCOUNT_REFUSALS.noTeam()
        db.run('DELETE FROM teams WHERE id = ?', [team])
        writeAudit(db, org, actor, { action: 'team.deleted', target: name })
        return ok(null)
      }),
  }
}

export function insertTeam(
  db: Connection,
  team: { readonly org: OrgId; readonly slug: string; readonly name: string; readonly atMs: number },
): TeamId {
  const sql = 'INSERT INTO teams (org_id, slug, name, created_ms) VALUES (?, ?, ?, ?)'
  return teamId(db.run(sql, [team.org, team.slug, team.name, team.atMs]).lastId)
}

function setTeam(
  db: Connection,
  { org, team, change }: { readonly org: OrgId; readonly team: TeamId; readonly change: TeamChange },
  actor: Actor,
): Result<null> {
  const name = teamName(db, org, team)
  if (name === null) return ACCOUNT_REFUSALS.noTeam()
  const stale = refuseUnseen(shownTeam(db, team, name), change.seen)
  if (stale !== null) return stale
  const { members, admins, projects } = change
  const strangers = `SELECT count(*) AS count FROM json_each(?) j
    WHERE j.value NOT IN (SELECT user_id FROM memberships WHERE org_id = ? AND role <> 'guest')`
  const foreign = `SELECT count(*) AS count FROM json_each(?) j
    WHERE j.value NOT IN (SELECT id FROM projects WHERE org_id = ?)`
  const refused = refuseStrangers({
    members: members !== undefined && countOf(db, strangers, [JSON.stringify(members), org]) > 0,
    projects: projects !== undefined && countOf(db, foreign, [JSON.stringify(projects), org]) > 0,
  })
  if (refused !== null) return refused
  if (change.name !== undefined) db.run('UPDATE teams SET name = ? WHERE id = ?', [change.name, team])
  if (members !== undefined) {
    const gone =
      'DELETE FROM team_members WHERE team_id = ? AND user_id NOT IN (SELECT value FROM json_each(?))'
    db.run(gone, [team, JSON.stringify(members)])
    const sql = 'INSERT OR IGNORE INTO team_members (team_id, user_id) SELECT ?, value FROM json_each(?)'
    db.run(sql, [team, JSON.stringify(members)])
  }
  if (admins !== undefined) {
    const sql = `UPDATE team_members SET role = iif(user_id IN (SELECT value FROM json_each(?)), 'admin', 'contributor')
      WHERE team_id = ?`
    db.run(sql, [JSON.stringify(admins), team])
  }
  if (projects !== undefined) {
    db.run('DELETE FROM team_projects WHERE team_id = ?', [team])
    const sql = 'INSERT OR IGNORE INTO team_projects (team_id, project_id) SELECT ?, value FROM json_each(?)'
    db.run(sql, [team, JSON.stringify(projects)])
  }
  writeAudit(db, org, actor, {
    action: 'team.changed',
    target: change.name ?? name,
    detail: {
      ...(change.name === undefined ? {} : { nameBefore: name }),
      ...(members === undefined ? {} : { members: members.length }),
      ...(admins === undefined ? {} : { admins: shownTeam(db, team, name).admins.length }),
      ...(projects === undefined ? {} : { projects: projects.length }),
    },
  })
  return ok(null)
}

/** Returns what forms show of a team. */
function shownTeam(db: Connection, team: TeamId, name: string) {
  const members = 'SELECT user_id AS id FROM team_members WHERE team_id = ? ORDER BY user_id'
  const admins = `SELECT user_id AS id FROM team_members WHERE team_id = ? AND role = 'admin' ORDER BY user_id`
  const projects = 'SELECT project_id AS id FROM team_projects WHERE team_id = ? ORDER BY project_id'
  const ids = (sql: string) => db.all<{ id: number }>(sql, [team]).map(({ id }) => id)
  return { name, members: ids(members), admins: ids(admins), projects: ids(projects) }
}

function teamName(db: Connection, org: OrgId, team: TeamId): string | null {
  const sql = 'SELECT name FROM teams WHERE id = ? AND org_id = ?'
  return db.get<{ name: string }>(sql, [team, org])?.name ?? null
}
