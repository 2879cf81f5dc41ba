/** A row of the waterfall: its place in the tree, then its time. A link to the span, so that it works before any script. */

import type { MouseEvent } from 'react'
import { KindBadge } from '#parts/issue-marks.tsx'
import type { Side } from '#parts/span-sides.ts'
import { Icon, PathIcon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useHydrated } from '#ui/time.tsx'
import { durationText } from '#ui/time-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import { type Chosen, chosenPath } from './chosen.ts'
import { ErrorTime, PaintTime, RepeatBars, ROW_HEIGHT, SpanTime } from './span-time.tsx'
import type { SpanTree } from './span-tree.ts'
import type { TraceData } from './trace.server.ts'
import { rowKey, sideOf, type WaterfallRow, type WaterfallTimes } from './waterfall.ts'
import { Zoomed } from './zoomed.tsx'

/** Width of the tree, of its heading and its rows alike. On a phone it stands above the times. */
export const TREE_COLUMN = 'w-95 shrink-0 max-wide:w-75 max-phone:w-full'
const INDENT = 10
/** Deeper spans stand no further to the right. */
const STEPS_SHOWN = 16
const SERVER_ICON = 'M2.5 3h11v4h-11Zm0 6h11v4h-11ZM5 5h.01M5 11h.01'

/** Above what stays at the left, which would hide a part of it. */
const CURSOR =
  'group-focus-visible/tree:after:pointer-events-none group-focus-visible/tree:after:absolute group-focus-visible/tree:after:inset-0 group-focus-visible/tree:after:z-3 group-focus-visible/tree:after:outline-2 group-focus-visible/tree:after:-outline-offset-2 group-focus-visible/tree:after:outline-accent'

export interface LineProps {
  readonly data: TraceData
  readonly tree: SpanTree
  readonly row: WaterfallRow
  readonly axis: WaterfallTimes
  readonly isFolded: boolean
  readonly canFold: boolean
  readonly isChosen: boolean
  readonly isCursor: boolean
  readonly chosenBy: Chosen
  readonly onFold: (id: string, isFolded: boolean) => void
  readonly onChoose: () => void
}

export function WaterfallLine(props: LineProps) {
  const { data, row, isChosen, isCursor, isFolded, canFold } = props
  const isHydrated = useHydrated()
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // Keys go on from here: the row itself may be drawn no more once it is out of sight.
    event.currentTarget.closest<HTMLElement>('[role=tree]')?.focus({ preventScroll: true })
    const isFold = event.target instanceof Element && event.target.closest('[data-fold]') !== null
    if (isFold && row.kind === 'span') props.onFold(data.columns.id[row.place] ?? '', !isFolded)
    else props.onChoose()
  }
  const back = isChosen ? 'bg-select' : 'bg-canvas group-hover/line:bg-hover'
  const isDim = row.kind === 'span' && !row.isMatch
  return (
    <a
      id={rowKey(row)}
      href={chosenPath(data, props.chosenBy)}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={canFold ? !isFolded : undefined}
      aria-selected={isChosen}
      tabIndex={isHydrated ? -1 : undefined}
      draggable={false}
      onClick={press}
      className={`group/line relative flex h-7 max-phone:h-11 max-phone:flex-col border-b border-grid text-13 ${back} ${isDim ? 'text-ink-3' : ''} ${isCursor ? CURSOR : ''} ${isChosen ? 'max-phone:shadow-[inset_3px_0_0_var(--accent)]' : ''}`}
    >
      <span
        className={`sticky start-0 z-2 flex items-center gap-1.5 overflow-hidden border-e pe-2 max-phone:h-6 max-phone:overflow-visible max-phone:border-e-0 max-phone:bg-transparent max-phone:pe-4 ${back} ${TREE_COLUMN} ${isChosen ? 'phone:shadow-[inset_3px_0_0_var(--accent)]' : ''}`}
      >
        <Indent depth={row.depth} />
        {canFold ? (
          <span
            data-fold=""
            className="-my-1 flex h-7 w-4 shrink-0 items-center justify-center text-ink-3 hover:text-ink max-phone:relative max-phone:-mx-3.5 max-phone:w-11 max-phone:after:absolute max-phone:after:inset-x-0 max-phone:after:-top-1 max-phone:after:h-11"
          >
            <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={12} />
          </span>
        ) : (
          <span className="w-4 shrink-0" />
        )}
        <Name {...props} />
      </span>
      <span className="min-w-0 flex-1 ps-2 max-phone:ps-4 max-phone:pe-6">
        <Times {...props} />
      </span>
    </a>
  )
}

/** Guide lines, one for each step. */
function Indent({ depth }: { readonly depth: number }) {
  const steps = Math.min(depth, STEPS_SHOWN)
  const width = 16 + steps * INDENT
  return (
    <svg
      width={width}
      height={ROW_HEIGHT}
      aria-hidden="true"
      className="shrink-0 max-phone:-ms-2 max-phone:h-6"
    >
      {Array.from({ length: steps }, (_, step) => {
        const x = 24.5 + step * INDENT
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        return <line key={step} x1={x} x2={x} y1="0" y2="100%" className="stroke-grid" />
      })}
    </svg>
  )
}

