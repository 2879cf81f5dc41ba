/** Index of keys, projects and organisations by the names that requests use; asked for every request. */
import type { OrgId } from '#base/ids.ts'
import {
  type DirectoryChange,
  type IngestDirectory,
  type Project,
  type ProjectKey,
  withoutLeadingZeros,
} from '#ports/projects.ts'
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
  /** Returns the index after a change; this one must not be asked any more. */
  changed(change: DirectoryChange): DirectoryIndex
}

export function indexDirectory(directory: IngestDirectory): DirectoryIndex {
  const known: Known = {
    organisations: new Map(),
    projects: new Map(),
    senders: new Map(),
    keys: new Map(),
    byNumber: new Map(),
  }
  putDirectory(known, directory)
  return indexOf(known)
}

/** Each by what it is looked up by; changed in place. */
interface Known {
  organisations: ReadonlyMap<OrgId, Sender['organisation']>
  readonly projects: Map<number, Project>
  readonly senders: Map<string, Sender>
  /** Keys of each project, as in `senders`. */
  readonly keys: Map<number, readonly string[]>
  /** By a further number, whose they are. */
  readonly byNumber: Map<string, Set<number>>
}

/** Another one for each change: who compares them learns that something may be different. */
function indexOf(known: Known): DirectoryIndex {
  const { projects, senders, byNumber } = known
  return {
    sender: (publicKey) => senders.get(publicKey.toLowerCase()) ?? null,
    project: (id) => projects.get(id) ?? null,
    projectNamed(number) {
      const own = projects.get(Number(number))
      if (own !== undefined) return own
      const [named, ...others] = byNumber.get(withoutLeadingZeros(number)) ?? []
      return named !== undefined && others.length === 0 ? (projects.get(named) ?? null) : null
    },
    changed({ projects: ids, now }) {
      const renamed = now.organisations.filter(({ id, slug }) => known.organisations.get(id)?.slug !== slug)
      for (const id of ids) takeOut(known, id)
      putDirectory(known, now)
      for (const organisation of renamed) rename(known, organisation)
      return indexOf(known)
    },
  }
}

function takeOut({ projects, senders, keys, byNumber }: Known, id: number): void {
  for (const key of keys.get(id) ?? []) senders.delete(key)
  for (const number of projects.get(id)?.options.furtherNumbers ?? []) byNumber.get(number)?.delete(id)
  keys.delete(id)
  projects.delete(id)
}

function putDirectory(known: Known, { organisations, ...directory }: IngestDirectory): void {
  known.organisations = new Map(organisations.map((organisation) => [organisation.id, organisation]))
  const allowed = new Map<number, AllowedDomains>()
  for (const project of directory.projects) {
    known.projects.set(project.id, project)
    allowed.set(project.id, readAllowedDomains(project.options.allowedDomains))
    for (const number of project.options.furtherNumbers) {
      const named = known.byNumber.get(number) ?? new Set()
      known.byNumber.set(number, named.add(project.id))
    }
  }
  for (const [id, keys] of Map.groupBy(directory.keys, ({ projectId }) => projectId)) {
    const project = known.projects.get(id)
    const organisation = project === undefined ? undefined : known.organisations.get(project.orgId)
    if (project === undefined || organisation === undefined) continue
    const names = keys.map((key) => key.public.toLowerCase())
    known.keys.set(id, names)
    for (const [at, name] of names.entries()) {
      const key = keys[at]
      if (key !== undefined)
        known.senders.set(name, { key, project, organisation, allowedDomains: allowed.get(id) ?? null })
    }
  }
}

function rename({ senders }: Known, organisation: Sender['organisation']): void {
  for (const [key, sender] of senders)
    if (sender.organisation.id === organisation.id) senders.set(key, { ...sender, organisation })
}
