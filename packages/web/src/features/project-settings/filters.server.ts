import { max } from '@errata/server/limits'
import type { Refusal } from '@errata/server/result'
import { object } from 'valibot'
import { linesField, seenField, tickField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { seenFilters } from './seen.server.ts'

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
    seen: seenFilters(project),
    project: { name: project.name, slug: project.slug },
    filters: project.options.filters,
    allowedDomains: project.options.allowedDomains.length,
    dropped,
    days: DAYS_COUNTED,
    limits: {
      patterns: max('filterPatternsMax'),
      stars: max('filterPatternStarsMax'),
      addresses: max('filterAddressesMax'),
    },
  }
}

export const saveFilters = defineAction(
  'project.filters',
  'project.write',
  object({
    browserExtensions: tickField,
    localhost: tickField,
    crawlers: tickField,
    controlFlow: tickField,
    aborted: tickField,
    releases: linesField,
    messages: linesField,
    addresses: linesField,
    seen: seenField,
  }),
  async (ctx, { seen, ...filters }) => {
    const { engine, scope } = ctx
    const project = (await engine.queries.project(scope, ctx.params.project ?? '')) ?? notFound()
    const change = { options: { filters } }
    const done = await engine.commands.run('updateProject', ctx, { project: project.id, change, seen })
    return done.ok ? { result: { seen: seenFilters(done.value) } } : withLines(done, filters)
  },
)

type Lists = { readonly [name in 'releases' | 'messages' | 'addresses']: readonly string[] }

/** A rule about one of many lines says which. */
function withLines(refused: Refusal, lists: Lists): Refusal {
  if (refused.fields === undefined) return refused
  const fields: Record<string, readonly string[]> = {}
  for (const [path, rules] of Object.entries(refused.fields)) {
    const place = /^options\.filters\.(releases|messages|addresses)\.(\d+)$/.exec(path)
    const name = place?.[1]
    if (name !== 'releases' && name !== 'messages' && name !== 'addresses') {
      fields[path] = rules
      continue
    }
    const line = lists[name][Number(place?.[2])] ?? ''
    fields[name] = [...(fields[name] ?? []), `“${line}”: ${rules.join(' ')}`]
  }
  return { ...refused, fields }
}
