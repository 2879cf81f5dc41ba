/** Two organisations with people and projects: what most tests begin with. */
import type { KeyId, OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { Role } from '#ports/accounts.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { Issue } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { type ControlStores, value } from './stores.ts'

export interface ControlWorld {
  readonly owner: UserId
  readonly org: OrgId
  readonly shop: ProjectId
  readonly blog: ProjectId
  readonly self: ProjectId
  readonly shopKey: KeyId
  readonly team: TeamId
  /** The whole first organisation. */
  readonly scope: ReadScope
  /** The shop alone. */
  readonly shopScope: ReadScope
  readonly otherOwner: UserId
  readonly otherOrg: OrgId
  readonly otherShop: ProjectId
  readonly otherScope: ReadScope
}

export async function aControlWorld({ read, write }: ControlStores): Promise<ControlWorld> {
  const first = value(await write.createFirstOwner(FIRST_OWNER, anActor()))
  const { userId: owner, orgId: org, projectId: shop } = first
  const blog = value(
    await write.createProject(
      { orgId: org, slug: 'blog', name: 'Blog', platform: null, teams: [], keyPublic: 'b'.repeat(32) },
      anActor(),
    ),
  )
  const everything = await read.ingestDirectory()
  const self = everything.projects.find(({ isSelf }) => isSelf)?.id
  const shopKey = everything.keys.find(({ projectId }) => projectId === shop)?.id
  const scope = scopeForTest({ orgId: org, projects: everything.projects.map(({ id }) => id) })
  const team = (await read.teams(scope))[0]?.id
  const otherOwner = await addMember({ read, write }, { org, email: 'other@example.com', role: 'viewer' })
  const otherOrg = value(await write.createOrganisation('rival', 'Rival', otherOwner, anActor()))
  value(await write.removeMember(org, { user: otherOwner }, anActor()))
  const otherShop = value(
    await write.createProject(
      { orgId: otherOrg, slug: 'shop', name: 'Shop', platform: null, teams: [], keyPublic: 'd'.repeat(32) },
      anActor(),
    ),
  ).id
  if (self === undefined || shopKey === undefined || team === undefined)
    throw new Error('set-up made too little')
  return {
    owner,
    org,
    shop,
    blog: blog.id,
    self,
    shopKey,
    team,
    scope,
    shopScope: scopeForTest({ orgId: org, projects: [shop] }),
    otherOwner,
    otherOrg,
    otherShop,
    otherScope: scopeForTest({ orgId: otherOrg, orgSlug: 'rival', projects: [otherShop] }),
  }
}

export const FIRST_OWNER = {
  email: 'Ada@Example.com',
  name: 'Ada',
  passwordHash: 'hash of a password',
  organisation: { slug: 'acme', name: 'Acme' },
  project: { slug: 'shop', name: 'Shop', platform: 'node' },
  keyPublic: 'a'.repeat(32),
  selfProject: { slug: 'errata', name: 'Errata', keyPublic: 'e'.repeat(32) },
  publicUrl: null,
} as const

/** Through an invitation, as people join. */
export async function addMember(
  { write }: Pick<ControlStores, 'read' | 'write'>,
  member: {
    readonly org: OrgId
    readonly email: string
    readonly role: Role
    readonly teams?: readonly TeamId[]
    /** Projects of a guest. */
    readonly projects?: readonly ProjectId[]
  },
): Promise<UserId> {
  const { org: orgId, email, role, teams = [], projects = [] } = member
  const codeHash = `code of ${email} for ${orgId}`
  value(
    await write.createInvitation(
      { orgId, email, role, teams, projects, codeHash, expiresMs: NOW + 1 },
      anActor(),
    ),
  )
  const account = { name: email.split('@')[0] ?? email, passwordHash: 'hash' }
  return value(await write.acceptInvitation(codeHash, account, anActor()))
}

/** Applies a batch and answers the scope's issues, newest first. */
export async function commit(
  { read, write }: ControlStores,
  scope: ReadScope,
  batch: ControlBatch,
): Promise<readonly Issue[]> {
  await write.applyBatch(batch)
  const filter = aFilter({ startMs: 0, endMs: Number.MAX_SAFE_INTEGER })
  return (await read.list(scope, filter, { sort: 'date', limit: 100, cursor: null })).rows
}
