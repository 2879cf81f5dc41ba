/** What accept looks up for every request: keys, projects and organisations by what requests name them by. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { type IngestDirectory, type Project, type ProjectKey, plainNumber } from '#ports/projects.ts'
import { type AllowedDomains, readAllowedDomains } from './allowed-domains.ts'

/** A key with the project and organisation it opens. */
export interface Sender {
  readonly key: ProjectKey
  readonly project: Project
  readonly organisation: { readonly id: OrgId; readonly slug: string }
  /** Pages that may send to the project. */
  readonly allowedDomains: AllowedDomains
}

/** A sender and what it said of itself. */
export interface Authenticated {
  readonly sender: Sender
  /** `name/version` of the client, or `null`. */
  readonly client: string | null
}

export interface DirectoryIndex {
  /** By the 32 hex characters of a key, active or not; `null` when there is none. */
  sender(publicKey: string): Sender | null
  project(id: number): Project | null
  /** By its own number, or a further one that no other project has; for what is refused, which opens nothing. */
  projectNamed(number: string): Project | null
}

export function indexDirectory(directory: IngestDirectory): DirectoryIndex {
  const organisations = new Map(
    directory.organisations.map((organisation) => [organisation.id, organisation]),
  )
  const projects = new Map<ProjectId | number, Project>(
    directory.projects.map((project) => [project.id, project]),
  )
  const allowed = new Map(
    directory.projects.map(({ id, options }) => [id, readAllowedDomains(options.allowedDomains)]),
  )
  const byNumber = Map.groupBy(
    directory.projects.flatMap((project) =>
      project.options.furtherNumbers.map((number) => ({ project, number })),
    ),
    ({ number }) => number,
  )
  const senders = new Map<string, Sender>()
  for (const key of directory.keys) {
    const project = projects.get(key.projectId)
    const organisation = project === undefined ? undefined : organisations.get(project.orgId)
    if (project === undefined || organisation === undefined) continue
    const allowedDomains = allowed.get(project.id) ?? null
    senders.set(key.public.toLowerCase(), { key, project, organisation, allowedDomains })
  }
  return {
    sender: (publicKey) => senders.get(publicKey.toLowerCase()) ?? null,
    project: (id) => projects.get(id) ?? null,
    projectNamed(number) {
      const own = projects.get(Number(number))
      if (own !== undefined) return own
      const [named, ...others] = byNumber.get(plainNumber(number)) ?? []
      return named !== undefined && others.length === 0 ? named.project : null
    },
  }
}
