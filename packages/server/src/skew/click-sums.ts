/** Sums of stale clicks by series and slot, as the halves of a batch change them, in their order. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { StaleExample, StaleSeries } from '#ports/skew.ts'
import { exampleOf, newerExample, type StaleClick, seriesOf, seriesWhenFull, slotOf } from './clicks.ts'
import type { JoinedHalves } from './joined-halves.ts'

/** A series with its numbers. */
export interface SeriesSum {
  /** Below zero for one that begins. */
  readonly id: number
  readonly series: StaleSeries
  readonly example: StaleExample
  readonly firstMs: number
  readonly lastMs: number
}

export interface ClickSlot {
  readonly seriesId: number
  readonly slot: number
}

export interface SlotCount extends ClickSlot {
  readonly count: number
}

export interface ClickSlotSum extends SlotCount {
  /** People who clicked, beside the known ones. */
  readonly users: readonly bigint[]
  /** Nobody is known of it any more. */
  readonly isAnew: boolean
}

/** Sums that are stored. */
export interface SumsThere {
  readonly series: readonly SeriesSum[]
  /** How many series projects have in which one may begin. */
  readonly seriesCounts: ReadonlyMap<ProjectId, number>
  readonly slots: readonly SlotCount[]
}

export interface ClickSums {
  /** Series in the order in which they began. */
  readonly begun: readonly SeriesSum[]
  readonly changed: readonly SeriesSum[]
  readonly slots: readonly ClickSlotSum[]
  readonly emptied: readonly ClickSlot[]
  /** Slot in which each half's click counts now, by the place of the click. */
  readonly places: readonly ClickSlot[]
  /** The series that each half's click counts in. */
  readonly counted: readonly StaleSeries[]
}

/** Counts each half's click anew, with what is known of it by then. */
export function countClicks({ steps, touched }: JoinedHalves, there: SumsThere): ClickSums {
  const series = new SeriesAtHand(there)
  const slots = new SlotsAtHand(there.slots)
  const places: ClickSlot[] = []
  const counted: StaleSeries[] = []
  for (const { at, click } of steps) {
    const before = places[at] ?? touched[at]?.stored ?? null
    if (before !== null) slots.uncount(before)
    const { id, series: into } = series.count(click)
    const place = { seriesId: id, slot: slotOf(click.atMs) }
    slots.count(place, click.user)
    places[at] = place
    counted.push(into)
  }
  return { ...series.changes(), ...slots.changes(), places, counted }
}

/** Series that clicks of these halves may count in where there is room, each once. */
export function seriesToAsk({ steps }: Pick<JoinedHalves, 'steps'>): readonly StaleSeries[] {
  return distinctSeries(steps.map(({ click }) => seriesOf(click)))
}

/** Series that they count in where a project has as many as it may. */
export function roomsToAsk(series: readonly StaleSeries[]): readonly StaleSeries[] {
  const asked = new Set(series.map(seriesKey))
  return distinctSeries(series.flatMap(seriesWhenFull)).filter((room) => !asked.has(seriesKey(room)))
}

/** True if the project may have as many series as it may, before all that are unknown began. */
export function mayBeFull(count: number, unknown: number): boolean {
  return count + unknown > max('staleSeriesPerProjectMax')
}

/** Returns the slots that the halves may change, of series that are stored. */
export function slotsToAsk(
  { steps, touched }: JoinedHalves,
  series: readonly SeriesSum[],
): readonly ClickSlot[] {
  const ids = new Map(series.map((sum) => [seriesKey(sum.series), sum.id]))
  const before = touched.flatMap(({ stored }) => stored ?? [])
  const after = steps.flatMap(({ click }) => {
    const own = seriesOf(click)
    return [own, ...seriesWhenFull(own)].flatMap((one) => {
      const seriesId = ids.get(seriesKey(one))
      return seriesId === undefined ? [] : [{ seriesId, slot: slotOf(click.atMs) }]
    })
  })
  const asked = [...before, ...after].map(({ seriesId, slot }) => ({ seriesId, slot }))
  return [...new Map(asked.map((place) => [slotKey(place), place])).values()]
}

