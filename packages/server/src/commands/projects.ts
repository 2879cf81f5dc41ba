/** Projects. Ingest knows of every change before the command answers. */

import { type ProjectId, projectId, type TeamId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { statedFields } from '#base/stated-fields.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import {
  changedNames,
  PROJECT_REFUSALS,
  refuseSlug,
  refuseTakenKey,
  refuseTooManyProjects,
  refuseUnseen,
} from '#model/project-rules.ts'
import { FORMER_SLUGS, PROJECTS, TEAM_PROJECTS } from '#model/tables/projects.ts'
import { TEST_LOGGER } from '#model/test-event.ts'
import type { Tx } from '#ports/control.ts'
import {
  mergeOptions,
  PROJECT_OPTIONS_DEFAULT,
  type Project,
  type ProjectSettings,
  type SeenSettings,
} from '#ports/projects.ts'
import { defaultTeam, teamsWithin } from './account-entry.ts'
import { type Asking, refusalOf, refuseUnconfirmed } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, preparedCommand } from './command.ts'
import { announce, type CommandParts, knownProject } from './parts.ts'
import { insertKey, KEY_BYTES, ownersOfKey } from './project-keys.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { freeSlug, slugForNew, slugFrom } from './slugs.ts'
import { testEnvelope } from './test-event.ts'

type NewProject = {
  readonly name: string
  readonly slug?: string
  /** Without a slug: one that is taken gets a number behind it. Otherwise it is refused, naming one that is free. */
  readonly numbered?: boolean
  readonly platform: string | null
  readonly teams: readonly TeamId[]
}

/** A project that begins, with its first key. */
export interface BeginningProject {
  readonly slug: string
  /** True if another number will do where somebody took the slug meanwhile. */
  readonly isNumbered?: boolean
  readonly name: string
  readonly platform: string | null
  readonly teams: readonly TeamId[]
  readonly keyPublic: string
  /** Errata's own. */
  readonly isSelf?: boolean
}

type ProjectChange = {
  readonly project: ProjectId
  readonly change: ProjectSettings
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

/** Creates one in the named teams, or in the default team when none is given. */
export const createProject = preparedCommand({
  permission: 'project.create',
  input: ({ numbered, ...project }: NewProject) => {
    const checked = readInput(SCHEMAS.project, project)
    return checked.ok ? ok({ ...checked.value, numbered }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'projects' | 'random'>,
    { scope },
    { numbered, name, slug, platform, teams },
  ): Promise<Result<BeginningProject>> => {
    const projects = await parts.projects.projects(scope)
    const taken = projects.flatMap((each) => [each.slug, ...each.formerSlugs])
    const chosen = slugForNew({ name, slug, numbered }, 'project', taken)
    if (!chosen.ok) return chosen
    const keyPublic = parts.random.hex(KEY_BYTES)
    const isNumbered = slug === undefined && numbered === true
    return ok({ slug: chosen.value, isNumbered, name, platform, teams, keyPublic })
  },
  change: async (tx, project: BeginningProject, by) => {
    const { orgId } = by.scope
    const { keyPublic, teams } = project
    const { slug, own } = await slugNow(tx, orgId, project)
    const refused =
      refuseSlug(slug, own, null) ??
      refuseTakenKey(await ownersOfKey(tx, keyPublic), null) ??
      refuseTooManyProjects(await tx.rows(PROJECTS).count({ orgId }))
    if (refused !== null) return refused
    const named = await teamsWithin(tx, orgId, teams)
    if (named.length !== new Set(teams).size) return ACCOUNT_REFUSALS.teamUnknown()
    const lastNumber = own.former?.lastNumber ?? 0
    const begun = await beginProject(tx, { ...project, slug, teams: named, lastNumber }, by)
    return ok({ project: begun, keyPublic })
  },
  after: announce,
})

export const updateProject = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: ({ change, ...rest }: ProjectChange) => {
    const checked = readInput(SCHEMAS.projectChange, change)
    if (!checked.ok) return checked
    return ok({ ...rest, change: statedFields(checked.value) })
  },
  prepare: knownProject<ProjectChange>,
  change: async (tx, { project: id, change, seen }: ProjectChange, { scope: { orgId }, actor }) => {
    const before = await tx.projects.one(orgId, id)
    if (before === null) return PROJECT_REFUSALS.noProject()
    const { slug = before.slug, name = before.name, platform = before.platform } = change
    const isMoved = slug !== before.slug
    const refused =
      refuseUnseen(before, seen) ?? (isMoved ? refuseSlug(slug, await slugOwners(tx, orgId, slug), id) : null)
    if (refused !== null) return refused
    const options = mergeOptions(before.options, change.options ?? {})
    await tx.rows(PROJECTS).update([{ id, slug, name, platform, options }])
    if (isMoved) {
      await tx.rows(FORMER_SLUGS).remove({ orgId, slug: [slug, before.slug] })
      await tx.rows(FORMER_SLUGS).insert([{ orgId, slug: before.slug, projectId: id }])
    }
    await writeAudit(tx, orgId, actor, {
      action: 'project.changed',
      target: name,
      detail: {
        changed: changedNames({ ...change, options }, before.options).join(' '),
        ...(isMoved ? { slugBefore: before.slug, slug } : {}),
        ...(name === before.name ? {} : { nameBefore: before.name }),
      },
    })
    const former = before.formerSlugs.filter((each) => each !== slug && each !== before.slug)
    const formerSlugs = isMoved ? [...former, before.slug] : before.formerSlugs
    return ok<Project>({ ...before, slug, name, platform, options, formerSlugs })
  },
  after: announce,
})

