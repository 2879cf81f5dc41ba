/** Projects and their keys. */

import { keyId, type OrgId, type ProjectId } from '#base/ids.ts'
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
import type { Connection } from '../connection.ts'
import { forgetWords } from '../ingest/facet-words.ts'
import { recountIssue } from '../issues/issue-merge.ts'
import { releaseOfProject } from '../issues/mirror-folding.ts'
import { ownershipWrite } from '../ownership/ownership.ts'
import { removeBareReleases } from '../releases/release-rows.ts'
import { countOf, teamsWithin } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { forgetTexts } from '../rows/issue-texts.ts'
import {
  insertKey,
  insertProject,
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  projectById,
} from '../rows/project-rows.ts'

type NewProject = Parameters<ProjectsWrite['createProject']>[0]
type ProjectChange = Parameters<ProjectsWrite['updateProject']>[2]
type KeyChange = Parameters<ProjectsWrite['updateKey']>[1]

export function projectsWrite(db: Connection): ProjectsWrite & Pick<Deletions, 'deleteProject'> {
  return {
    ...ownershipWrite(db),
    createProject: async (project, actor) => db.transaction(() => createProject(db, project, actor)),
    updateProject: async (org, id, change, actor) =>
      db.transaction(() => updateProject(db, { org, id, change }, actor)),
    deleteProject: async (org, id, actor) => db.transaction(() => deleteProject(db, { org, id }, actor)),
    createKey: async (org, project, key, actor) =>
      db.transaction(() => createKey(db, { ...key, org, project }, actor)),
    updateKey: async (place, change, actor) =>
      db.transaction(() => updateKey(db, { ...place, change }, actor)),
    deleteKey: async (place, actor) =>
      db.transaction(() => {
        const key = keyById(db, place)
        if (key === null) return PROJECT_REFUSALS.noKey()
        db.run('DELETE FROM project_keys WHERE id = ?', [key.id])
        writeAudit(db, place.org, actor, {
          action: 'key.deleted',
          target: key.name,
          detail: { public: key.public },
        })
        return ok(null)
      }),
  }
}

function createProject(db: Connection, project: NewProject, actor: Actor): Result<Project> {
  const { orgId, slug, keyPublic } = project
  if (slugTaken(db, { org: orgId, slug, but: null })) return PROJECT_REFUSALS.projectSlug(slug)
  if (keyTaken(db, keyPublic, null)) return PROJECT_REFUSALS.keyTaken()
  const count = countOf(db, 'SELECT count(*) AS count FROM projects WHERE org_id = ?', [orgId])
  const tooMany = refuseProjects(count)
  if (tooMany !== null) return tooMany
  if (teamsWithin(db, orgId, project.teams).length !== new Set(project.teams).size)
    return ACCOUNT_REFUSALS.teamUnknown()
  const id = insertProject(db, { ...project, isSelf: false }, actor)
  const created = projectById(db, orgId, id)
  return created === null ? PROJECT_REFUSALS.noProject() : ok(created)
}

function updateProject(
  db: Connection,
  place: { readonly org: OrgId; readonly id: ProjectId; readonly change: ProjectChange },
  actor: Actor,
): Result<Project> {
  const { org, id } = place
  const { seen, ...change } = place.change
  const before = projectById(db, org, id)
  if (before === null) return PROJECT_REFUSALS.noProject()
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const slug = change.slug ?? before.slug
  if (slugTaken(db, { org, slug, but: id })) return PROJECT_REFUSALS.projectSlug(slug)
  const name = change.name ?? before.name
  const platform = change.platform === undefined ? before.platform : change.platform
  const options = mergeOptions(before.options, change.options ?? {})
  const sql = 'UPDATE projects SET slug = ?, name = ?, platform = ?, options = ? WHERE id = ?'
  db.run(sql, [slug, name, platform, JSON.stringify(options), id])
  if (slug !== before.slug) keepFormerSlug(db, { org, id }, { before: before.slug, slug })
  writeAudit(db, org, actor, {
    action: 'project.changed',
    target: name,
    detail: {
      changed: changedNames({ ...change, options }, before.options).join(' '),
      ...(slug === before.slug ? {} : { slugBefore: before.slug, slug }),
      ...(name === before.name ? {} : { nameBefore: before.name }),
    },
  })
  return ok(projectById(db, org, id) ?? { ...before, slug, name, platform, options })
}

function deleteProject(
  db: Connection,
  { org, id }: { readonly org: OrgId; readonly id: ProjectId },
  actor: Actor,
): Result<null> {
  const project = projectById(db, org, id)
  if (project === null) return PROJECT_REFUSALS.noProject()
  const losing = releaseOfProject(db, id, actor.atMs)
  keepLastNumbers(db, project)
  forgetTexts(db, id)
  forgetWords(db, { where: 'g.project_id = ?', param: id })
  db.run('DELETE FROM issue_redirects WHERE project_id = ?', [id])
  db.run('DELETE FROM outcomes WHERE project_id = ?', [id])
  db.run('DELETE FROM quarantined WHERE project_id = ?', [id])
  // Keys, team links, issues, groups and everything below them follow by their foreign keys.
  db.run('DELETE FROM projects WHERE id = ?', [id])
  for (const issue of losing) recountIssue(db, issue)
  removeBareReleases(db, org)
  db.run('DELETE FROM tombstones WHERE project_id = ?', [id])
  db.run('DELETE FROM person_tombstones WHERE project_id = ?', [id])
  const bury = 'INSERT INTO tombstones (project_id, hash, up_to_seq, created_ms) VALUES (?, NULL, ?, ?)'
  db.run(bury, [id, EVERYTHING, Math.floor(actor.atMs)])
  writeAudit(db, org, actor, {
    action: 'project.deleted',
    target: project.name,
    detail: { slug: project.slug, id },
  })
  return ok(null)
}

