/** Rows of a waterfall and where things stand in it: folding, finding, own time, the axis. Pure. */
import type { Side } from '#parts/span-sides.ts'
import { durationText } from '#ui/time-text.ts'
import { LCP_OP, type SpanColumns } from './span-columns.ts'
import type { SpanTree } from './span-tree.ts'
import { repeatsId, repeatsOf } from './waterfall-repeats.ts'

/** A row: a span, the paint that a page load measured, or an error. */
export type WaterfallRow =
  | { readonly kind: 'span'; readonly place: number; readonly depth: number; readonly isMatch: boolean }
  | { readonly kind: 'paint'; readonly place: number; readonly depth: number }
  | { readonly kind: 'error'; readonly at: number; readonly depth: number }
  /** `others` say the same as the span at `place`, which stands above. */
  | {
      readonly kind: 'repeats'
      readonly place: number
      readonly depth: number
      readonly others: readonly number[]
      readonly isOpen: boolean
    }
  | { readonly kind: 'service'; readonly service: number; readonly depth: number; readonly spans: number }

export interface RowChoice {
  /** Span ids whose children are hidden. */
  readonly folded: ReadonlySet<string>
  /** Text that is looked for: what has it is shown, with everything above it. */
  readonly find: string
  /** Spans of the errors, in order: where each happened. */
  readonly errorSpans: readonly (string | null)[]
}

export function waterfallRows(
  columns: SpanColumns,
  tree: SpanTree,
  choice: RowChoice,
): readonly WaterfallRow[] {
  const matches = matchesOf(columns, tree, choice.find)
  const errors = errorsBySpan(columns, choice)
  const rows: WaterfallRow[] = []
  const repeats = matches === null ? repeatsOf(columns, tree, errors) : NO_REPEATS
  const isOpen = (first: number) => choice.folded.has(repeatsId(columns.id[first] ?? ''))
  const hidden = new Set([...repeats].flatMap(([first, others]) => (isOpen(first) ? [] : others)))
  /** Firsts of repeats whose own spans are not all shown yet. */
  const open: number[] = []
  const close = (depth: number) => {
    while (open.length > 0 && depth <= (columns.depth[open.at(-1) ?? 0] ?? 0)) {
      const place = open.pop() ?? 0
      const others = repeats.get(place) ?? []
      rows.push({
        ...{ kind: 'repeats', place, others },
        ...{ depth: columns.depth[place] ?? 0, isOpen: isOpen(place) },
      })
    }
  }
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const [place, id] of columns.id.entries()) {
    const depth = columns.depth[place] ?? 0
    if (depth > hiddenBelow) continue
    hiddenBelow = Number.POSITIVE_INFINITY
    if (matches !== null && !matches.shown.has(place)) continue
    close(depth)
    if (hidden.has(place)) {
      hiddenBelow = depth
      continue
    }
    rows.push({ kind: 'span', place, depth, isMatch: matches === null || matches.found.has(place) })
    if (repeats.has(place)) open.push(place)
    if (choice.folded.has(id) && matches === null) {
      hiddenBelow = depth
      continue
    }
    for (const at of errors.get(id) ?? []) rows.push({ kind: 'error', at, depth: depth + 1 })
    if (columns.lcpMs[place] !== undefined && !isPaint(columns, place)) {
      rows.push({ kind: 'paint', place, depth: depth + 1 })
    }
  }
  close(Number.NEGATIVE_INFINITY)
  for (const at of errors.get(null) ?? []) rows.push({ kind: 'error', at, depth: 0 })
  return rows
}

const NO_REPEATS: ReadonlyMap<number, readonly number[]> = new Map()

/** Places of errors by the span they happened in; `null`: in none that came. */
export function errorsBySpan(
  { id }: SpanColumns,
  { errorSpans }: Pick<RowChoice, 'errorSpans'>,
): ReadonlyMap<string | null, readonly number[]> {
  const known = new Set(id)
  return Map.groupBy(errorSpans.keys(), (at) => {
    const span = errorSpans[at] ?? null
    return span !== null && known.has(span) ? span : null
  })
}

/** A span that is itself the largest contentful paint. */
export function isPaint({ texts, op }: SpanColumns, place: number): boolean {
  return LCP_OP.test(texts[op[place] ?? -1] ?? '')
}

/** A span that carries a web vital: a point, however long it is. */
function isVital({ texts, op }: SpanColumns, place: number): boolean {
  return (texts[op[place] ?? -1] ?? '').startsWith('ui.webvital.')
}

