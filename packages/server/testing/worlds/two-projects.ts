/** An organisation with two projects and a client key each, set up as its owner does. */
import assert from 'node:assert/strict'
import type { KeyId, OrgId, ProjectId } from '#base/ids.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import { anActor } from '../builders/actor.ts'
import { value } from '../contract/control/stores.ts'
import { FIRST_OWNER } from '../contract/control/world.ts'
import type { TestControl } from '../new-control.ts'

interface Stores {
  readonly control: Pick<TestControl, 'createFirstOwner' | 'createProject'>
  readonly reader: Pick<ProjectsRead, 'ingestDirectory'>
}

export interface KeyedProject {
  readonly projectId: ProjectId
  readonly keyId: KeyId
  readonly keyPublic: string
}

/** Makes the first owner and a second project, `blog`. Errata's own project is of neither: it has an organisation of its own. */
export async function setUpTwoProjects({ control, reader }: Stores): Promise<{
  readonly org: OrgId
  readonly shop: KeyedProject
  readonly blog: KeyedProject
}> {
  const { orgId: org, projectId: shop } = value(await control.createFirstOwner(FIRST_OWNER, anActor()))
  const draft = {
    orgId: org,
    slug: 'blog',
    name: 'Blog',
    platform: null,
    teams: [],
    keyPublic: 'b'.repeat(32),
  }
  const { id: blog } = value(await control.createProject(draft, anActor()))
  const { keys } = await reader.ingestDirectory()
  const keyed = (projectId: ProjectId): KeyedProject => {
    const key = keys.find((one) => one.projectId === projectId)
    assert.ok(key !== undefined)
    return { projectId, keyId: key.id, keyPublic: key.public }
  }
  return { org, shop: keyed(shop), blog: keyed(blog) }
}