function createKey(
  db: Connection,
  key: Parameters<ProjectsWrite['createKey']>[2] & { readonly org: OrgId; readonly project: ProjectId },
  actor: Actor,
): Result<ProjectKey> {
  const { org, project } = key
  if (projectById(db, org, project) === null) return PROJECT_REFUSALS.noProject()
  if (keyTaken(db, key.public, project)) return PROJECT_REFUSALS.keyTaken()
  const count = countOf(db, 'SELECT count(*) AS count FROM project_keys WHERE project_id = ?', [project])
  const tooMany = refuseKeys(count)
  if (tooMany !== null) return tooMany
  const id = keyId(insertKey(db, { ...key, projectId: project }, actor.atMs))
  writeAudit(db, org, actor, { action: 'key.created', target: key.name, detail: { public: key.public } })
  const created = keyById(db, { org, project, id })
  return created === null ? PROJECT_REFUSALS.noKey() : ok(created)
}

function updateKey(
  db: Connection,
  place: KeyPlace & { readonly change: KeyChange },
  actor: Actor,
): Result<ProjectKey> {
  const before = keyById(db, place)
  if (before === null) return PROJECT_REFUSALS.noKey()
  const { seen, ...change } = place.change
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const after: ProjectKey = {
    ...before,
    name: change.name ?? before.name,
    isActive: change.isActive ?? before.isActive,
    rateLimit: change.rateLimit === undefined ? before.rateLimit : change.rateLimit,
  }
  const rateLimit = after.rateLimit === null ? null : JSON.stringify(after.rateLimit)
  db.run('UPDATE project_keys SET name = ?, is_active = ?, rate_limit = ? WHERE id = ?', [
    after.name,
    after.isActive ? 1 : 0,
    rateLimit,
    after.id,
  ])
  const switched = after.isActive ? 'key.enabled' : 'key.disabled'
  writeAudit(db, place.org, actor, {
    action: after.isActive === before.isActive ? 'key.changed' : switched,
    target: after.name,
    detail: { public: after.public, changed: Object.keys(change).join(' ') },
  })
  return ok(after)
}

function keyById(db: Connection, { org, project, id }: KeyPlace): ProjectKey | null {
  const sql = `SELECT ${KEY_COLUMNS} FROM project_keys k JOIN projects p ON p.id = k.project_id
    WHERE k.id = ? AND k.project_id = ? AND p.org_id = ?`
  const row = db.get<KeyRow>(sql, [id, project, org])
  return row === undefined ? null : keyOf(row)
}

/** A former slug is its project's alone; of a deleted project one that begins anew may have it, and none with issues. */
function slugTaken(
  db: Connection,
  { org, slug, but }: { readonly org: OrgId; readonly slug: string; readonly but: ProjectId | null },
): boolean {
  const sql = `SELECT 1 FROM projects WHERE org_id = :org AND slug = :slug AND id IS NOT :but
    UNION ALL SELECT 1 FROM former_slugs WHERE org_id = :org AND slug = :slug
      AND (CASE WHEN project_id IS NULL THEN :but IS NOT NULL AND last_number > 0 ELSE project_id IS NOT :but END)`
  return db.get(sql, { org, slug, but }) !== undefined
}

function keepFormerSlug(
  db: Connection,
  { org, id }: { readonly org: OrgId; readonly id: ProjectId },
  { before, slug }: { readonly before: string; readonly slug: string },
): void {
  db.run('DELETE FROM former_slugs WHERE org_id = ? AND slug = ?', [org, slug])
  db.run('INSERT OR REPLACE INTO former_slugs (org_id, slug, project_id) VALUES (?, ?, ?)', [org, before, id])
}

/** Of every slug of a project that goes. */
function keepLastNumbers(db: Connection, { orgId, id, slug, formerSlugs }: Project): void {
  const last = countOf(db, 'SELECT issue_counter AS count FROM projects WHERE id = ?', [id])
  const sql = `INSERT INTO former_slugs (org_id, slug, project_id, last_number) VALUES (:org, :each, NULL, :last)
    ON CONFLICT (org_id, slug) DO UPDATE SET project_id = NULL, last_number = max(last_number, :last)`
  for (const each of [slug, ...formerSlugs]) db.run(sql, { org: orgId, each, last })
}

/** By any project now, or by another one before: its clients may send it still. */
function keyTaken(db: Connection, key: string, project: ProjectId | null): boolean {
  const sql = `SELECT 1 FROM project_keys WHERE public = :key
    UNION ALL SELECT 1 FROM former_keys WHERE public = :key AND project_id IS NOT :project`
  return db.get(sql, { key, project }) !== undefined
}
