/** From a path in a stack to a page of the repository that has it. */

export const REPOSITORY_HOSTS = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket'] as const
export type RepositoryHost = (typeof REPOSITORY_HOSTS)[number]

export interface CodeMapping {
  /** Beginning of paths in stacks that is replaced; empty: of every path. */
  readonly stackRoot: string
  /** Path in the repository that replaces the stack's beginning. */
  readonly sourceRoot: string
  /** `https://github.com/acme/shop`. */
  readonly repository: string
  readonly host: RepositoryHost
  readonly branch: string
}

interface SourcePlace {
  /** Path as the frame states it. */
  readonly path: string
  readonly line: number | null
  /** The commit that was deployed, by the mapping; `null`: the newest of the branch is shown. */
  readonly commit: (mapping: CodeMapping) => string | null
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
  const best = mappingOf(mappings, place.path)
  if (best === undefined) return null
  const path = mappedPath(best, place.path)
  if (!isInRepository(path)) return null
  const { host, branch, repository } = best
  const commit = place.commit(best)
  const revision = { name: commit ?? branch, isCommit: commit !== null }
  const file = segments(path.replace(/^\/+/, ''))
  return `${repository.replace(/\/+$/, '')}/${FILE_AT[host](revision)}/${file}${lineFragment(host, place.line)}`
}

/**
 * Returns a stack path's place in the repository by the mapping with the longest matching beginning; the path
 * itself if none matches.
 */
export function repositoryPath(mappings: readonly CodeMapping[], path: string): string {
  const best = mappingOf(mappings, path)
  return best === undefined ? path : mappedPath(best, path)
}

function mappingOf(mappings: readonly CodeMapping[], path: string): CodeMapping | undefined {
  const fits = mappings.filter(({ stackRoot }) => path.startsWith(stackRoot))
  return fits.sort((a, b) => b.stackRoot.length - a.stackRoot.length)[0]
}

function mappedPath({ stackRoot, sourceRoot }: CodeMapping, path: string): string {
  return sourceRoot + path.slice(stackRoot.length)
}

/** No address of its own, nothing above the repository, no library. */
function isInRepository(path: string): boolean {
  if (path === '' || path.endsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return false
  return !path.split('/').some((part) => part === '..' || part === 'node_modules')
}

function lineFragment(host: RepositoryHost, line: number | null): string {
  if (line === null || line < 1) return ''
  return host === 'bitbucket' ? `#lines-${line}` : `#L${line}`
}

function segments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Facts that tell which commit a release was built from. */
interface BuiltRelease {
  readonly name: string | null
  /** `null`: nothing is known of it but its name. */
  readonly revision: {
    readonly ref: string | null
    readonly heads: readonly { readonly repository: string | null; readonly commit: string }[]
  } | null
  /** Address of the one that is looked into. */
  readonly repository: string
}

const WHOLE_HASH = /^[0-9a-f]{40}$/
const HASH = /^[0-9a-f]{7,64}$/

/**
 * Its name where that is a commit, as many builds have it; the newest commit that was set for the repository; its ref,
 * where that is a commit. `null`: none of them tells.
 */
export function commitOfRelease({ name, revision, repository }: BuiltRelease): string | null {
  if (name !== null && WHOLE_HASH.test(name)) return name
  const { heads = [], ref = null } = revision ?? {}
  const named = heads.find((each) => isHostNamed(repository, each.repository))
  const [only, ...others] = heads
  // Tools name a repository by its remote ("origin") as well: of a single one that says enough.
  const commit = (named ?? (others.length === 0 ? only : undefined))?.commit ?? null
  if (commit !== null && HASH.test(commit)) return commit
  return ref !== null && WHOLE_HASH.test(ref) ? ref : null
}

/** Whether `acme/shop` is how a tool names `https://github.com/acme/shop`. */
function isHostNamed(address: string, name: string | null): boolean {
  if (name === null || name === '') return false
  const [of, ending] = [address, name].map((text) => text.toLowerCase().replace(/(?:\.git)?\/*$/, ''))
  return of === ending || of?.endsWith(`/${ending}`) === true
}

/** By the name of its server; Gitea where nothing tells, as most who run their own use it or Forgejo. */
export function hostOfRepository(repository: string): RepositoryHost {
  const name = URL.parse(repository)?.hostname ?? ''
  if (name === 'codeberg.org') return 'forgejo'
  return REPOSITORY_HOSTS.find((host) => name.includes(host)) ?? 'gitea'
}
