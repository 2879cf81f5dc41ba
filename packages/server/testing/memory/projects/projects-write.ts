/** Projects and their keys. */

import { type OrgId, type ProjectId, seq } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import {
  changedNames,
  EVERYTHING,
  PROJECT_REFUSALS,
  refuseKeys,
  refuseProjects,
  refuseUnseen,
} from '#model/project-rules.ts'
import type { Deletions } from '#ports/deletions.ts'
import {
  type KeyPlace,
  mergeOptions,
  type Project,
  type ProjectKey,
  type ProjectsWrite,
} from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { releaseMirror } from '../issues/mirror-folding.ts'
import { ownershipWrite } from '../ownership/ownership.ts'
import { takeFromReleases } from '../releases/release-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { deleteIssueRows, forgetGroups } from '../rows/issue-rows.ts'
import { teamsWithin } from '../rows/members.ts'
import { deleteNotices } from '../rows/notice-rows.ts'
import { insertKey, insertProject, projectById } from '../rows/project-rows.ts'
import type { Tables } from '../tables.ts'
import { putEnvironments } from './environments.ts'

export function projectsWrite(to: Tables): ProjectsWrite & Pick<Deletions, 'deleteProject'> {
  return {
    ...ownershipWrite(to),
    createProject: async (project, actor) => to.transaction(() => createProject(to, project, actor)),
    updateProject: async (org, id, change, actor) =>
      to.transaction(() => updateProject(to, { org, id, change }, actor)),
    deleteProject: async (org, id, actor) => to.transaction(() => deleteProject(to, { org, id }, actor)),
    createKey: async (org, project, key, actor) =>
      to.transaction(() => createKey(to, { ...key, org, project }, actor)),
    updateKey: async (place, change, actor) =>
      to.transaction(() => updateKey(to, { ...place, change }, actor)),
    putEnvironments: async (place, settings, actor) =>
      to.transaction(() => putEnvironments(to, place, { settings, actor })),
    deleteKey: async (place, actor) =>
      to.transaction(() => {
        const key = keyById(to, place)
        if (key === null) return PROJECT_REFUSALS.noKey()
        to.keys.delete(key.id)
        to.formerKeys.put(key.public, { projectId: key.projectId })
        const detail = { public: key.public }
        writeAudit(to, place.org, actor, { action: 'key.deleted', target: key.name, detail })
        return ok(null)
      }),
  }
}

