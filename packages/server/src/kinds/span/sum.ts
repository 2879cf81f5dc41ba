/** Sums of fragments beyond their places: what their segments add to the figures of requests. */
import { endianness } from 'node:os'
import type { EventId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import type { RequestEnd, Vital } from '#model/span.ts'
import { hashUser } from '#model/user-hash.ts'
import type { Sandbox, SegmentTold } from '#ports/requests.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import type { StaleRequest } from '#requests/stale-requests.ts'
import type { KindSum } from '../kind.ts'
import type { FragmentOwn } from './facts.ts'
import type { FragmentRow } from './fields.ts'

/** Sum of one row; `null` for one that adds nothing. */
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
  readonly sandbox: Sandbox | null
  readonly isClockCorrected: boolean
  readonly isOpen: boolean
  readonly isRevalidation: boolean
  readonly stated: StatedRoute['of'] | null
  readonly statedAs: string | null
  readonly told: SegmentTold | null
  readonly toldOf: string | null
  /** Its name, else its id. Of an action, and of what wraps one. */
  readonly action: string | null
  readonly wraps: string | null
  readonly vitals: readonly { readonly vital: Vital; readonly value: number; readonly spanId: string }[]
  /** So many of the costs of the part, behind those of the rows before. */
  readonly costs: number
  readonly stale: readonly StaleOfRow[]
}

/** Stale facts of a row in JSON, in which hashes are text. */
type StaleOfRow = Omit<
  StaleClickSeen,
  'projectId' | 'receivedMs' | 'eventId' | 'group' | 'source' | 'user'
> & {
  readonly user: string | null
}

export interface FragmentSums {
  /** Sums, one a row. */
  readonly rows: readonly (FragmentSum | null)[]
  readonly costs: CostColumns
}

/** Costs of fragments, one entry per sort of spans and fragment: fifty a fragment, so they are numbers. */
export interface CostColumns {
  /** Operations and descriptions, each once; entries name them by their places. */
  readonly texts: readonly string[]
  readonly op: Uint32Array
  readonly description: Uint32Array
  readonly count: Uint32Array
  readonly failed: Uint32Array
  /** 1 for what ran again and again. */
  readonly repeated: Uint32Array
  readonly totalMs: Float64Array
  readonly slowestMs: Float64Array
  /** Span ids of 16 hex characters. */
  readonly slowest: BigUint64Array
}

/** Route of vitals that name no page. */
export const UNKNOWN_ROUTE = '(unknown page)'

export const fragmentSum: KindSum<FragmentRow, FragmentOwn, FragmentSums> = {
  pack(rows) {
    const sums = rows.map(({ row, own }) => sumOfFragment(row, own))
    const costs = rows.flatMap(({ own }, at) => (sums[at] === null ? [] : countedCosts(own)))
    const { texts, ...columns } = costColumns(costs)
    return { head: { rows: sums, texts }, columns }
  },
  unpack({ head, columns }) {
    const { rows, texts } = head as Pick<FragmentSums, 'rows'> & Pick<CostColumns, 'texts'> // as packed above
    return { rows, costs: { texts, ...(columns as unknown as Omit<CostColumns, 'texts'>) } } // as packed above
  },
}

function costColumns(costs: FragmentOwn['costs']): CostColumns {
  const places = new Map<string, number>()
  const placeOf = (text: string): number => {
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, places.size)
    return places.size - 1
  }
  const numbers = () => new Uint32Array(costs.length)
  const [op, description, count, failed, repeated] = [numbers(), numbers(), numbers(), numbers(), numbers()]
  const [totalMs, slowestMs] = [new Float64Array(costs.length), new Float64Array(costs.length)]
  let ids = ''
  for (const [at, cost] of costs.entries()) {
    op[at] = placeOf(cost.op)
    description[at] = placeOf(cost.description)
    count[at] = cost.count
    failed[at] = cost.failed
    repeated[at] = cost.isRepeated ? 1 : 0
    totalMs[at] = cost.totalMs
    slowestMs[at] = cost.slowestMs
    ids += cost.slowestId
  }
  const texts = [...places.keys()]
  const slowest = numbersOfIds(ids, costs.length)
  return { texts, op, description, count, failed, repeated, totalMs, slowestMs, slowest }
}

/** Reads ids of 16 hex characters, one behind the other. */
function numbersOfIds(ids: string, count: number): BigUint64Array<ArrayBuffer> {
  const numbers = new BigUint64Array(count)
  const bytes = Buffer.from(numbers.buffer)
  bytes.write(ids, 'hex')
  if (endianness() === 'LE') bytes.swap64()
  return numbers
}

function sumOfFragment(row: FragmentRow, own: FragmentOwn): FragmentSum | null {
  const { isTraffic, wraps, told } = own
  if (!isTraffic && own.vitals.length === 0 && own.stale.length === 0 && wraps === null && told === null)
    return null
  const { traceId, segmentId, eventId, hasRoot, environment, release, requestKind, end, weight } = row
  return {
    traceId,
    segmentId,
    fragmentId: eventId,
    hasRoot,
    environment,
    release,
    requestKind,
    weight,
    route: row.route ?? (row.hasRoot ? row.name : UNKNOWN_ROUTE),
    end: isTraffic ? end : null,
    durationMs: row.durationMs,
    sandbox: own.sandbox,
    isClockCorrected: own.isClockCorrected,
    isOpen: own.isOpen,
    isRevalidation: own.isRevalidation,
    stated: own.stated,
    statedAs: own.statedAs,
    told,
    toldOf: own.toldOf,
    action: row.action,
    wraps,
    vitals: own.vitals.map(({ vital, value, span }) => ({ vital, value, spanId: span.span_id })),
    costs: countedCosts(own).length,
    stale: own.stale.map((request) => staleHalves(row, request)),
  }
}

/** A wrapper is no request, and has no route that its time went to. */
function countedCosts({ costs, wraps }: FragmentOwn): FragmentOwn['costs'] {
  return wraps === null ? costs : []
}

function staleHalves(
  { environment, release, route, requestKind, traceId, user, sdk }: FragmentRow,
  request: StaleRequest,
): StaleOfRow {
  return {
    ...{ ...request, environment, release, traceId },
    // A file’s own address is no page.
    route: requestKind === 'static' || request.subject === route ? null : route,
    user: user === null ? null : String(hashUser(user)),
    sdk: sdk?.replace(/\/.*$/, '') ?? null,
  }
}
