/** Projects and their keys. Ingest knows of every change before the command answers. */
import type { Permission } from '#access/permissions.ts'
import type { KeyId, ProjectId, TeamId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { TEST_LOGGER } from '#model/test-event.ts'
import type {
  KeyPlace,
  Project,
  ProjectKey,
  ProjectSettings,
  RateLimit,
  SeenSettings,
} from '#ports/projects.ts'
import { type Asking, actorOf, refusalOf, refuseUnconfirmed } from './asking.ts'
import { announced, type CommandParts, deleting } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { slugForNew } from './slugs.ts'
import { testEnvelope } from './test-event.ts'

export interface ProjectCommands {
  createProject(
    asking: Asking,
    project: NewProject,
  ): Promise<Result<{ readonly project: Project; readonly dsn: string }>>
  updateProject(asking: Asking, change: ProjectChange): Promise<Result<Project>>
  deleteProject(asking: Asking, project: ProjectId): Promise<Result<null>>
  createKey(asking: Asking, key: NewKey): Promise<Result<ProjectKey>>
  updateKey(asking: Asking, change: KeyChange): Promise<Result<ProjectKey>>
  /** Makes a new key of the same name and limit and disables the old one. */
  rotateKey(asking: Asking, ref: KeyRef): Promise<Result<ProjectKey>>
  deleteKey(asking: Asking, ref: KeyRef): Promise<Result<null>>
  /** Sends one marked test event through the project's own ingest path. */
  sendTestEvent(asking: Asking, project: ProjectId): Promise<Result<{ readonly eventId: string }>>
}

interface NewProject {
  readonly name: string
  readonly slug?: string
  /** Without a slug: one that is taken gets a number behind it. Otherwise it is refused, naming one that is free. */
  readonly numbered?: boolean
  readonly platform: string | null
  readonly teams: readonly TeamId[]
}

interface ProjectChange {
  readonly project: ProjectId
  readonly change: ProjectSettings
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

interface NewKey {
  readonly project: ProjectId
  readonly name: string
  /** Public key that clients already send; made if left out. */
  readonly public?: string
  readonly rateLimit: RateLimit | null
}

interface KeyRef {
  readonly project: ProjectId
  readonly key: KeyId
}

interface KeyChange extends KeyRef {
  readonly change: {
    readonly name?: string
    readonly isActive?: boolean
    readonly rateLimit?: RateLimit | null
  }
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

type ProjectParts = Pick<
  CommandParts,
  | 'projects'
  | 'projectsWrite'
  | 'deletion'
  | 'artifacts'
  | 'accept'
  | 'clock'
  | 'random'
  | 'publicAddress'
  | 'onDirectoryChanged'
>

const KEY_BYTES = 16

export function projectCommands(parts: ProjectParts): ProjectCommands {
  return {
    createProject: (asking, project) => createProject(parts, asking, project),
    updateProject: (asking, change) => updateProject(parts, asking, change),
    deleteProject: (asking, project) => deleteProject(parts, asking, project),
    createKey: (asking, key) => createKey(parts, asking, key),
    updateKey: (asking, change) => updateKey(parts, asking, change),
    rotateKey: (asking, ref) => rotateKey(parts, asking, ref),
    deleteKey: (asking, ref) => deleteKey(parts, asking, ref),
    sendTestEvent: (asking, project) => sendTestEvent(parts, asking, project),
  }
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function findProject(
  parts: ProjectParts,
  asking: Asking,
  wanted: { readonly id: ProjectId; readonly permission: Permission },
): Promise<Result<Project>> {
  const refusal = refusalOf(asking, wanted.permission, { project: wanted.id })
  if (refusal !== null) return refusal
  const project = await parts.projects.project(asking.scope, String(wanted.id))
  return project === null ? noProject() : ok(project)
}

function noProject(): Refusal {
  return refuse('not_found', 'There is no such project.')
}

async function createProject(
  parts: ProjectParts,
  asking: Asking,
  { numbered, ...input }: NewProject,
): ReturnType<ProjectCommands['createProject']> {
  const refusal = refusalOf(asking, 'project.create')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.project, input)
  if (!checked.ok) return checked
  const { name, slug, platform, teams } = checked.value
  const { scope } = asking
  const taken = await parts.projects.projectSlugs(scope)
  const chosen = slugForNew({ name, slug, numbered }, 'project', taken)
  if (!chosen.ok) return chosen
  const keyPublic = parts.random.hex(KEY_BYTES)
  const made = await announced(
    parts,
    parts.projectsWrite.createProject(
      { orgId: scope.orgId, slug: chosen.value, name, platform, teams, keyPublic },
      actorOf(parts, asking),
    ),
  )
  if (!made.ok) return made
  const dsn = parts.publicAddress.dsn({ public: keyPublic, projectId: made.value.id })
  return ok({ project: made.value, dsn })
}

async function updateProject(
  parts: ProjectParts,
  asking: Asking,
  { project: id, change, seen }: ProjectChange,
): Promise<Result<Project>> {
  const found = await findProject(parts, asking, { id, permission: 'project.write' })
  if (!found.ok) return found
  const checked = read(SCHEMAS.projectChange, change)
  if (!checked.ok) return checked
  const { name, slug, platform, options } = checked.value
  const given = {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(platform === undefined ? {} : { platform }),
    ...(options === undefined ? {} : { options }),
    seen,
  }
  const actor = actorOf(parts, asking)
  return announced(parts, parts.projectsWrite.updateProject(asking.scope.orgId, id, given, actor))
}

async function deleteProject(parts: ProjectParts, asking: Asking, id: ProjectId): Promise<Result<null>> {
  const found = await findProject(parts, asking, { id, permission: 'project.delete' })
  if (!found.ok) return found
  if (found.value.isSelf) {
    return refuse('conflict', 'Errata records its own failures in this project; it cannot be deleted.')
  }
  const unconfirmed = refuseUnconfirmed(parts, asking)
  if (unconfirmed !== null) return unconfirmed
  const actor = actorOf(parts, asking)
  const deleted = await announced(
    parts,
    deleting(parts, (write) => write.deleteProject(asking.scope.orgId, id, actor)),
  )
  // Housekeeping removes what is left where this is cut short.
  if (deleted.ok) await parts.artifacts?.remove(asking.scope.orgId, { project: id }).catch(() => {})
  return deleted
}

async function createKey(
  parts: ProjectParts,
  asking: Asking,
  { project, ...given }: NewKey,
): Promise<Result<ProjectKey>> {
  const found = await findProject(parts, asking, { id: project, permission: 'project.write' })
  if (!found.ok) return found
  const checked = read(SCHEMAS.key, given)
  if (!checked.ok) return checked
  const { public: taken = parts.random.hex(KEY_BYTES), name, rateLimit } = checked.value
  const key = { public: taken, name, rateLimit }
  const actor = actorOf(parts, asking)
  return announced(parts, parts.projectsWrite.createKey(asking.scope.orgId, project, key, actor))
}

async function updateKey(
  parts: ProjectParts,
  asking: Asking,
  { project, key, change, seen }: KeyChange,
): Promise<Result<ProjectKey>> {
  const found = await findProject(parts, asking, { id: project, permission: 'project.write' })
  if (!found.ok) return found
  const checked = read(SCHEMAS.keyChange, change)
  if (!checked.ok) return checked
  const { name, isActive, rateLimit } = checked.value
  const given = {
    ...(name === undefined ? {} : { name }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    seen,
  }
  const actor = actorOf(parts, asking)
  return announced(parts, parts.projectsWrite.updateKey(placeOf(asking, { project, key }), given, actor))
}

/** The new key exists before the old one ends, so that at no moment nothing is accepted. */
async function rotateKey(parts: ProjectParts, asking: Asking, ref: KeyRef): Promise<Result<ProjectKey>> {
  const found = await findProject(parts, asking, { id: ref.project, permission: 'project.write' })
  if (!found.ok) return found
  const { scope } = asking
  const old = (await parts.projects.keys(scope, ref.project)).find(({ id }) => id === ref.key)
  if (old === undefined) return refuse('not_found', 'There is no such key.')
  const actor = actorOf(parts, asking)
  const key = { public: parts.random.hex(KEY_BYTES), name: old.name, rateLimit: old.rateLimit }
  const made = await parts.projectsWrite.createKey(scope.orgId, ref.project, key, actor)
  if (!made.ok) return made
  const ended = await announced(
    parts,
    parts.projectsWrite.updateKey(placeOf(asking, ref), { isActive: false }, actor),
  )
  return ended.ok ? made : ended
}

async function deleteKey(parts: ProjectParts, asking: Asking, ref: KeyRef): Promise<Result<null>> {
  const found = await findProject(parts, asking, { id: ref.project, permission: 'project.write' })
  if (!found.ok) return found
  const actor = actorOf(parts, asking)
  return announced(parts, parts.projectsWrite.deleteKey(placeOf(asking, ref), actor))
}

function placeOf({ scope }: Asking, { project, key }: KeyRef): KeyPlace {
  return { org: scope.orgId, project, id: key }
}

async function sendTestEvent(
  parts: ProjectParts,
  asking: Asking,
  project: ProjectId,
): Promise<Result<{ readonly eventId: string }>> {
  const found = await findProject(parts, asking, { id: project, permission: 'project.write' })
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
