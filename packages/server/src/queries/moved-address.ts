/** Addresses that name a project by a slug it had before lead to where it is now. */
import { max } from '#limits/limits.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface NamedAddress {
  /** Begins with `/`. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  /** Project in the path. */
  readonly project: string | undefined
}

/** Returns the address of today for one with a former slug of a project. `null`: it says nothing of a former slug. */
export async function movedAddress(
  projects: Pick<ProjectsRead, 'project'>,
  scope: ReadScope,
  { path, search, project }: NamedAddress,
): Promise<string | null> {
  const query = new URLSearchParams(search)
  const chosen = [...query].flatMap(([name, value]) => (name === 'project' ? [value] : []))
  const refs = [...new Set([project ?? '', ...chosen])].filter(isSlug)
  if (refs.length === 0) return null
  const now = new Map<string, string>()
  for (const ref of refs.slice(0, max('searchTermsMax'))) {
    const found = await projects.project(scope, ref)
    if (found?.formerSlugs.includes(ref) === true && found.slug !== ref) now.set(ref, found.slug)
  }
  if (now.size === 0) return null
  query.delete('project')
  for (const one of chosen) query.append('project', now.get(one) ?? one)
  const asked = query.toString()
  return `${pathWith(path, project, now)}${asked === '' ? '' : `?${asked}`}`
}

function isSlug(ref: string): boolean {
  return ref !== '' && !/^-?\d+$/.test(ref)
}

/** The last step that says the slug: an organisation before it may have the same. */
function pathWith(path: string, project: string | undefined, now: ReadonlyMap<string, string>): string {
  const slug = project === undefined ? undefined : now.get(project)
  if (slug === undefined) return path
  const steps = path.split('/')
  const at = steps.lastIndexOf(encodeURIComponent(project ?? ''))
  return steps.map((step, index) => (index === at ? encodeURIComponent(slug) : step)).join('/')
}