export const deleteProject = preparedCommand({
  permission: 'project.delete',
  about: (project) => ({ project }),
  input: (project: ProjectId) => ok({ project }),
  prepare: async (
    parts: Pick<CommandParts, 'projects' | 'deletion' | 'clock'>,
    asking,
    { project }: { readonly project: ProjectId },
  ) => {
    const found = await parts.projects.project(asking.scope, String(project))
    if (found === null) return refuse('not_found', 'There is no such project.')
    if (found.isSelf)
      return refuse('conflict', 'Errata records its own failures in this project; it cannot be deleted.')
    const unconfirmed = refuseUnconfirmed(parts, asking)
    if (unconfirmed !== null) return unconfirmed
    if (parts.deletion !== undefined) return ok({ project })
    return refuse('conflict', 'Events can only be deleted while the server is running.')
  },
  change: (tx, { project: id }: { readonly project: ProjectId }, by) =>
    changeFound(tx, by, {
      find: tx.projects.one(by.scope.orgId, id),
      missing: PROJECT_REFUSALS.noProject,
      change: async (project) => {
        await tx.projects.remove(project, by.actor.atMs)
        return { action: 'project.deleted', target: project.name, detail: { slug: project.slug, id } }
      },
    }),
  hides: (deleted) => deleted,
  after: async (parts, { asking, checked: { project } }) => {
    parts.deletion?.onDeleted()
    await parts.onDirectoryChanged()
    // Housekeeping removes what is left where this is cut short.
    await parts.artifacts?.remove(asking.scope.orgId, { project })
  },
})

/** Writes a project whose slug and key are free, with its first key. */
export async function beginProject(
  tx: Tx,
  project: BeginningProject & { readonly lastNumber: number },
  { scope: { orgId }, actor }: { readonly scope: Pick<By['scope'], 'orgId'>; readonly actor: By['actor'] },
): Promise<Project> {
  const { slug, name, platform, isSelf = false, keyPublic, lastNumber } = project
  const options = PROJECT_OPTIONS_DEFAULT
  const createdMs = actor.atMs
  const said = { orgId, slug, name, platform, options, isSelf, createdMs }
  // Ids that a deleted project gave to its issues are not given again.
  const [made = 0] = await tx.rows(PROJECTS).insert([{ ...said, issueCounter: lastNumber }])
  const id = projectId(made)
  const teams = project.teams.length > 0 ? project.teams : await defaultTeam(tx, orgId)
  await tx.rows(TEAM_PROJECTS).insert(teams.map((teamId) => ({ teamId, projectId: id })))
  const key = { projectId: id, public: keyPublic, name: 'Default', rateLimit: null, createdMs }
  await insertKey(tx, key)
  await writeAudit(tx, orgId, actor, { action: 'project.created', target: name, detail: { slug } })
  return { ...said, id, teams, formerSlugs: [], firstEventMs: null }
}

/** Returns the slug of a project that begins, and whose it is: a number further if several of one name are made at once. */
async function slugNow(
  tx: Tx,
  orgId: By['scope']['orgId'],
  { slug: chosen, name, isNumbered = false }: BeginningProject,
) {
  const own = await slugOwners(tx, orgId, chosen)
  if (!isNumbered || refuseSlug(chosen, own, null) === null) return { slug: chosen, own }
  const current = await tx.rows(PROJECTS).find({ orgId }, max('projectsPerOrgMax'))
  const former = await tx.rows(FORMER_SLUGS).find({ orgId }, max('projectsPerOrgMax'))
  const taken = new Set([...current, ...former].map((each) => each.slug))
  const slug = freeSlug(slugFrom(name, 'project'), (each) => taken.has(each))
  return { slug, own: await slugOwners(tx, orgId, slug) }
}

/** Reads whose slug it is, and whose it was. */
async function slugOwners(tx: Tx, orgId: By['scope']['orgId'], slug: string) {
  const project = await tx.rows(PROJECTS).one({ orgId, slug })
  return { project, former: await tx.rows(FORMER_SLUGS).one({ orgId, slug }) }
}

interface ProjectCommands {
  /** Sends one marked test event through the project's own ingest path. */
  sendTestEvent(asking: Asking, project: ProjectId): Promise<Result<{ readonly eventId: string }>>
}

type TestParts = Pick<CommandParts, 'projects' | 'accept' | 'clock' | 'random'>

export function projectCommands(parts: TestParts): ProjectCommands {
  return { sendTestEvent: (asking, project) => sendTestEvent(parts, asking, project) }
}

async function sendTestEvent(
  parts: TestParts,
  asking: Asking,
  project: ProjectId,
): Promise<Result<{ readonly eventId: string }>> {
  const found =
    refusalOf(asking, 'project.write', { project }) ?? (await knownProject(parts, asking, { project }))
  if (!found.ok) return found
  const key = (await parts.projects.keys(asking.scope, project)).find(({ isActive }) => isActive)
  if (key === undefined)
    return refuse('conflict', 'The project has no active key. Enable one or make a new one.')
  const eventId = parts.random.hex(16)
  const answer = await parts.accept.accept({
    projectRef: String(project),
    format: 'envelope',
    query: new URLSearchParams({ sentry_key: key.public, sentry_client: TEST_LOGGER }),
    sentryAuth: null,
    authorization: null,
    contentEncoding: null,
    contentType: null,
    origin: null,
    referer: null,
    userAgent: asking.userAgent,
    clientAddress: asking.address,
    body: testEnvelope({ eventId, nowMs: parts.clock.now(), random: parts.random }),
    relay: null,
  })
  if (answer.status === 200) return ok({ eventId })
  const detail = answer.error?.detail ?? `status ${answer.status}`
  return refuse(answer.error?.code ?? 'overloaded', `The test event was refused: ${detail}.`)
}