function createProject(
  to: Tables,
  project: Parameters<ProjectsWrite['createProject']>[0],
  actor: Actor,
): Result<Project> {
  const { orgId: org, slug, keyPublic, teams } = project
  const others = to.projects.where(({ orgId }) => orgId === org)
  if (others.some((other) => [other.slug, ...other.formerSlugs].includes(slug)))
    return PROJECT_REFUSALS.projectSlug(slug)
  if (isKeyTaken(to, keyPublic, null)) return PROJECT_REFUSALS.keyTaken()
  const tooMany = refuseProjects(others.length)
  if (tooMany !== null) return tooMany
  if (teamsWithin(to, org, teams).length !== new Set(teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const created = projectById(to, org, insertProject(to, { ...project, isSelf: false }, actor))
  return created === null ? PROJECT_REFUSALS.noProject() : ok(created)
}

interface ProjectChange {
  readonly org: OrgId
  readonly id: ProjectId
  readonly change: Parameters<ProjectsWrite['updateProject']>[2]
}

function updateProject(to: Tables, place: ProjectChange, actor: Actor): Result<Project> {
  const { org, id } = place
  const { seen, ...change } = place.change
  const before = projectById(to, org, id)
  if (before === null) return PROJECT_REFUSALS.noProject()
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const { slug = before.slug, name = before.name, platform = before.platform } = change
  const options = mergeOptions(before.options, change.options ?? {})
  const taken = to.projects.find(
    (other) => other.orgId === org && [other.slug, ...other.formerSlugs].includes(slug) && other.id !== id,
  )
  if (taken !== undefined) return PROJECT_REFUSALS.projectSlug(slug)
  const former = [...before.formerSlugs, before.slug].filter((each) => each !== slug)
  const formerSlugs = slug === before.slug ? before.formerSlugs : former
  to.projects.change(id, { slug, formerSlugs, name, platform, options })
  const detail = {
    changed: changedNames({ ...change, options }, before.options).join(' '),
    ...(slug === before.slug ? {} : { slugBefore: before.slug, slug }),
    ...(name === before.name ? {} : { nameBefore: before.name }),
  }
  writeAudit(to, org, actor, { action: 'project.changed', target: name, detail })
  return ok({ ...before, slug, formerSlugs, name, platform, options })
}

function deleteProject(
  to: Tables,
  { org, id }: { readonly org: OrgId; readonly id: ProjectId },
  actor: Actor,
): Result<null> {
  const project = projectById(to, org, id)
  if (project === null) return PROJECT_REFUSALS.noProject()
  for (const group of to.groups.where(({ projectId, foldedInto }) => projectId !== id && foldedInto !== null))
    if (to.issues.get(group.issueId)?.projectId === id) releaseMirror(to, group.id, actor.atMs)
  const isOfIt = ({ projectId }: { readonly projectId: number | null }) => projectId === id
  for (const issue of to.issues.where(isOfIt)) deleteIssueRows(to, issue.id)
  to.ownership.delete(id)
  forgetGroups(to, new Set(to.groups.deleteWhere(isOfIt).map((group) => group.id)))
  deleteNotices(to, isOfIt)
  for (const table of [
    to.keys,
    to.outcomes,
    to.quarantined,
    to.heldBack,
    to.messages,
    to.alertFirings,
    to.tombstones,
    to.personTombstones,
    to.healthPeople,
    to.requestSeries,
    to.staleSeries,
    to.staleClicks,
    to.requestSums,
    to.actionSeries,
    to.actionSums,
    to.actionNames,
    to.vitalSums,
    to.spanCosts,
    to.countedSpans,
    to.segmentHints,
    to.knownRoutes,
  ])
    table.deleteWhere(isOfIt)
  for (const team of to.teams.where(({ projects }) => projects.includes(id)))
    to.teams.change(team.id, { projects: team.projects.filter((other) => other !== id) })
  takeFromReleases(to, id)
  to.healthHours.deleteWhere(isOfIt)
  to.healthSessions.deleteWhere(({ place }) => place.projectId === id)
  to.projectTags.delete(id)
  to.seriesCounts.delete(id)
  to.environments.delete(id)
  to.noticeSettings.delete(id)
  to.projects.delete(id)
  const tombstone = { projectId: id, hash: null, upToSeq: seq(EVERYTHING), createdMs: Math.floor(actor.atMs) }
  const place = to.tombstones.nextId()
  to.tombstones.put(place, { ...tombstone, id: place })
  const detail = { slug: project.slug, id }
  writeAudit(to, org, actor, { action: 'project.deleted', target: project.name, detail })
  return ok(null)
}

interface NewKey extends Pick<ProjectKey, 'public' | 'name' | 'rateLimit'> {
  readonly org: OrgId
  readonly project: ProjectId
}

function createKey(to: Tables, { org, project, ...key }: NewKey, actor: Actor): Result<ProjectKey> {
  if (projectById(to, org, project) === null) return PROJECT_REFUSALS.noProject()
  if (isKeyTaken(to, key.public, project)) return PROJECT_REFUSALS.keyTaken()
  const tooMany = refuseKeys(to.keys.where(({ projectId }) => projectId === project).length)
  if (tooMany !== null) return tooMany
  const created = insertKey(to, { ...key, projectId: project }, actor.atMs)
  writeAudit(to, org, actor, { action: 'key.created', target: key.name, detail: { public: key.public } })
  return ok(created)
}

function updateKey(
  to: Tables,
  place: KeyPlace & { readonly change: Parameters<ProjectsWrite['updateKey']>[1] },
  actor: Actor,
): Result<ProjectKey> {
  const before = keyById(to, place)
  if (before === null) return PROJECT_REFUSALS.noKey()
  const { id, org } = place
  const { seen, ...change } = place.change
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const after = to.keys.change(id, change)
  const switched = after.isActive ? 'key.enabled' : 'key.disabled'
  writeAudit(to, org, actor, {
    action: after.isActive === before.isActive ? 'key.changed' : switched,
    target: after.name,
    detail: { public: after.public, changed: Object.keys(change).join(' ') },
  })
  return ok(after)
}

function keyById(of: Tables, { org, project, id }: KeyPlace): ProjectKey | null {
  const key = of.keys.get(id)
  return key?.projectId === project && of.projects.get(project)?.orgId === org ? key : null
}

function isKeyTaken(of: Tables, key: string, project: ProjectId | null): boolean {
  const former = of.formerKeys.get(key)
  if (former !== undefined && former.projectId !== project) return true
  return of.keys.find((other) => other.public === key) !== undefined
}