class SeriesAtHand {
  readonly #sums: Map<string, SeriesSum>
  readonly #counts: Map<ProjectId, number>
  readonly #changed = new Set<string>()
  #begun = 0

  constructor({ series, seriesCounts }: SumsThere) {
    this.#sums = new Map(series.map((sum) => [seriesKey(sum.series), sum]))
    this.#counts = new Map(seriesCounts)
  }

  /** Answers the series that it counts in. */
  count(click: StaleClick): SeriesSum {
    const { atMs } = click
    const series = this.#roomFor(seriesOf(click))
    const key = seriesKey(series)
    const known = this.#sums.get(key)
    this.#changed.add(key)
    const sum =
      known === undefined
        ? { id: this.#begin(series), series, example: exampleOf(click), firstMs: atMs, lastMs: atMs }
        : {
            ...known,
            example: newerExample(known.example, click),
            ...{ firstMs: Math.min(known.firstMs, atMs), lastMs: Math.max(known.lastMs, atMs) },
          }
    this.#sums.set(key, sum)
    return sum
  }

  changes(): Pick<ClickSums, 'begun' | 'changed'> {
    const all = [...this.#changed].flatMap((key) => this.#sums.get(key) ?? [])
    return { begun: all.filter(({ id }) => id < 0), changed: all.filter(({ id }) => id >= 0) }
  }

  #roomFor(series: StaleSeries): StaleSeries {
    const isFull = (this.#counts.get(series.projectId) ?? 0) >= max('staleSeriesPerProjectMax')
    if (!isFull || this.#sums.has(seriesKey(series))) return series
    const rooms = seriesWhenFull(series)
    return rooms.find((room) => this.#sums.has(seriesKey(room))) ?? rooms.at(-1) ?? series
  }

  #begin({ projectId }: StaleSeries): number {
    this.#counts.set(projectId, (this.#counts.get(projectId) ?? 0) + 1)
    return -++this.#begun
  }
}

class SlotsAtHand {
  readonly #stored: ReadonlySet<string>
  readonly #sums: Map<string, ClickSlotSum>
  readonly #changed = new Map<string, ClickSlot>()

  constructor(slots: readonly SlotCount[]) {
    this.#sums = new Map(slots.map((sum) => [slotKey(sum), { ...sum, users: [], isAnew: false }]))
    this.#stored = new Set(this.#sums.keys())
  }

  /** A slot without a click goes, with those who clicked. */
  uncount(place: ClickSlot): void {
    const key = slotKey(place)
    const sum = this.#sums.get(key)
    if (sum === undefined) return
    this.#changed.set(key, place)
    if (sum.count > 1) this.#sums.set(key, { ...sum, count: sum.count - 1 })
    else this.#sums.delete(key)
  }

  count(place: ClickSlot, user: bigint | null): void {
    const key = slotKey(place)
    const { count, users, isAnew } = this.#sums.get(key) ?? { count: 0, users: [], isAnew: true }
    this.#changed.set(key, place)
    this.#sums.set(key, {
      ...place,
      count: count + 1,
      users: user === null ? users : [...users, user],
      isAnew,
    })
  }

  changes(): Pick<ClickSums, 'slots' | 'emptied'> {
    const changed = [...this.#changed]
    return {
      slots: changed.flatMap(([key]) => this.#sums.get(key) ?? []),
      emptied: changed.flatMap(([key, { seriesId, slot }]) =>
        this.#stored.has(key) && !this.#sums.has(key) ? [{ seriesId, slot }] : [],
      ),
    }
  }
}

function distinctSeries(series: readonly StaleSeries[]): readonly StaleSeries[] {
  return [...new Map(series.map((one) => [seriesKey(one), one])).values()]
}

function seriesKey({ projectId, environment, release, fromRelease, failure, route }: StaleSeries): string {
  return JSON.stringify([projectId, environment, release, fromRelease, failure, route])
}

export function slotKey({ seriesId, slot }: ClickSlot): string {
  return `${seriesId} ${slot}`
}
