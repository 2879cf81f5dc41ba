/** Rules of projects and keys that hold whatever store keeps them, and what is said when one is broken. */
import type { ProjectId } from '#base/ids.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

/** Ids of projects are never reused, so nothing that comes later may be shown: a deleted one is buried up to here. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER

export const PROJECT_REFUSALS = {
  noProject: () => refuse('not_found', 'The project does not exist.'),
  settingsChanged: () =>
    refuse('conflict', 'These settings changed since you opened the page. Reload to see them.'),
  noWebhook: () => refuse('not_found', 'The project has no webhook.'),
  noKey: () => refuse('not_found', 'The key does not exist.'),
  projectSlug: (slug: string) =>
    refuse('conflict', `A project "${slug}" exists already.`, { slug: ['Another project has this slug.'] }),
  keyTaken: () =>
    refuse('conflict', 'This key can’t be taken: it is in use, or was another project’s.', {
      public: ['It is in use, or was another project’s.'],
    }),
} as const

export function refuseTooManyProjects(count: number): Refusal | null {
  const most = max('projectsPerOrgMax')
  return count < most ? null : refuse('conflict', `An organisation has at most ${most} projects.`)
}

export function refuseKeys(count: number): Refusal | null {
  const most = max('keysPerProjectMax')
  return count < most ? null : refuse('conflict', `A project has at most ${most} keys. Delete one first.`)
}

/** A former slug is its project's alone; of a deleted project one that begins anew may have it, and none with issues. */
export function refuseSlug(
  slug: string,
  taken: {
    readonly project: { readonly id: ProjectId } | null
    readonly former: { readonly projectId: ProjectId | null; readonly lastNumber: number } | null
  },
  /** `null`: of one that begins anew. */
  by: ProjectId | null,
): Refusal | null {
  const { project, former } = taken
  if (project !== null && project.id !== by) return PROJECT_REFUSALS.projectSlug(slug)
  if (former === null) return null
  const isFree = former.projectId === null ? by === null || former.lastNumber === 0 : former.projectId === by
  return isFree ? null : PROJECT_REFUSALS.projectSlug(slug)
}

/** Refuses a key of any project now, or of another one before: its clients may send it still. */
export function refuseTakenKey(
  { isUsed, former }: { readonly isUsed: boolean; readonly former: { readonly projectId: ProjectId } | null },
  by: ProjectId | null,
): Refusal | null {
  const isTaken = isUsed || (former !== null && former.projectId !== by)
  return isTaken ? PROJECT_REFUSALS.keyTaken() : null
}

/** Refuses more deleted people than may wait for compaction. */
export function refusePeople(pending: number): Refusal | null {
  if (pending < max('peopleDeletedMax')) return null
  return refuse('conflict', 'Too many deletions of this project wait for compaction. Try again tomorrow.')
}

/** Refuses a form whose settings somebody else has changed since it was opened. */
export function refuseUnseen(now: object, seen: object | undefined): Refusal | null {
  return isStill(now, seen ?? {}) ? null : PROJECT_REFUSALS.settingsChanged()
}

/** Goes no deeper than what is kept: what was seen is what a client says. */
function isStill(now: unknown, seen: unknown): boolean {
  if (!isAnyObject(now) || !isAnyObject(seen)) return Object.is(now, seen)
  const known = new Map<string, unknown>(Object.entries(now))
  if (Array.isArray(now) && known.size !== Object.keys(seen).length) return false
  return Object.entries(seen).every(([name, value]) => isStill(known.get(name), value))
}

function isAnyObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Names the settings that a change sets; of the options only those that differ, so that whoever protects or
 * filters less is found in the audit log.
 */
export function changedNames(
  { options, ...rest }: { readonly options?: object },
  before: object,
): readonly string[] {
  const known = new Map<string, unknown>(Object.entries(before))
  const differing = Object.entries(options ?? {})
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name)))
    .map(([name]) => `options.${name}`)
  return [...Object.keys(rest), ...differing]
}
