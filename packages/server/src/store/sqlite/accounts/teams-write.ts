/** Teams: who is in them, and which projects they open. */

import { type OrgId, type TeamId, teamId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf } from './account-rows.ts'
import { writeAudit } from './audit.ts'

type TeamChange = Parameters<AccountsWrite['setTeam']>[2]

export function teamsWrite(db: Connection): Pick<AccountsWrite, 'createTeam' | 'setTeam' | 'deleteTeam'> {
  return {
    createTeam: async (org, slug, name, actor) =>
      db.transaction(() => {
        if (db.get('SELECT 1 FROM teams WHERE org_id = ? AND slug = ?', [org, slug]) !== undefined) {
          return refuse('conflict', `A team "${slug}" exists already.`, {
            slug: ['Another team has this slug.'],
          })
        }
        if (
          countOf(db, 'SELECT count(*) AS count FROM teams WHERE org_id = ?', [org]) >= max('teamsPerOrgMax')
        ) {
          return refuse('conflict', `An organisation has at most ${max('teamsPerOrgMax')} teams.`)
        }
        const team = insertTeam(db, { org, slug, name, atMs: actor.atMs })
        writeAudit(db, org, actor, { action: 'team.created', target: name, detail: { slug } })
        return ok(team)
      }),
    setTeam: async (org, team, change, actor) =>
      db.transaction(() => setTeam(db, { org, team, change }, actor)),
    deleteTeam: async (org, team, actor) =>
      db.transaction(() => {
        const name = teamName(db, org, team)
        if (name === null) return noTeam()
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
  if (name === null) return noTeam()
  const { members, projects } = change
  const strangers = `SELECT count(*) AS count FROM json_each(?) j
    WHERE j.value NOT IN (SELECT user_id FROM memberships WHERE org_id = ?)`
  if (members !== undefined && countOf(db, strangers, [JSON.stringify(members), org]) > 0) {
    return refuse('invalid_input', 'A team takes members of its organisation alone.', {
      members: ['Each must be a member of the organisation.'],
    })
  }
  const foreign = `SELECT count(*) AS count FROM json_each(?) j
    WHERE j.value NOT IN (SELECT id FROM projects WHERE org_id = ?)`
  if (projects !== undefined && countOf(db, foreign, [JSON.stringify(projects), org]) > 0) {
    return refuse('invalid_input', 'A team opens projects of its organisation alone.', {
      projects: ['Each must be a project of the organisation.'],
    })
  }
  if (change.name !== undefined) db.run('UPDATE teams SET name = ? WHERE id = ?', [change.name, team])
  if (members !== undefined) {
    db.run('DELETE FROM team_members WHERE team_id = ?', [team])
    const sql = 'INSERT OR IGNORE INTO team_members (team_id, user_id) SELECT ?, value FROM json_each(?)'
    db.run(sql, [team, JSON.stringify(members)])
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
      ...(projects === undefined ? {} : { projects: projects.length }),
    },
  })
  return ok(null)
}

function teamName(db: Connection, org: OrgId, team: TeamId): string | null {
  const sql = 'SELECT name FROM teams WHERE id = ? AND org_id = ?'
  return db.get<{ name: string }>(sql, [team, org])?.name ?? null
}

function noTeam(): Refusal {
  return refuse('not_found', 'The team does not exist.')
}
