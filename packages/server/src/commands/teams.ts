/** Teams: who is in them, and which projects they open. */

import { type ProjectId, type TeamId, teamId, type UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { statedFields } from '#base/stated-fields.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, refuseStrangers, refuseTeams } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { MEMBERSHIPS, TEAM_MEMBERS, TEAMS } from '#model/tables/organisations.ts'
import { TEAM_PROJECTS } from '#model/tables/projects.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { projectsWithin } from './account-entry.ts'
import { refusalOf } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, command, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { slugForNew } from './slugs.ts'

type NewTeam = {
  readonly name: string
  /** Left out: one is made of the name. */
  readonly slug?: string | undefined
  /** Without a slug: one that is taken gets a number behind it. Otherwise it is refused, naming one that is free. */
  readonly numbered?: boolean
}
type Named = { readonly name: string; readonly slug: string }
type TeamChange = {
  readonly team: TeamId
  readonly change: {
    readonly name?: string
    readonly members?: readonly UserId[]
    /** Members who are team admins; if left out, the admins stay. */
    readonly admins?: readonly UserId[]
    readonly projects?: readonly ProjectId[]
  }
  /** Name, members, admins and projects that the form showed, ids ascending: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

export const createTeam = preparedCommand({
  permission: 'team.write',
  input: ({ numbered, ...team }: NewTeam) => {
    const checked = readInput(SCHEMAS.team, team)
    return checked.ok ? ok({ ...checked.value, numbered }) : checked
  },
  prepare: async (parts: Pick<CommandParts, 'accounts'>, { scope }, { name, slug: asked, numbered }) => {
    const taken = (await parts.accounts.teams(scope)).map((each) => each.slug)
    const slug = slugForNew({ name, slug: asked, numbered }, 'team', taken)
    return slug.ok ? ok({ name, slug: slug.value }) : slug
  },
  change: async (tx, team: Named, by) => {
    const made = await createdTeam(tx, team, by)
    return made.ok ? ok({ id: made.value, slug: team.slug }) : made
  },
})

export const setTeam = preparedCommand({
  permission: 'team.write',
  about: ({ team }) => ({ team }),
  input: ({ change, ...rest }: TeamChange) => {
    const checked = readInput(SCHEMAS.teamChange, change)
    if (!checked.ok) return checked
    return ok({ ...rest, change: statedFields(checked.value) })
  },
  // A team admin gives nobody, nor themselves, what the team has not been given.
  prepare: async (_parts, asking, asked: TeamChange) =>
    (asked.change.projects === undefined ? null : refusalOf(asking, 'team.write')) ?? ok(asked),
  change: (tx, asked: TeamChange, by) => changedTeam(tx, asked, by),
})

export const deleteTeam = command({
  permission: 'team.write',
  input: (team: TeamId) => ok({ team }),
  change: (tx, { team }: { readonly team: TeamId }, by) => removedTeam(tx, team, by),
})

export async function createdTeam(
  tx: Tx,
  { name, slug }: Named,
  { scope: { orgId }, actor }: By,
): Promise<Result<TeamId>> {
  const rows = tx.rows(TEAMS)
  if ((await rows.one({ orgId, slug })) !== null) return ACCOUNT_REFUSALS.teamSlug(slug)
  const tooMany = refuseTeams(await rows.count({ orgId }))
  if (tooMany !== null) return tooMany
  const [id = 0] = await rows.insert([{ orgId, slug, name, createdMs: actor.atMs }])
  await writeAudit(tx, orgId, actor, { action: 'team.created', target: name, detail: { slug } })
  return ok(teamId(id))
}

export function removedTeam(tx: Tx, id: TeamId, by: By): Promise<Result<null>> {
  return changeFound(tx, by, {
    find: tx.rows(TEAMS).one({ id, orgId: by.scope.orgId }),
    missing: ACCOUNT_REFUSALS.noTeam,
    change: async ({ name: target }) => {
      await tx.rows(TEAMS).remove({ id })
      return { action: 'team.deleted', target }
    },
  })
}

export async function changedTeam(
  tx: Tx,
  { team: id, change, seen }: TeamChange,
  by: By,
): Promise<Result<null>> {
  const { orgId } = by.scope
  const team = await tx.rows(TEAMS).one({ id, orgId })
  if (team === null) return ACCOUNT_REFUSALS.noTeam()
  const before = await membersAndProjects(tx, id)
  const { name, members, admins, projects } = change
  const refused =
    refuseUnseen({ name: team.name, ...before }, seen) ??
    refuseStrangers({
      members: members !== undefined && (await hasStrangers(tx, by, members)),
      projects:
        projects !== undefined && (await projectsWithin(tx, orgId, projects)).length < new Set(projects).size,
    })
  if (refused !== null) return refused
  if (name !== undefined) await tx.rows(TEAMS).update([{ id, name }])
  const after = { ...before, ...change }
  const chosen = new Set(after.admins)
  const adminsAfter = after.members.filter((member) => chosen.has(member))
  await writeMembers(tx, id, { before, members: after.members, admins: adminsAfter })
  if (projects !== undefined) await writeProjects(tx, id, before.projects, projects)
  await writeAudit(tx, orgId, by.actor, {
    action: 'team.changed',
    target: name ?? team.name,
    detail: {
      ...(name === undefined ? {} : { nameBefore: team.name }),
      ...(members === undefined ? {} : { members: members.length }),
      ...(admins === undefined ? {} : { admins: new Set(adminsAfter).size }),
      ...(projects === undefined ? {} : { projects: projects.length }),
    },
  })
  return ok(null)
}

interface MembersAndProjects {
  readonly members: readonly UserId[]
  readonly admins: readonly UserId[]
  readonly projects: readonly ProjectId[]
}

async function membersAndProjects(tx: Tx, teamId: TeamId): Promise<MembersAndProjects> {
  const members = await tx.rows(TEAM_MEMBERS).find({ teamId }, max('membersPerOrgMax'))
  const opened = await tx.rows(TEAM_PROJECTS).find({ teamId }, max('projectsPerOrgMax'))
  return {
    members: members.map(({ userId }) => userId),
    admins: members.filter(({ role }) => role === 'admin').map(({ userId }) => userId),
    projects: opened.map(({ projectId }) => projectId),
  }
}

/** True if somebody is no member of the organisation, or its guest. */
async function hasStrangers(tx: Tx, { scope: { orgId } }: By, users: readonly UserId[]): Promise<boolean> {
  const found = await tx.rows(MEMBERSHIPS).find({ orgId, userId: users }, max('membersPerOrgMax'))
  const known = new Set(found.filter(({ role }) => role !== 'guest').map(({ userId }) => userId))
  return users.some((user) => !known.has(user))
}

/** Writes who came, who went, and whose role is another one now. */
async function writeMembers(
  tx: Tx,
  teamId: TeamId,
  {
    before,
    members,
    admins,
  }: {
    readonly before: MembersAndProjects
    readonly members: readonly UserId[]
    readonly admins: readonly UserId[]
  },
): Promise<void> {
  const rows = tx.rows(TEAM_MEMBERS)
  const staying = new Set(members)
  const gone = before.members.filter((member) => !staying.has(member))
  if (gone.length > 0) await rows.remove({ teamId, userId: gone })
  const [was, is] = [new Set(before.admins), new Set(admins)]
  const known = new Set(before.members)
  const written = [...staying]
    .filter((member) => !known.has(member) || was.has(member) !== is.has(member))
    .map((userId) => ({ teamId, userId, role: teamRole(is, userId) }))
  await rows.merge(written)
}

async function writeProjects(
  tx: Tx,
  teamId: TeamId,
  before: readonly ProjectId[],
  projects: readonly ProjectId[],
): Promise<void> {
  const rows = tx.rows(TEAM_PROJECTS)
  const [was, is] = [new Set(before), new Set(projects)]
  const gone = before.filter((project) => !is.has(project))
  if (gone.length > 0) await rows.remove({ teamId, projectId: gone })
  const come = [...is].filter((project) => !was.has(project))
  await rows.insert(come.map((projectId) => ({ teamId, projectId })))
}

function teamRole(admins: ReadonlySet<UserId>, user: UserId): 'admin' | 'contributor' {
  return admins.has(user) ? 'admin' : 'contributor'
}
