/** Projects and their keys. Ingest knows of every change before the command answers. */
import { writeEnvelope } from '@errata/protocol'
import type { Permission } from '#access/permissions.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import { dsnOf } from '#queries/dsn.ts'
import type { Asking } from './organisation.ts'
import { actorOf, announced, type CommandParts, refusalOf } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import type { Commands } from './types.ts'

type ProjectCommands = Pick<
  Commands,
  | 'createProject'
  | 'updateProject'
  | 'deleteProject'
  | 'createKey'
  | 'updateKey'
  | 'rotateKey'
  | 'deleteKey'
  | 'sendTestEvent'
>

const KEY_BYTES = 16

export function projectCommands(parts: CommandParts): ProjectCommands {
  return {
    createProject: (viewer, scope, input, facts) => createProject(parts, { viewer, scope, facts }, input),
    updateProject: (...[viewer, scope, id, change, facts]) =>
      updateProject(parts, { viewer, scope, facts }, { id, change }),
    deleteProject: (viewer, scope, id, facts) => deleteProject(parts, { viewer, scope, facts }, id),
    createKey: (...[viewer, scope, project, input, facts]) =>
      createKey(parts, { viewer, scope, facts }, { project, input }),
    updateKey: (...[viewer, scope, project, id, change, facts]) =>
      updateKey(parts, { viewer, scope, facts }, { project, id, change }),
    rotateKey: (...[viewer, scope, project, id, facts]) =>
      rotateKey(parts, { viewer, scope, facts }, { project, id }),
    deleteKey: async (...[viewer, scope, project, id, facts]) => {
      const found = await findProject(
        parts,
        { viewer, scope, facts },
        { id: project, permission: 'project.write' },
      )
      if (!found.ok) return found
      const actor = actorOf(parts, viewer, facts)
      return announced(parts, parts.projectsWrite.deleteKey(scope.orgId, project, id, actor))
    },
    sendTestEvent: (viewer, scope, project, facts) => sendTestEvent(parts, { viewer, scope, facts }, project),
  }
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function findProject(
  parts: CommandParts,
  { viewer, scope }: Asking,
  wanted: { readonly id: ProjectId; readonly permission: Permission },
): Promise<Result<Project>> {
  const refusal = refusalOf(viewer, scope, wanted.permission)
  if (refusal !== null) return refusal
  const project = await parts.projects.project(scope, String(wanted.id))
  return project === null ? noProject() : ok(project)
}

function noProject(): Refusal {
  return refuse('not_found', 'There is no such project.')
}

async function createProject(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  input: Parameters<Commands['createProject']>[2],
): ReturnType<Commands['createProject']> {
  const refusal = refusalOf(viewer, scope, 'project.create')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.project, input)
  if (!checked.ok) return checked
  const { name, slug, platform, teams } = checked.value
  const taken = new Set((await parts.projects.projects(scope)).map((project) => project.slug))
  const free = slug ?? freeSlug(slugFrom(name, 'project'), (each) => taken.has(each))
  const keyPublic = parts.random.hex(KEY_BYTES)
  const made = await announced(
    parts,
    parts.projectsWrite.createProject(
      { orgId: scope.orgId, slug: free, name, platform, teams, keyPublic },
      actorOf(parts, viewer, facts),
    ),
  )
  if (!made.ok) return made
  const dsn = dsnOf(parts.publicUrl(), { public: keyPublic, projectId: made.value.id })
  return ok({ project: made.value, dsn })
}

async function updateProject(
  parts: CommandParts,
  asking: Asking,
  { id, change }: { readonly id: ProjectId; readonly change: Parameters<Commands['updateProject']>[3] },
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
  }
  const actor = actorOf(parts, asking.viewer, asking.facts)
  return announced(parts, parts.projectsWrite.updateProject(asking.scope.orgId, id, given, actor))
}