function Name(props: LineProps) {
  const { data, row } = props
  if (row.kind === 'error') {
    const error = data.errors[row.at]
    return (
      <>
        <ErrorMark isMirror={error?.isMirror ?? false} />
        <span className="foreign min-w-0 flex-1 truncate">
          <b className={`font-strong ${error?.isMirror === true ? '' : 'text-bad'}`}>
            {error?.isMirror === true ? 'browser copy' : 'error'}
          </b>{' '}
          {error?.shortId}
        </span>
      </>
    )
  }
  if (row.kind === 'service') {
    return (
      <>
        <b className="foreign min-w-0 flex-1 truncate font-strong">{data.columns.services[row.service]}</b>
        <span className="num shrink-0 text-12 text-ink-3">{quantityText(row.spans, 'span')}</span>
      </>
    )
  }
  if (row.kind === 'paint') {
    return (
      <>
        <Icon name="browser" size={12} className="shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 truncate">
          <b className="font-strong">paint</b> largest contentful paint
        </span>
      </>
    )
  }
  if (row.kind === 'repeats') {
    return (
      <span className="min-w-0 flex-1 truncate text-ink-2">
        {quantityText(row.others.length, 'more like it', 'more like it')}
        <span className="num ms-2 text-12 text-ink-3">{durationText(tookOf(data, row.others))} in all</span>
      </span>
    )
  }
  return <SpanName data={data} place={row.place} isFolded={props.isFolded} tree={props.tree} />
}

/** How long spans took, together. */
function tookOf({ columns }: TraceData, places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (columns.tookMs[place] ?? 0), 0)
}

function SpanName(props: {
  readonly data: TraceData
  readonly tree: SpanTree
  readonly place: number
  readonly isFolded: boolean
}) {
  const { data, place } = props
  const { columns } = data
  const kind = columns.kinds[place]
  const [op, name] = [
    columns.texts[columns.op[place] ?? -1] ?? '',
    columns.texts[columns.name[place] ?? -1] ?? '',
  ]
  return (
    <>
      <SideIcon side={sideOf(columns, place)} />
      <span className="foreign min-w-0 flex-1 truncate" title={visibleText(`${op} ${name}`)}>
        <b className="font-strong">{op}</b> {visibleText(name)}
      </span>
      {props.isFolded ? (
        <span className="num shrink-0 text-12 text-ink-3">+{numberText(belowCount(props.tree, place))}</span>
      ) : null}
      {kind === undefined || kind === 'browser' ? null : <KindBadge kind={kind} iconOnly />}
      {columns.orphans.includes(place) ? (
        <span className="shrink-0 text-12 text-ink-3" title="Its parent span has not arrived">
          no parent
        </span>
      ) : null}
      {columns.behind200.includes(place) ? (
        <b className="shrink-0 text-12 font-strong text-bad">failed with status 200</b>
      ) : (
        <span className="num shrink-0 text-12 text-ink-3">{columns.notes[place]}</span>
      )}
    </>
  )
}

/** Everything below a span, to the leaves. */
function belowCount({ children }: SpanTree, place: number): number {
  const open = [...(children[place] ?? [])]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1
    for (const child of children[next] ?? []) open.push(child)
  }
  return count
}

const SIDE_NAMES: Readonly<Record<Side, string>> = { b: 'browser', s: 'server', d: 'database' }

function SideIcon({ side }: { readonly side: Side }) {
  const className = 'shrink-0 text-ink-3'
  const label = SIDE_NAMES[side]
  if (side === 's') return <PathIcon path={SERVER_ICON} size={12} label={label} className={className} />
  return <Icon name={side === 'b' ? 'browser' : 'database'} size={12} label={label} className={className} />
}

function ErrorMark({ isMirror }: { readonly isMirror: boolean }) {
  return (
    <svg width="12" height="12" aria-hidden="true" className="shrink-0">
      {isMirror ? (
        <circle cx="6" cy="6" r="3.5" fill="none" strokeWidth="1.5" className="stroke-bad-fill" />
      ) : (
        <circle cx="6" cy="6" r="4" className="fill-bad-fill" />
      )}
    </svg>
  )
}

function Times(props: LineProps) {
  const { data, row, axis } = props
  return (
    <svg
      width="100%"
      height={ROW_HEIGHT}
      aria-hidden="true"
      className={`num block text-12 max-phone:h-5 ${axis.zoom === null ? 'overflow-visible' : 'overflow-hidden'}`}
    >
      <Zoomed axis={axis}>
        {axis.ticks.map((ms) => {
          const x = `${(ms / axis.spanMs) * 100}%`
          return <line key={ms} x1={x} x2={x} y1="0" y2="100%" className="stroke-grid" />
        })}
        {/* Drawn for a row of one line: below the name there is less room. */}
        <g className="max-phone:-translate-y-1.25">
          {row.kind === 'span' ? (
            <SpanTime data={data} tree={props.tree} place={row.place} axis={axis} />
          ) : null}
          {row.kind === 'error' ? <ErrorTime error={data.errors[row.at]} axis={axis} /> : null}
          {row.kind === 'paint' ? <PaintTime atMs={data.columns.lcpMs[row.place] ?? 0} axis={axis} /> : null}
          {row.kind === 'repeats' ? <RepeatBars data={data} places={row.others} axis={axis} /> : null}
        </g>
      </Zoomed>
    </svg>
  )
}
