/** Which commit touched a file of a route, by where frameworks look for it. Pure. */
import type { ReleasedCommit } from '#ports/releases.ts'

interface RouteCommit {
  readonly commit: ReleasedCommit
  /** Path in the repository. */
  readonly path: string
}

/** Commits are newest first: of several the newest. A file is of a route when it stands in the route's own folder. */
export function commitOfRoute(route: string, commits: readonly ReleasedCommit[]): RouteCommit | null {
  const wanted = routeSegments(route)
  for (const commit of commits) {
    const file = commit.files.find(({ path }) => isOfRoute(path, wanted))
    if (file !== undefined) return { commit, path: file.path }
  }
  return null
}

/** Folders below which a path says the route: of Next.js, React Router, SvelteKit and Nuxt. */
const ROOTS: ReadonlySet<string> = new Set(['app', 'pages', 'routes'])
/** Files that say nothing more of the route than their folder does. */
const OWN_NAME =
  /^(?:page|route|layout|template|loading|error|index|default|_index|\+page|\+server|\+layout)$/
const PARAMETER = /^(?:\[.*\]|:.*|\$.*|\{.*\}|\*.*)$/

function routeSegments(route: string): readonly string[] {
  const path = route.replace(/^[A-Z]+ +/, '').replace(/[?#].*$/, '')
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(plainSegment)
}

/** Frameworks write a parameter in several ways. */
function plainSegment(segment: string): string {
  return PARAMETER.test(segment) ? '*' : segment.toLowerCase()
}

function isOfRoute(path: string, wanted: readonly string[]): boolean {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.some((part, at) => {
    if (!ROOTS.has(part) || at === parts.length - 1) return false
    const below = fileSegments(parts.slice(at + 1))
    if (below === null) return false
    // Of the first page only its own file: every file is below its folder.
    if (wanted.length === 0) return below.length === 0
    return wanted.every((segment, index) => below[index] === segment) && isNear(below.slice(wanted.length))
  })
}

/** A part of the route's own folder, such as `summary`, and not a route below it. */
function isNear(rest: readonly string[]): boolean {
  return rest.length <= 1 && !rest.includes('*')
}

/** Without groups, slots and private folders; `null` for what is no source file. */
function fileSegments(parts: readonly string[]): readonly string[] | null {
  const file = parts.at(-1) ?? ''
  const name = /^(.+?)(?:\.(?:server|client|lazy))?\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/.exec(file)?.[1]
  if (name === undefined || /\.(?:test|spec|stories)$/.test(name)) return null
  const folders = parts.slice(0, -1).filter((part) => !/^(?:\(.*\)|@.*|_.*)$/.test(part))
  // `orders.$id` of React Router is two segments; a spread such as `[...all]` is one.
  const own = OWN_NAME.test(name)
    ? []
    : name.startsWith('[')
      ? [name]
      : name.split('.').filter((part) => !OWN_NAME.test(part))
  return [...folders, ...own].map(plainSegment)
}
