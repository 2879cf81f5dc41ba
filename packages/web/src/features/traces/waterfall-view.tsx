/** The waterfall: a tree of spans beside their times. Only the rows in sight are drawn, however many there are. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { byWord } from '#ui/by-word.ts'
import type { Chosen } from './chosen.ts'
import { useRowHeight } from './row-height.ts'
import { ROW_HEIGHT } from './span-time.tsx'
import { type SpanTree, treeOf } from './span-tree.ts'
import type { TraceData } from './trace.server.ts'
import { useOrder } from './use-order.ts'
import {
  axisOf,
  clampView,
  foldedAtFirst,
  nextMatch,
  rowKey,
  scaledView,
  stepFrom,
  type TimeView,
  type WaterfallRow,
  type WaterfallTimes,
  zoomedAxis,
} from './waterfall.ts'
import { WaterfallAxis } from './waterfall-axis.tsx'
import { WaterfallBar } from './waterfall-bar.tsx'
import { WaterfallNotes } from './waterfall-notes.tsx'
import { isServiceId, orderedRows, serviceId, type WaterfallOrder } from './waterfall-orders.ts'
import { WaterfallOverview } from './waterfall-overview.tsx'
import { isRepeatsId, repeatsId } from './waterfall-repeats.ts'
import { WaterfallLine } from './waterfall-row.tsx'

/** Drawn on the server, before it is known how high the box is. */
const FIRST = { width: 1_000, height: 840 }
const OVERSCAN = 10
/** Rows above the chosen one at first. */
const ROWS_ABOVE = 8

