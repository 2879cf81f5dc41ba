/** What the commit must know of fragments beyond their places: what their segments add to the figures of requests. */
import type { EventId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import type { RequestEnd, Vital } from '#model/span.ts'
import type { KindSum } from '../kind.ts'
import type { FragmentOwn } from './facts.ts'
import type { FragmentRow } from './fields.ts'

/** Of one row; `null` for one that adds nothing. */
export interface FragmentSum {
  readonly traceId: string
  readonly segmentId: string | null
  readonly fragmentId: EventId
  readonly hasRoot: boolean
  readonly environment: string | null
  readonly release: string | null
  readonly route: string
  readonly requestKind: RequestKind
  readonly end: RequestEnd | null
  readonly durationMs: number
  readonly weight: number
  readonly vitals: readonly { readonly vital: Vital; readonly value: number; readonly spanId: string }[]
  readonly costs: FragmentOwn['costs']
}

export interface FragmentSums {
  /** One a row. */
  readonly rows: readonly (FragmentSum | null)[]
}

/** Of vitals that name no page. */
const UNKNOWN_ROUTE = '(unknown page)'

export const fragmentSum: KindSum<FragmentRow, FragmentOwn, FragmentSums> = {
  pack: (rows) => ({ head: { rows: rows.map(({ row, own }) => sumOf(row, own)) }, columns: {} }),
  unpack: ({ head }) => head as FragmentSums, // as packed above
}

function sumOf(row: FragmentRow, own: FragmentOwn): FragmentSum | null {
  if (!own.isTraffic && own.vitals.length === 0) return null
  const { traceId, segmentId, eventId, hasRoot, environment, release, requestKind, end, weight } = row
  return {
    ...{ traceId, segmentId, fragmentId: eventId, hasRoot, environment, release, requestKind, weight },
    route: row.route ?? (row.hasRoot ? row.name : UNKNOWN_ROUTE),
    end: own.isTraffic ? end : null,
    durationMs: row.durationMs,
    vitals: own.vitals.map(({ vital, value, span }) => ({ vital, value, spanId: span.span_id })),
    costs: own.costs,
  }
}