/** Places that have a text in operation, name or id, and those above them; `null` where nothing is looked for. */
export function matchesOf({ texts, op, name, id }: SpanColumns, { parents }: SpanTree, find: string) {
  const wanted = find.trim().toLowerCase()
  if (wanted === '') return null
  const has = texts.map((text) => text.toLowerCase().includes(wanted))
  const found = new Set<number>()
  const shown = new Set<number>()
  for (const [place, spanId] of id.entries()) {
    if (has[op[place] ?? -1] !== true && has[name[place] ?? -1] !== true && spanId !== wanted) continue
    found.add(place)
    for (let up = place; up >= 0 && !shown.has(up); up = parents[up] ?? -1) shown.add(up)
  }
  return { found, shown }
}

/**
 * Returns ids of spans that begin folded, so that a trace of thousands opens with its outline, and of repeats that begin
 * open, for the chosen span is one of them.
 */
export function foldedAtFirst(
  columns: SpanColumns,
  tree: SpanTree,
  { chosen, errorSpans }: { readonly chosen: string | null } & Pick<RowChoice, 'errorSpans'>,
): ReadonlySet<string> {
  const place = chosen === null ? -1 : columns.id.indexOf(chosen)
  const above = new Set(pathTo(tree, place))
  const opened = [...repeatsOf(columns, tree, errorsBySpan(columns, { errorSpans }))]
    .filter(([, others]) => others.some((other) => above.has(other)))
    .map(([first]) => repeatsId(columns.id[first] ?? ''))
  if (columns.id.length <= UNFOLDED_MAX) return new Set(opened)
  const kept = new Set([...above, ...columns.failed.flatMap((each) => pathTo(tree, each))])
  const folded = columns.id.filter(
    (_, at) =>
      (tree.children[at]?.length ?? 0) > CHILDREN_UNFOLDED_MAX &&
      (columns.depth[at] ?? 0) > 0 &&
      !kept.has(at),
  )
  return new Set([...opened, ...folded])
}

/** A place and those above it. */
function pathTo({ parents }: SpanTree, place: number): readonly number[] {
  const path: number[] = []
  for (let up = place; up >= 0; up = parents[up] ?? -1) path.push(up)
  return path
}

const UNFOLDED_MAX = 1_000
const CHILDREN_UNFOLDED_MAX = 50

interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** When a span did something itself: no child ran. None for one without children, which is its own all along. */
export function ownStretches(columns: SpanColumns, { children }: SpanTree, place: number) {
  const { startMs, tookMs } = columns
  const below = (children[place] ?? []).filter((child) => !isVital(columns, child))
  if (below.length === 0) return []
  const fromMs = startMs[place] ?? 0
  const toMs = fromMs + (tookMs[place] ?? 0)
  const own: Stretch[] = []
  let until = fromMs
  for (const child of [...below].sort((a, b) => (startMs[a] ?? 0) - (startMs[b] ?? 0))) {
    const begins = Math.min(startMs[child] ?? 0, toMs)
    if (begins > until) own.push({ fromMs: until, toMs: begins })
    until = Math.max(until, Math.min((startMs[child] ?? 0) + (tookMs[child] ?? 0), toMs))
  }
  if (toMs > until) own.push({ fromMs: until, toMs })
  return own
}

/** The axis: at most eight ticks at round times, and so wide that the label of the last bar has room. */
export function axisOf(totalMs: number): Omit<WaterfallTimes, 'zoom'> {
  const spanMs = (totalMs === 0 ? MOMENT_MS : totalMs) * 1.14
  const step = tickStep(spanMs / 7)
  const ticks = Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, nth) => nth * step)
  return { spanMs, stepMs: step, ticks }
}

/** The part of a trace that is in view. */
export interface TimeView {
  readonly startMs: number
  readonly endMs: number
}

export interface WaterfallTimes {
  /** Length of the whole trace. */
  readonly spanMs: number
  /** From tick to tick. */
  readonly stepMs: number
  readonly ticks: readonly number[]
  /** Attributes of a nested `svg` that place the whole, if only a part is in view. */
  readonly zoom: { readonly x: string; readonly width: string } | null
}

