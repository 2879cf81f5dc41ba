/** Rows of a waterfall in other orders than the tree: all by their start, or service by service. Pure. */
import type { SpanColumns } from './span-columns.ts'
import type { SpanTree } from './span-tree.ts'
import {
  errorsBySpan,
  isPaint,
  matchesOf,
  type RowChoice,
  type WaterfallRow,
  waterfallRows,
} from './waterfall.ts'

export const WATERFALL_ORDERS = ['tree', 'flat', 'service'] as const
export type WaterfallOrder = (typeof WATERFALL_ORDERS)[number]

export function orderedRows(
  order: WaterfallOrder,
  columns: SpanColumns,
  { tree, choice }: { readonly tree: SpanTree; readonly choice: RowChoice },
): readonly WaterfallRow[] {
  if (order === 'tree') return waterfallRows(columns, tree, choice)
  const found = matchesOf(columns, tree, choice.find)?.found ?? null
  const places = [...columns.id.keys()]
    .filter((place) => found === null || found.has(place))
    .sort((a, b) => (columns.startMs[a] ?? 0) - (columns.startMs[b] ?? 0) || a - b)
  const errors = errorsBySpan(columns, choice)
  const rowsAt = (depth: number) => (place: number) => spanRows(columns, errors, { place, depth })
  const homeless = (errors.get(null) ?? []).map((at): WaterfallRow => ({ kind: 'error', at, depth: 0 }))
  if (order === 'flat') return [...places.flatMap(rowsAt(0)), ...homeless]
  const byService = Map.groupBy(places, (place) => columns.service[place] ?? 0)
  const ofServices = [...byService].flatMap(([service, own]): readonly WaterfallRow[] => {
    const head: WaterfallRow = { kind: 'service', service, depth: 0, spans: own.length }
    const isFolded = choice.folded.has(serviceId(service)) && found === null
    return isFolded ? [head] : [head, ...own.flatMap(rowsAt(1))]
  })
  return [...ofServices, ...homeless]
}

/** Names a service among the ids of what is folded. */
export function serviceId(service: number): string {
  return `service ${service}`
}

export function isServiceId(id: string): boolean {
  return id.startsWith(serviceId(0).slice(0, -1))
}

function spanRows(
  columns: SpanColumns,
  errors: ReadonlyMap<string | null, readonly number[]>,
  { place, depth }: { readonly place: number; readonly depth: number },
): readonly WaterfallRow[] {
  const hasPaint = columns.lcpMs[place] !== undefined && !isPaint(columns, place)
  return [
    { kind: 'span', place, depth, isMatch: true },
    ...(errors.get(columns.id[place] ?? '') ?? []).map(
      (at): WaterfallRow => ({ kind: 'error', at, depth: depth + 1 }),
    ),
    ...(hasPaint ? [{ kind: 'paint', place, depth: depth + 1 } as const] : []),
  ]
}
