/** Teams: who is in them, and which projects they open. */
import { type OrgId, type TeamId, teamId } from '#base/ids.ts'
import { ok, type Refusal, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, refuseStrangers, refuseTeams } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from '../rows/audit.ts'
import { roleOf } from '../rows/members.ts'
import type { Tables } from '../tables.ts'

interface NewTeam {
  readonly orgId: OrgId
  readonly slug: string
  readonly name: string
  readonly createdMs: number
}

export function insertTeam(to: Tables, team: NewTeam): TeamId {
  const id = teamId(to.teams.nextId())
  to.teams.put(id, { ...team, id, members: [], admins: [], projects: [] })
  return id
}

export function teamsWrite(to: Tables): Pick<AccountsWrite, 'createTeam' | 'setTeam' | 'deleteTeam'> {
  return {
    createTeam: async (org, slug, name, actor) =>
      to.transaction(() => {
        const teams = to.teams.where(({ orgId }) => orgId === org)
        if (teams.some((team) => team.slug === slug)) return ACCOUNT_REFUSALS.teamSlug(slug)
        const tooMany = refuseTeams(teams.length)
        if (tooMany !== null) return tooMany
        const id = insertTeam(to, { orgId: org, slug, name, createdMs: actor.atMs })
        writeAudit(to, org, actor, { action: 'team.created', target: name, detail: { slug } })
        return ok(id)
      }),
    setTeam: async (org, team, change, actor) =>
      to.transaction(() => setTeam(to, { org, team, change }, actor)),
    deleteTeam: async (org, team, actor) =>
      to.transaction(() => {
        const found = to.teams.get(team)
        if (found?.orgId !== org) return ACCOUNT_REFUSALS.noTeam()
        to.teams.delete(team)
        for (const { id } of to.issues.where(({ assigneeTeamId }) => assigneeTeamId === team))
          to.issues.change(id, { assigneeTeamId: null })
        writeAudit(to, org, actor, { action: 'team.deleted', target: found.name })
        return ok(null)
      }),
  }
}

interface TeamChange {
  readonly org: OrgId
  readonly team: TeamId
  readonly change: Parameters<AccountsWrite['setTeam']>[2]
}

function setTeam(to: Tables, { org, team, change }: TeamChange, actor: Actor): Result<null> {
  const before = to.teams.get(team)
  if (before?.orgId !== org) return ACCOUNT_REFUSALS.noTeam()
  const stale = refuseUnseen(before, change.seen)
  if (stale !== null) return stale
  const { name = before.name, projects } = change
  const members = change.members === undefined ? before.members : ascending(change.members)
  const admins = ascending(change.admins ?? before.admins).filter((user) => members.includes(user))
  const refused: Refusal | null = refuseStrangers({
    members: (change.members ?? []).some((user) => [null, 'guest'].includes(roleOf(to, org, user))),
    projects: (projects ?? []).some((id) => to.projects.get(id)?.orgId !== org),
  })
  if (refused !== null) return refused
  to.teams.change(team, {
    name,
    members,
    admins,
    projects: projects === undefined ? before.projects : ascending(projects),
  })
  const detail = {
    ...(change.name === undefined ? {} : { nameBefore: before.name }),
    ...(change.members === undefined ? {} : { members: change.members.length }),
    ...(change.admins === undefined ? {} : { admins: admins.length }),
    ...(projects === undefined ? {} : { projects: projects.length }),
  }
  writeAudit(to, org, actor, { action: 'team.changed', target: name, detail })
  return ok(null)
}

function ascending<Id extends number>(ids: readonly Id[]): readonly Id[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