interface WaterfallProps {
  readonly data: TraceData
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

export function Waterfall({ data, chosen, onChoose }: WaterfallProps) {
  const { columns, errors } = data
  // Measured with 10,000 spans: the tree takes 4 ms, the rows 3 ms, against 1 ms for what is drawn.
  const tree = useMemo(() => treeOf(columns), [columns])
  const [folded, setFolded] = useState(() => {
    const errorSpans = errors.map(({ spanId }) => spanId)
    return foldedAtFirst(columns, tree, { chosen: chosen.spanId, errorSpans })
  })
  const [find, setFind] = useState('')
  const [order, setOrder] = useOrder()
  const rows = useMemo(() => {
    const choice = { folded, find, errorSpans: errors.map(({ spanId }) => spanId) }
    return orderedRows(order, columns, { tree, choice })
  }, [order, columns, tree, errors, folded, find])
  const fold = useCallback((id: string, isFolded: boolean) => {
    setFolded((known) => {
      const next = new Set(known)
      if (isFolded) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  const [cursor, setCursor] = useState(() => keyOfChosen(data, chosen))
  const [view, setView] = useState<TimeView | null>(null)
  const axis = zoomedAxis(data.totalMs, view)
  const choose = (row: WaterfallRow) => {
    setCursor(rowKey(row))
    if (row.kind === 'repeats') fold(repeatsId(columns.id[row.place] ?? ''), !row.isOpen)
    else if (row.kind === 'service') fold(serviceId(row.service), !folded.has(serviceId(row.service)))
    else onChoose(chosenBy(data, row))
  }
  const matches = rows.reduce((sum, row) => sum + (row.kind === 'span' && row.isMatch ? 1 : 0), 0)
  const box = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const show = useRef<(row: WaterfallRow) => void>(() => {})
  const toNextMatch = () => {
    const row = nextMatch(rows, cursor)
    if (row === undefined) return
    choose(row)
    show.current(row)
  }
  return (
    <section aria-label="Waterfall" className="flex min-h-0 min-w-0 flex-col">
      <WaterfallBar
        data={data}
        find={find}
        matches={matches}
        onFind={setFind}
        onNext={toNextMatch}
        folded={foldedIn(order, folded)}
        onUnfold={() => setFolded((known) => new Set([...known].filter(isRepeatsId)))}
        order={order}
        onOrder={setOrder}
      />
      <div ref={box} className="min-h-0 flex-1 overflow-auto overscroll-x-contain max-wide:max-h-[70vh]">
        <div className="phone:min-w-170">
          <WaterfallOverview {...{ data, axis, view }} onView={setView} />
          <WaterfallAxis axis={axis} />
          {/* Where each row lies is known anew once the height is another one. */}
          <Rows
            key={rowHeight}
            {...{ data, tree, rows, rowHeight, folded, fold, cursor, chosen, box, show, choose, axis }}
            onZoom={(to) => setView((before) => zoomTo(data, { before, to, cursor }))}
            isTree={order === 'tree'}
            onMove={setCursor}
          />
          <WaterfallNotes data={data} />
        </div>
      </div>
    </section>
  )
}

function Rows(props: {
  readonly data: TraceData
  readonly tree: SpanTree
  /** Spans stand below those that they are part of, and are folded there. */
  readonly isTree: boolean
  readonly rows: readonly WaterfallRow[]
  readonly rowHeight: number
  readonly folded: ReadonlySet<string>
  readonly fold: (id: string, isFolded: boolean) => void
  readonly cursor: string
  readonly chosen: Chosen
  readonly box: React.RefObject<HTMLDivElement | null>
  /** Set here: brings a row into view. */
  readonly show: React.RefObject<(row: WaterfallRow) => void>
  readonly choose: (row: WaterfallRow) => void
  readonly axis: WaterfallTimes
  readonly onZoom: (to: Zoom) => void
  readonly onMove: (key: string) => void
}) {
  const { data, tree, rows, rowHeight, cursor, choose, onMove } = props
  const chosenKey = keyOfChosen(data, props.chosen)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => props.box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialRect: FIRST,
    initialOffset: () => (placeOfRow(rows, chosenKey) - ROWS_ABOVE) * rowHeight,
    scrollPaddingStart: ROW_HEIGHT,
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const { axis, onZoom } = props
  const show = (row: WaterfallRow) => virtual.scrollToIndex(rows.indexOf(row), { align: 'auto' })
  props.show.current = show
  const move = (row: WaterfallRow | undefined) => {
    if (row === undefined) return
    onMove(rowKey(row))
    show(row)
  }
  useShortcuts([
    { keys: 'j', label: 'Next span', run: () => move(stepFrom(rows, cursor, 1)) },
    { keys: 'k', label: 'Previous span', run: () => move(stepFrom(rows, cursor, -1)) },
    { keys: '+', label: 'Zoom in', run: () => onZoom('in') },
    { keys: '-', label: 'Zoom out', run: () => onZoom('out') },
    { keys: 'z', label: 'Zoom to the span', run: () => onZoom('span') },
    { keys: '0', label: 'Whole trace', run: () => onZoom('all') },
  ])
  const keyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    const row = rows.find((one) => rowKey(one) === cursor)
    const step = STEPS[event.key]
    if (step !== undefined) move(stepFrom(rows, cursor, step))
    else if (event.key === 'Enter' && row !== undefined) choose(row)
    else if (event.key === 'ArrowLeft' && row !== undefined) goUp(props, row, move)
    else if (event.key === 'ArrowRight' && row !== undefined) goDown(props, row, move)
    else return
    event.preventDefault()
  }
  const isDrawn = items.some(({ index }) => rows[index] !== undefined && rowKey(rows[index]) === cursor)
  return (
    <div
      role="tree"
      aria-label="Spans"
      tabIndex={0}
      aria-activedescendant={isDrawn ? cursor : undefined}
      onKeyDown={keyDown}
      className="group/tree focus-visible:outline-none"
    >
      <Space height={items[0]?.start ?? 0} />
      {items.map(({ index }) => {
        const row = rows[index]
        if (row === undefined) return null
        const key = rowKey(row)
        return (
          <WaterfallLine
            key={key}
            data={data}
            tree={tree}
            row={row}
            axis={axis}
            isFolded={row.kind === 'repeats' ? !row.isOpen : props.folded.has(foldId(props, row) ?? '')}
            canFold={row.kind === 'repeats' || foldId(props, row) !== null}
            isChosen={key === chosenKey}
            isCursor={key === cursor}
            chosenBy={chosenBy(data, row)}
            onFold={props.fold}
            onChoose={() => choose(row)}
          />
        )
      })}
      <Space height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = byWord({
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
})

interface TreeParts {
  readonly data: TraceData
  readonly tree: SpanTree
  readonly isTree: boolean
  readonly rows: readonly WaterfallRow[]
  readonly folded: ReadonlySet<string>
  readonly fold: (id: string, isFolded: boolean) => void
}

/** Folds what is open, and goes above what has nothing to fold. */
function goUp(parts: TreeParts, row: WaterfallRow, move: Move): void {
  const { data, rows, folded, fold } = parts
  const id = foldId(parts, row)
  if (row.kind === 'repeats' && row.isOpen) fold(repeatsId(data.columns.id[row.place] ?? ''), false)
  else if (id !== null && !folded.has(id)) fold(id, true)
  else move(rows.slice(0, rows.indexOf(row)).findLast(({ depth }) => depth < row.depth))
}

/** Opens what is folded, and goes below what is open. */
function goDown(parts: TreeParts, row: WaterfallRow, move: Move): void {
  const { data, rows, folded, fold } = parts
  const id = foldId(parts, row)
  if (row.kind === 'repeats' && !row.isOpen) fold(repeatsId(data.columns.id[row.place] ?? ''), true)
  else if (id === null) return
  else if (folded.has(id)) fold(id, false)
  else move(rows[rows.indexOf(row) + 1])
}

type Move = (row: WaterfallRow | undefined) => void

/** How much of what an order shows is folded. */
function foldedIn(order: WaterfallOrder, folded: ReadonlySet<string>): number {
  if (order === 'flat') return 0
  return [...folded].filter((id) => !isRepeatsId(id) && isServiceId(id) === (order === 'service')).length
}

/** Returns the id that a row is folded by; `null` if nothing is below it. */
function foldId(
  { data, tree, isTree }: Pick<TreeParts, 'data' | 'tree' | 'isTree'>,
  row: WaterfallRow,
): string | null {
  if (row.kind === 'service') return serviceId(row.service)
  if (row.kind !== 'span' || !isTree || (tree.children[row.place]?.length ?? 0) === 0) return null
  return data.columns.id[row.place] ?? null
}

/**
 * Space in place of rows that are not drawn. The policy of the page allows no style in the document, an `svg`
 * has a height.
 */
function Space({ height }: { readonly height: number }) {
  return height <= 0 ? null : <svg width="1" height={height} aria-hidden="true" className="block" />
}

/** That of what has as many rows above it as are shown, at least. */
function placeOfRow(rows: readonly WaterfallRow[], key: string): number {
  return Math.max(
    ROWS_ABOVE,
    rows.findIndex((row) => rowKey(row) === key),
  )
}

type Zoom = 'in' | 'out' | 'span' | 'all'

/** Zooms after a key: half or twice as much, the span at the cursor, or all. */
function zoomTo(
  { columns, totalMs }: TraceData,
  { before, to, cursor }: { readonly before: TimeView | null; readonly to: Zoom; readonly cursor: string },
): TimeView | null {
  const { spanMs } = axisOf(totalMs)
  if (to === 'all') return null
  if (to !== 'span') return scaledView(spanMs, before, to === 'in' ? 0.5 : 2)
  const place = Number(/^(?:span|paint|repeats)-(\d+)$/.exec(cursor)?.[1] ?? Number.NaN)
  const startMs = columns.startMs[place]
  return startMs === undefined ? before : clampView(spanMs, startMs, startMs + (columns.tookMs[place] ?? 0))
}

function keyOfChosen({ columns }: TraceData, { spanId, error }: Chosen): string {
  if (error !== null) return rowKey({ kind: 'error', at: error, depth: 0 })
  const place = spanId === null ? 0 : Math.max(0, columns.id.indexOf(spanId))
  return rowKey({ kind: 'span', place, depth: 0, isMatch: true })
}

function chosenBy({ columns, errors }: TraceData, row: WaterfallRow): Chosen {
  if (row.kind === 'service') return { spanId: null, error: null }
  if (row.kind !== 'error') return { spanId: columns.id[row.place] ?? null, error: null }
  const spanId = errors[row.at]?.spanId ?? null
  return { spanId: spanId !== null && columns.id.includes(spanId) ? spanId : null, error: row.at }
}
