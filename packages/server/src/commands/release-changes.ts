/** Changes of releases that are stored, as tools and people say them. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS } from '#model/release-rules.ts'
import type { Tx } from '#ports/control.ts'
import type { ReleasePart } from '#ports/release-rows.ts'
import type { Deploy, ReleaseChange, ReleaseCommit, ReleasePlace } from '#ports/releases.ts'
import { writeAudit } from './audit-entry.ts'
import type { By } from './command.ts'

export type PutRelease = {
  readonly version: string
  readonly change: ReleaseChange
  /** Newest first, in place of those that it had; `null`: they stay. Beyond `commitsPerReleaseMax` the oldest are left out. */
  readonly commits: readonly ReleaseCommit[] | null
}

function releasePlace({ scope }: Pick<By, 'scope'>, version: string): ReleasePlace {
  return { orgId: scope.orgId, readable: scope.projects, version }
}

/** Makes the release where it is not there, for which `projects` must name one. */
export async function putRelease(
  tx: Tx,
  { version, change, commits }: PutRelease,
  by: By,
): Promise<Result<{ readonly isNew: boolean }>> {
  const place = releasePlace(by, version)
  const { orgId } = place
  const { atMs } = by.actor
  const projects = await tx.releases.projectsWithin(place, change.projects ?? [])
  const parts = await tx.releases.parts(place)
  const isNew = parts.length === 0
  if (isNew && projects.length === 0) return RELEASE_REFUSALS.noProjects()
  if (isNew && !(await tx.releases.makeRoom(orgId, projects, atMs))) return RELEASE_REFUSALS.tooMany()
  const spokenOf = parts.find(({ isSpokenOf }) => isSpokenOf) ?? parts[0]
  const main = spokenOf?.id ?? (await tx.releases.begin(place, atMs))
  const added: ProjectId[] = []
  for (const project of projects) if (await takeInProject(tx, { main, parts, project })) added.push(project)
  const now = (await tx.releases.parts(place)).map(({ id }) => id)
  const changed = await tx.releases.write(now, change)
  if (isNew || added.length > 0 || changed.length > 0) {
    const action = isNew ? 'release.created' : 'release.changed'
    const detail = { projects: added.join(', '), changed: changed.join(', ') }
    await writeAudit(tx, orgId, by.actor, { action, target: version, detail })
  }
  const set = commits === null ? ok(null) : await setCommits(tx, { version, commits }, by)
  return set.ok ? ok({ isNew }) : set
}

/** True where the project came into the part. One that has a part of which something was said stays there. */
async function takeInProject(
  tx: Tx,
  {
    main,
    parts,
    project,
  }: { readonly main: number; readonly parts: readonly ReleasePart[]; readonly project: ProjectId },
): Promise<boolean> {
  const own = parts.find(({ projects }) => projects.includes(project))
  if (own === undefined) {
    await tx.releases.addProject(main, project)
    return true
  }
  if (own.id === main || own.isSpokenOf) return false
  await tx.releases.moveProject(project, own.id, main)
  return true
}

export async function setCommits(
  tx: Tx,
  { version, commits }: { readonly version: string; readonly commits: readonly ReleaseCommit[] },
  by: By,
): Promise<Result<null>> {
  const place = releasePlace(by, version)
  const parts = await tx.releases.parts(place)
  if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
  const kept = commits.slice(0, max('commitsPerReleaseMax'))
  for (const { id } of parts) await tx.releases.setCommits(id, version, kept)
  const note = { action: 'release.commits_set', target: version, detail: { commits: kept.length } }
  await writeAudit(tx, place.orgId, by.actor, note)
  return ok(null)
}

export async function deployRelease(
  tx: Tx,
  { version, deploy }: { readonly version: string; readonly deploy: Omit<Deploy, 'id'> },
  by: By,
): Promise<Result<Deploy>> {
  const place = releasePlace(by, version)
  const ids: number[] = []
  for (const part of await tx.releases.parts(place)) ids.push(await tx.releases.addDeploy(part.id, deploy))
  const [id] = ids
  if (id === undefined) return RELEASE_REFUSALS.noRelease()
  const note = { action: 'release.deployed', target: version, detail: { environment: deploy.environment } }
  await writeAudit(tx, place.orgId, by.actor, note)
  return ok({ ...deploy, id })
}

/** Refused while projects have it that whoever asks may not read. */
export async function removeRelease(
  tx: Tx,
  { version }: { readonly version: string },
  by: By,
): Promise<Result<null>> {
  const place = releasePlace(by, version)
  const parts = await tx.releases.parts(place)
  if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
  const readable = new Set(place.readable)
  if (parts.some(({ projects }) => projects.some((id) => !readable.has(id))))
    return RELEASE_REFUSALS.ofOthers()
  await tx.releases.remove(
    parts.map(({ id }) => id),
    place,
  )
  await writeAudit(tx, place.orgId, by.actor, { action: 'release.deleted', target: version })
  return ok(null)
}
