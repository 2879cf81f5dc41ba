/** Rows of projects and keys, as reads and writes share them. */
import { type KeyId, keyId, type OrgId, type ProjectId, projectId, type TeamId } from '#base/ids.ts'
import { completeOptions, PROJECT_OPTIONS_DEFAULT, type Project, type ProjectKey } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { byId } from '../order.ts'
import type { ProjectRow, Tables } from '../tables.ts'
import { writeAudit } from './audit.ts'
import { defaultTeam, teamsWithin } from './members.ts'

export function projectOf(of: Tables, { issues: _, ...project }: ProjectRow): Project {
  const teams = of.teams.where(({ projects }) => projects.includes(project.id)).sort(byId)
  return { ...project, options: completeOptions(project.options), teams: teams.map(({ id }) => id) }
}

export function projectById(of: Tables, org: OrgId, id: ProjectId): Project | null {
  const row = of.projects.get(id)
  return row?.orgId === org ? projectOf(of, row) : null
}

interface NewProject extends Pick<Project, 'orgId' | 'slug' | 'name' | 'platform' | 'isSelf'> {
  readonly teams: readonly TeamId[]
  readonly keyPublic: string
}

/** With its first key and its teams (the default team when none is given). The caller has checked slug and key. */
export function insertProject(to: Tables, project: NewProject, actor: Actor): ProjectId {
  const { orgId, slug, name, platform, isSelf, keyPublic } = project
  const id = projectId(to.projects.nextId())
  to.projects.put(id, {
    ...{ id, orgId, slug, formerSlugs: [], name, platform, isSelf, options: PROJECT_OPTIONS_DEFAULT },
    ...{ createdMs: actor.atMs, firstEventMs: null, issues: { number: 0, begun: { hour: 0, events: 0 } } },
  })
  const teams = project.teams.length > 0 ? teamsWithin(to, orgId, project.teams) : defaultTeam(to, orgId)
  for (const team of teams) {
    const projects = to.teams.get(team)?.projects ?? []
    to.teams.change(team, { projects: [...projects, id] })
  }
  insertKey(to, { projectId: id, public: keyPublic, name: 'Default', rateLimit: null }, actor.atMs)
  writeAudit(to, orgId, actor, { action: 'project.created', target: name, detail: { slug } })
  return id
}

export function insertKey(
  to: Tables,
  key: Pick<ProjectKey, 'projectId' | 'public' | 'name' | 'rateLimit'>,
  atMs: number,
): ProjectKey {
  const id: KeyId = keyId(to.keys.nextId())
  const row = { ...key, id, isActive: true, createdMs: atMs, usedMs: null }
  to.keys.put(id, row)
  return row
}
