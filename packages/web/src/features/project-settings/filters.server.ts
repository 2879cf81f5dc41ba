import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { optionFields, seenOptions } from './options.server.ts'

const DAYS_COUNTED = 7
const DAY_MS = 86_400_000

/** The filters, and how many items each dropped of late. */
export async function loadFilters(ctx: LoaderContext) {
  const { engine, scope, nowMs } = requireScope(ctx)
  const project = (await engine.queries.project(scope, ctx.params.project ?? '')) ?? notFound()
  const { reasons } = await engine.queries.outcomes(scope, {
    range: { startMs: nowMs - DAYS_COUNTED * DAY_MS, endMs: nowMs },
    project: String(project.id),
    key: null,
  })
  const dropped: Record<string, number> = {}
  for (const { outcome, reason, quantity } of reasons) {
    if (outcome === 'filtered' && reason !== null) dropped[reason] = (dropped[reason] ?? 0) + quantity
  }
  return {
    org: scope.orgSlug,
    seen: seenOptions('filters', project),
    project: { name: project.name, slug: project.slug },
    fields: optionFields('filters', project.options),
    allowedDomains: project.options.allowedDomains.length,
    dropped,
    days: DAYS_COUNTED,
  }
}