async function deleteProject(parts: CommandParts, asking: Asking, id: ProjectId): Promise<Result<null>> {
  const found = await findProject(parts, asking, { id, permission: 'project.delete' })
  if (!found.ok) return found
  if (found.value.isSelf) {
    return refuse('conflict', 'Errata records its own failures in this project; it cannot be deleted.')
  }
  const actor = actorOf(parts, asking.viewer, asking.facts)
  return announced(parts, parts.projectsWrite.deleteProject(asking.scope.orgId, id, actor))
}

async function createKey(
  parts: CommandParts,
  asking: Asking,
  { project, input }: { readonly project: ProjectId; readonly input: Parameters<Commands['createKey']>[3] },
): Promise<Result<ProjectKey>> {
  const found = await findProject(parts, asking, { id: project, permission: 'project.write' })
  if (!found.ok) return found
  const checked = read(SCHEMAS.key, input)
  if (!checked.ok) return checked
  const key = { public: parts.random.hex(KEY_BYTES), ...checked.value }
  const actor = actorOf(parts, asking.viewer, asking.facts)
  return announced(parts, parts.projectsWrite.createKey(asking.scope.orgId, project, key, actor))
}

interface KeyRef {
  readonly project: ProjectId
  readonly id: KeyId
}

async function updateKey(
  parts: CommandParts,
  asking: Asking,
  { project, id, change }: KeyRef & { readonly change: Parameters<Commands['updateKey']>[4] },
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
  }
  const actor = actorOf(parts, asking.viewer, asking.facts)
  return announced(parts, parts.projectsWrite.updateKey(asking.scope.orgId, project, id, given, actor))
}

/** The new key exists before the old one ends, so that at no moment nothing is accepted. */
async function rotateKey(
  parts: CommandParts,
  asking: Asking,
  { project, id }: KeyRef,
): Promise<Result<ProjectKey>> {
  const found = await findProject(parts, asking, { id: project, permission: 'project.write' })
  if (!found.ok) return found
  const { scope, viewer, facts } = asking
  const old = (await parts.projects.keys(scope, project)).find((key) => key.id === id)
  if (old === undefined) return refuse('not_found', 'There is no such key.')
  const actor = actorOf(parts, viewer, facts)
  const key = { public: parts.random.hex(KEY_BYTES), name: old.name, rateLimit: old.rateLimit }
  const made = await parts.projectsWrite.createKey(scope.orgId, project, key, actor)
  if (!made.ok) return made
  const ended = await announced(
    parts,
    parts.projectsWrite.updateKey(scope.orgId, project, id, { isActive: false }, actor),
  )
  return ended.ok ? made : ended
}

async function sendTestEvent(
  parts: CommandParts,
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
    query: new URLSearchParams({ sentry_key: key.public, sentry_client: 'errata.test' }),
    sentryAuth: null,
    authorization: null,
    contentEncoding: null,
    contentType: null,
    origin: null,
    referer: null,
    userAgent: asking.facts.userAgent,
    clientAddress: asking.facts.address,
    body: testEnvelope(eventId, parts.clock.now()),
    relay: null,
  })
  if (answer.status === 200) return ok({ eventId })
  const detail = answer.error?.detail ?? `status ${answer.status}`
  return refuse(answer.error?.code ?? 'overloaded', `The test event was refused: ${detail}.`)
}

function testEnvelope(eventId: string, nowMs: number): Uint8Array {
  const event = {
    event_id: eventId,
    timestamp: nowMs / 1000,
    platform: 'other',
    level: 'info',
    logger: 'errata.test',
    message: 'This is a test event that Errata sent to itself',
    fingerprint: ['errata-test-event'],
    tags: { test_event: 'yes' },
    sdk: { name: 'errata.test', version: '1' },
  }
  const header = { event_id: eventId, sent_at: new Date(nowMs).toISOString() }
  return writeEnvelope(header, [{ header: { type: 'event' }, payload: JSON.stringify(event) }])
}
