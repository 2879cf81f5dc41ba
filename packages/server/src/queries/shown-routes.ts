/**
 * Routes as they are read. What came before an SDK had stated the pattern of its route is stored at its address; it is
 * shown, and found, at the route that names such an address today. The same in `kinds/error/request-kind.ts` as it comes.
 */
import type { ProjectId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import { KnownRoutes } from '#model/known-routes.ts'
import type { Issue, TagDistribution } from '#ports/issues.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import { NEXT_SDK } from '#requests/request-paths.ts'

/** `null` for a project of which no route is known. */
export type RoutesOf = (project: ProjectId) => KnownRoutes | null

/** Returns routes by project, built when first read and again when the directory changes. */
export function routesOfProjects(directory: () => Pick<IngestDirectory, 'routes'>): RoutesOf {
  let current: Pick<IngestDirectory, 'routes'> | null = null
  const known = new Map<ProjectId, KnownRoutes | null>()
  return (project) => {
    const now = directory()
    if (now !== current) known.clear()
    current = now
    const before = known.get(project)
    if (before !== undefined) return before
    const own = (now.routes ?? []).filter(({ projectId }) => projectId === project)
    const routes = own.length === 0 ? null : new KnownRoutes(own)
    known.set(project, routes)
    return routes
  }
}

/** Without the SDK of the events. */
export function issueShown<T extends Pick<Issue, 'projectId' | 'kinds' | 'route'>>(
  issue: T,
  routesOf: RoutesOf,
): T {
  if (issue.route === null) return issue
  const routes = routesOf(issue.projectId)
  const route =
    routes === null ? null : shownRouteName(routes, issue.route, issue.kinds[0]?.kind ?? 'browser')
  return route === null || isOfFiles(route) ? issue : { ...issue, route }
}

interface StoredRow {
  readonly projectId: ProjectId
  readonly route: string | null
  readonly requestKind: RequestKind
  readonly sdk: string | null
  readonly tags: readonly (readonly [key: string, value: string])[]
}

/** Next.js states the route of each of its events. */
export function rowShown<T extends StoredRow>(row: T, routesOf: RoutesOf): T {
  if (row.route === null || NEXT_SDK.test(row.sdk ?? '')) return row
  const routes = routesOf(row.projectId)
  const route = routes === null ? null : shownRouteName(routes, row.route, row.requestKind)
  if (route === null) return row
  const tags = row.tags.map((tag) => (tag[0] === 'route' ? (['route', route] as const) : tag))
  return { ...row, route, tags }
}

/** Values of the tag that are one route are one. */
export function tagsShown(
  tags: readonly TagDistribution[],
  issue: Pick<Issue, 'projectId' | 'kinds'>,
  routesOf: RoutesOf,
): readonly TagDistribution[] {
  const routes = routesOf(issue.projectId)
  if (routes === null) return tags
  const kind = issue.kinds[0]?.kind ?? 'browser'
  return tags.map((tag) =>
    tag.key === 'route' ? joinSameNames(tag, (value) => shownRouteName(routes, value, kind)) : tag,
  )
}

type TagValue = TagDistribution['values'][number]

function joinSameNames(tag: TagDistribution, nameOfValue: (value: string) => string | null): TagDistribution {
  const counted = new Set(tag.values.map(({ value }) => value))
  const found = new Map<string, TagValue>()
  for (const each of tag.values) {
    const name = nameOfValue(each.value)
    const value = name !== null && (counted.has(name) || !isOfFiles(name)) ? name : each.value
    const before = found.get(value)
    found.set(value, before === undefined ? { ...each, value } : addTagValues(before, each))
  }
  const values = [...found.values()].sort((one, other) => other.count - one.count)
  return { ...tag, values, valuesKept: tag.valuesKept - (tag.values.length - values.length) }
}

function addTagValues(one: TagValue, other: TagValue): TagValue {
  return {
    value: one.value,
    count: one.count + other.count,
    firstSeenMs: Math.min(one.firstSeenMs, other.firstSeenMs),
    lastSeenMs: Math.max(one.lastSeenMs, other.lastSeenMs),
  }
}

/** `null` where it stays. */
function shownRouteName(routes: KnownRoutes, route: string, kind: RequestKind): string | null {
  if (routes.isStated(route)) return null
  const name = routes.nameOf(route, kind)
  return name === route ? null : name
}

/** `/shop/[id]`: so does Next.js spell it, and a page `/shop/new` of it is no address. */
function isOfFiles(route: string): boolean {
  return route.includes('[')
}
