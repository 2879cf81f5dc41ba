/** From a path in a stack to a page of the repository that has it. */

export const REPOSITORY_HOSTS = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket'] as const
export type RepositoryHost = (typeof REPOSITORY_HOSTS)[number]

export interface CodeMapping {
  /** Beginning of paths in stacks that is replaced; empty: of every path. */
  readonly stackRoot: string
  /** What stands there in the repository. */
  readonly sourceRoot: string
  /** `https://github.com/acme/shop`. */
  readonly repository: string
  readonly host: RepositoryHost
  readonly branch: string
}

interface SourcePlace {
  /** As a frame names it. */
  readonly path: string
  readonly line: number | null
  /** The commit that was deployed; `null`: the newest of the branch is shown. */
  readonly commit: string | null
}

interface Revision {
  readonly name: string
  readonly isCommit: boolean
}

/** Address of a file at a revision, without the line. */
const FILE_AT: Readonly<Record<RepositoryHost, (revision: Revision) => string>> = {
  github: ({ name }) => `blob/${segments(name)}`,
  gitlab: ({ name }) => `-/blob/${segments(name)}`,
  gitea: ({ name, isCommit }) => `src/${isCommit ? 'commit' : 'branch'}/${segments(name)}`,
  forgejo: ({ name, isCommit }) => `src/${isCommit ? 'commit' : 'branch'}/${segments(name)}`,
  bitbucket: ({ name }) => `src/${segments(name)}`,
}

/** The mapping with the longest beginning that fits; `null` where none does, or the path may not be followed. */
export function sourceLink(mappings: readonly CodeMapping[], place: SourcePlace): string | null {
  const fits = mappings.filter(({ stackRoot }) => place.path.startsWith(stackRoot))
  const [best] = fits.sort((a, b) => b.stackRoot.length - a.stackRoot.length)
  if (best === undefined) return null
  const path = best.sourceRoot + place.path.slice(best.stackRoot.length)
  if (!isInRepository(path)) return null
  const { host, branch, repository } = best
  const revision = { name: place.commit ?? branch, isCommit: place.commit !== null }
  const file = segments(path.replace(/^\/+/, ''))
  return `${repository.replace(/\/+$/, '')}/${FILE_AT[host](revision)}/${file}${lineOf(host, place.line)}`
}

/** No address of its own, nothing above the repository, no library. */
function isInRepository(path: string): boolean {
  if (path === '' || path.endsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return false
  return !path.split('/').some((part) => part === '..' || part === 'node_modules')
}

function lineOf(host: RepositoryHost, line: number | null): string {
  if (line === null || line < 1) return ''
  return host === 'bitbucket' ? `#lines-${line}` : `#L${line}`
}

function segments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Release names that are a commit: many builds name the one after the other. */
export function commitOfRelease(release: string | null): string | null {
  return release !== null && /^[0-9a-f]{40}$/.test(release) ? release : null
}

/** By the name of its server; Gitea where nothing tells, as most who run their own use it or Forgejo. */
export function hostOfRepository(repository: string): RepositoryHost {
  const name = URL.parse(repository)?.hostname ?? ''
  if (name === 'codeberg.org') return 'forgejo'
  return REPOSITORY_HOSTS.find((host) => name.includes(host)) ?? 'gitea'
}