/** The axis of the part that is in view; `null`: all of it. */
export function zoomedAxis(totalMs: number, view: TimeView | null): WaterfallTimes {
  const whole = axisOf(totalMs)
  if (view === null) return { ...whole, zoom: null }
  const { spanMs } = whole
  const shownMs = view.endMs - view.startMs
  const step = tickStep(shownMs / 7)
  const first = Math.floor(view.startMs / step)
  const count = Math.ceil(view.endMs / step) - first
  return {
    ...{ spanMs, stepMs: step },
    ticks: Array.from({ length: count + 1 }, (_, nth) => (first + nth) * step),
    zoom: {
      x: `${(-100 * view.startMs) / shownMs}%`,
      width: `${(100 * spanMs) / shownMs}%`,
    },
  }
}

/** Nothing is told apart below a tenth of a millisecond. */
const VIEW_MS_MIN = 0.1

/** Returns a view of the same middle, so many times as long, within the trace; `null`: all of it. */
export function scaledView(spanMs: number, view: TimeView | null, by: number): TimeView | null {
  const { startMs, endMs } = view ?? { startMs: 0, endMs: spanMs }
  const length = Math.max(VIEW_MS_MIN, (endMs - startMs) * by)
  if (length >= spanMs) return null
  const start = Math.min(Math.max(0, (startMs + endMs) / 2 - length / 2), spanMs - length)
  return { startMs: start, endMs: start + length }
}

/** Returns the view of a stretch with some room around it; `null`: that is all of the trace. */
export function clampView(spanMs: number, fromMs: number, toMs: number): TimeView | null {
  const [start, end] = [Math.min(fromMs, toMs), Math.max(fromMs, toMs)]
  const room = Math.max(VIEW_MS_MIN, (end - start) * 0.1)
  const view = { startMs: Math.max(0, start - room), endMs: Math.min(spanMs, end + room) }
  return view.endMs - view.startMs >= spanMs ? null : view
}

/** The axis of what took no time. */
const MOMENT_MS = 10

const MINUTE = 60_000
/** Beyond seconds, times are round by the clock. */
const LONG_STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map(
  (minutes) => minutes * MINUTE,
)

/** The smallest round step of at least so many milliseconds. */
function tickStep(least: number): number {
  const long = least > 20_000 ? LONG_STEPS.find((one) => one >= least) : undefined
  const magnitude = 10 ** Math.floor(Math.log10(least))
  return long ?? ([1, 2, 2.5, 5, 10].find((one) => one * magnitude >= least) ?? 10) * magnitude
}

/**
 * `250 ms`, `1.25 s`, `0`, `2 min`, `1 h 30 min`; as exact as ticks need to differ, `stepMs` apart: `1.6104 s`,
 * `2 min 3.4 s`.
 */
export function durationTickText(ms: number, stepMs: number): string {
  if (ms === 0) return '0'
  if (ms < 1_000) return `${roundTo(ms, stepMs)} ms`
  if (ms === MINUTE) return '1 min'
  if (ms < 100_000) return `${roundTo(ms / 1_000, stepMs / 1_000)} s`
  if (stepMs % 1_000 === 0) return durationText(ms)
  const minutes = Math.floor(ms / MINUTE)
  return `${durationText(minutes * MINUTE)} ${roundTo((ms % MINUTE) / 1_000, stepMs / 1_000)} s`
}

/** Without the digits that are below a tenth of the step: 2.5 apart have one. */
function roundTo(value: number, step: number): number {
  const digits = Math.ceil(-Math.log10(step)) + 1
  return Number(value.toFixed(Math.min(9, Math.max(0, digits))))
}

export function sideOf({ sides }: SpanColumns, place: number): Side {
  const side = sides[place]
  return side === 'b' || side === 'd' ? side : 's'
}

/** Returns the row that the cursor moves to; the same row at the ends. */
export function stepFrom(rows: readonly WaterfallRow[], key: string, step: number): WaterfallRow | undefined {
  const at = rows.findIndex((row) => rowKey(row) === key)
  if (at < 0) return rows[0]
  return rows[Math.min(rows.length - 1, Math.max(0, at + step))]
}

/** The next row that matches what is looked for, round from the end to the beginning. */
export function nextMatch(rows: readonly WaterfallRow[], key: string): WaterfallRow | undefined {
  const at = rows.findIndex((row) => rowKey(row) === key)
  const turned = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
  return turned.find((row) => row.kind === 'span' && row.isMatch)
}

/** Names a row as long as the trace is shown. */
export function rowKey(row: WaterfallRow): string {
  if (row.kind === 'error') return `error-${row.at}`
  return row.kind === 'service' ? `service-${row.service}` : `${row.kind}-${row.place}`
}
