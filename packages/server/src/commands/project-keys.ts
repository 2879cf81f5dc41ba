/** Keys of projects. Ingest knows of every change before the command answers. */

import { type KeyId, keyId, type ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { statedFields } from '#base/stated-fields.ts'
import { PROJECT_REFUSALS, refuseKeys, refuseTakenKey, refuseUnseen } from '#model/project-rules.ts'
import { FORMER_KEYS, PROJECT_KEYS } from '#model/tables/projects.ts'
import type { NewRow } from '#model/tables/table.ts'
import type { Tx } from '#ports/control.ts'
import type { ProjectKey, RateLimit, SeenSettings } from '#ports/projects.ts'
import type { Asking } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, preparedCommand } from './command.ts'
import { announce, type CommandParts, knownProject } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type NewKey = {
  readonly project: ProjectId
  readonly name: string
  /** Public key that clients already send; made if left out. */
  readonly public?: string
  readonly rateLimit: RateLimit | null
}
type KeyRef = { readonly project: ProjectId; readonly key: KeyId }
type KeyChange = KeyRef & {
  readonly change: {
    readonly name?: string
    readonly isActive?: boolean
    readonly rateLimit?: RateLimit | null
  }
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}
type MadeKey = Required<NewKey>

export const KEY_BYTES = 16

export const createKey = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: ({ project, ...key }: NewKey) => {
    const checked = readInput(SCHEMAS.key, key)
    return checked.ok ? ok({ ...checked.value, project }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'projects' | 'random'>,
    asking,
    { project, name, public: taken, rateLimit },
  ) =>
    knownProject(parts, asking, {
      ...{ project, name, rateLimit },
      public: taken ?? parts.random.hex(KEY_BYTES),
    }),
  change: (tx, key: MadeKey, by) => madeKey(tx, key, by),
  after: announce,
})

export const updateKey = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: ({ change, ...rest }: KeyChange) => {
    const checked = readInput(SCHEMAS.keyChange, change)
    if (!checked.ok) return checked
    return ok({ ...rest, change: statedFields(checked.value) })
  },
  prepare: knownProject<KeyChange>,
  change: (tx, change: KeyChange, by) => changedKey(tx, change, by),
  after: announce,
})

/** Makes a new key of the same name and limit and disables the old one. */
export const rotateKey = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (ref: KeyRef) => ok(ref),
  prepare: async (parts: Pick<CommandParts, 'projects' | 'random'>, asking: Asking, { project, key }) => {
    const found = await knownProject(parts, asking, { project })
    if (!found.ok) return found
    const old = (await parts.projects.keys(asking.scope, project)).find(({ id }) => id === key)
    if (old === undefined) return refuse('not_found', 'There is no such key.')
    const { name, rateLimit } = old
    return ok({ made: { project, name, rateLimit, public: parts.random.hex(KEY_BYTES) }, old: key })
  },
  change: async (tx, { made, old }: { readonly made: MadeKey; readonly old: KeyId }, by) => {
    const created = await madeKey(tx, made, by)
    if (!created.ok) return created
    const ended = await changedKey(tx, { project: made.project, key: old, change: { isActive: false } }, by)
    return ended.ok ? created : ended
  },
  after: announce,
})

export const deleteKey = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (ref: KeyRef) => ok(ref),
  prepare: knownProject<KeyRef>,
  change: (tx, ref: KeyRef, by) =>
    changeFound(tx, by, {
      find: tx.projects.key(by.scope.orgId, ref.project, ref.key),
      missing: PROJECT_REFUSALS.noKey,
      change: async (key) => {
        await tx.rows(PROJECT_KEYS).remove({ id: key.id })
        return { action: 'key.deleted', target: key.name, detail: { public: key.public } }
      },
    }),
  after: announce,
})

async function madeKey(tx: Tx, key: MadeKey, { scope: { orgId }, actor }: By): Promise<Result<ProjectKey>> {
  const { project, name, rateLimit } = key
  if ((await tx.projects.one(orgId, project)) === null) return PROJECT_REFUSALS.noProject()
  const refused =
    refuseTakenKey(await ownersOfKey(tx, key.public), project) ??
    refuseKeys(await tx.rows(PROJECT_KEYS).count({ projectId: project }))
  if (refused !== null) return refused
  const made = { projectId: project, public: key.public, name, rateLimit, createdMs: actor.atMs }
  const id = await insertKey(tx, made)
  const detail = { public: key.public }
  await writeAudit(tx, orgId, actor, { action: 'key.created', target: name, detail })
  return ok({ id, ...made, isActive: true, usedMs: null })
}

/** Reads who has the key, and whose it was: clients of that project may send it still. */
export async function ownersOfKey(tx: Tx, key: string) {
  const isUsed = (await tx.rows(PROJECT_KEYS).one({ public: key })) !== null
  return { isUsed, former: isUsed ? null : await tx.rows(FORMER_KEYS).one({ public: key }) }
}

export async function insertKey(tx: Tx, key: NewRow<typeof PROJECT_KEYS>): Promise<KeyId> {
  const [id = 0] = await tx.rows(PROJECT_KEYS).insert([key])
  return keyId(id)
}

async function changedKey(tx: Tx, { seen, change, ...ref }: KeyChange, by: By): Promise<Result<ProjectKey>> {
  const before = await tx.projects.key(by.scope.orgId, ref.project, ref.key)
  if (before === null) return PROJECT_REFUSALS.noKey()
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const { name = before.name, isActive = before.isActive, rateLimit = before.rateLimit } = change
  const after: ProjectKey = { ...before, name, isActive, rateLimit }
  await tx.rows(PROJECT_KEYS).update([{ id: after.id, name, isActive, rateLimit }])
  const switched = isActive ? 'key.enabled' : 'key.disabled'
  await writeAudit(tx, by.scope.orgId, by.actor, {
    action: isActive === before.isActive ? 'key.changed' : switched,
    target: name,
    detail: { public: after.public, changed: Object.keys(change).join(' ') },
  })
  return ok(after)
}
