import type { OutcomesView } from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { projectChoices } from '#parts/choices.server.ts'
import { chosenOrBack } from '#parts/chosen-range.ts'
import { csvText } from '#parts/csv.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { refusePage, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { OUTCOMES } from './outcomes-params.ts'

/** Loads what was sent, and its outcomes. */
export async function loadOutcomes(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url, nowMs } = org
  const address = readAddress(OUTCOMES, url.searchParams)
  const range = chosenOrBack(address, nowMs)
  const { project, key } = address
  const view = await readable(ctx, 'outcomes', {
    read: () => engine.queries.outcomes(scope, { range, project, key }),
    otherwise: () => noOutcomes(range),
  })
  const { projects, spikes, ...shown } = view
  const named = projects.find(({ slug, id }) => slug === project || String(id) === project)
  const choices = await projectChoices(org, project === null ? [] : [named?.slug ?? project])
  const capped = spikes
    .slice(0, SPIKES_SHOWN)
    .map((spike) => ({ ...spike, project: projectName(spike.project) }))
  const met = shown.bounds.shown.map((bound) => ({ ...bound, project: projectName(bound.project) }))
  return {
    ...{ org: scope.orgSlug, address, choices, nowMs },
    marks: await releaseMarks(org, { project: named?.slug ?? null, ...range }),
    view: { ...shown, spikes: capped, bounds: { ...shown.bounds, shown: met } },
    moreSpikes: spikes.length - capped.length,
  }
}

/** Projects that are capped at this moment, of which a page speaks. */
const SPIKES_SHOWN = 10

function projectName({ id, slug, name }: OutcomesView['projects'][number]) {
  return { id, slug, name }
}

function noOutcomes(range: OutcomesView['range']): OutcomesView {
  const none = { groups: [], reasons: [], projects: [], keys: [], spikes: [], bounds: { shown: [], more: 0 } }
  return { range, intervalMs: range.endMs - range.startMs, buckets: [range.startMs], ...none }
}

/** The same counts as a table: one line for each time, outcome and category. */
export async function handleOutcomesCsv(ctx: LoaderContext): Promise<Response> {
  const { view, org, address } = await loadOutcomes(ctx)
  const [unread] = ctx.unread.values()
  if (unread !== undefined) return refusePage(unread.code, unread.message)
  const rows = view.groups.flatMap(({ outcome, category, series }) =>
    series.flatMap((quantity, index) => {
      const startMs = view.buckets[index]
      if (quantity === 0 || startMs === undefined) return []
      return [[new Date(startMs).toISOString(), outcome ?? '', category ?? '', quantity]]
    }),
  )
  const text = csvText([['time', 'outcome', 'category', 'quantity'], ...rows])
  const name = `outcomes-${org}-${address.range}.csv`
  return new Response(text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
    },
  })
}
