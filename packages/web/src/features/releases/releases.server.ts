import { max } from '@errata/server/limits'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { listHealth, pageHealth } from './health.server.ts'

/** A page of releases, newest first. */
export async function loadReleases(ctx: LoaderContext) {
  const { engine, scope, url } = requireScope(ctx)
  const text = (url.searchParams.get('query') ?? '').trim().slice(0, max('releaseCharsMax'))
  const slug = url.searchParams.get('project')
  const page = Math.min(Math.max(1, Math.floor(Number(url.searchParams.get('page')) || 1)), PAGES_MAX)
  const projects = await engine.queries.projects(scope)
  const chosen = projects.filter((each) => each.slug === slug)
  const limit = max('pageRowsDefault')
  const { rows, total } = await engine.queries.releases(
    scope,
    { projects: slug === null ? null : chosen.map(({ id }) => id), status: null, text },
    { offset: (page - 1) * limit, limit },
  )
  const versions = rows.map(({ version }) => version)
  const health = await listHealth(ctx, {
    ...{ versions, projects: slug === null ? null : chosen, environments: null },
  })
  return { org: scope.orgSlug, rows, total, text, project: slug, page, limit, projects, health }
}

/** More pages than the greatest number of releases fills. */
const PAGES_MAX = 10_000

/** One release, and the one before it. */
export async function loadRelease(ctx: LoaderContext) {
  const { engine, scope, params } = requireScope(ctx)
  const view = await engine.queries.releaseView(scope, params.version ?? '')
  if (view === null) throw notFound()
  const health = await pageHealth(ctx, {
    version: view.release.version,
    before: view.before?.version ?? null,
  })
  return { org: scope.orgSlug, view, health }
}
