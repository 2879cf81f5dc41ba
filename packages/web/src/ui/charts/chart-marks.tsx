/** Marks on a chart: vertical lines with names, each a link to what it marks where there is such. */

import type { Zone } from '../time-text.ts'
import type { ChartLink, ChartMark } from './chart-types.ts'
import { LABEL_GAP, type PlacedMark } from './label-places.ts'
import { markText } from './readings.ts'

/** So high is the room above a chart: for lines of names where it has marks. */
export function markHead(placed: readonly PlacedMark<ChartMark>[]): number {
  if (placed.length === 0) return 6
  return 7 + LABEL_GAP * (1 + placed.reduce((most, { row }) => Math.max(most, row), 0))
}

const DASHES = {
  release: undefined,
  deploy: undefined,
  flag: '2 3',
  percentile: undefined,
  note: '4 3',
} as const
const KINDS = { release: 'Release ', deploy: 'Deploy of ', flag: '', percentile: '', note: '' } as const

/**
 * Marks in the order of time, as Tab goes through them. Places are attributes: the policy of the pages allows
 * no style.
 */
export function ChartMarks(props: {
  readonly placed: readonly PlacedMark<ChartMark>[]
  readonly height: number
  readonly link: ChartLink
  readonly zone: Zone
}) {
  const { zone } = props
  return props.placed.map((placed) => {
    const { mark, label } = placed
    const line = <MarkLine key={mark.name} placed={placed} height={props.height} zone={zone} />
    const key = `${mark.atMs} ${mark.kind} ${mark.name}`
    if (mark.to === undefined)
      return (
        <g key={key} role={mark.kind === 'flag' ? 'img' : undefined}>
          {line}
        </g>
      )
    return (
      <g key={key}>
        {props.link(mark.to, {
          // A finger cannot tell apart what lies so near; the newest of them is there.
          className: `group cursor-pointer ${label === 'none' || placed.row > 0 ? 'max-phone:hidden' : ''}`,
          children: line,
        })}
      </g>
    )
  })
}

function MarkLine(props: {
  readonly placed: PlacedMark<ChartMark>
  readonly height: number
  readonly zone: Zone
}) {
  const { mark, at, label, row, isBefore } = props.placed
  const { height } = props
  const top = 11 + row * LABEL_GAP
  const place = `${at.toFixed(2)}%`
  const anchor = isBefore ? 'end' : 'start'
  const isLink = mark.to !== undefined
  return (
    <>
      <title>{`${KINDS[mark.kind]}${markText(mark, props.zone)}`}</title>
      <line
        x1={place}
        x2={place}
        y1={top - 9}
        y2={height}
        strokeDasharray={DASHES[mark.kind]}
        className="stroke-ink-2 group-hover:stroke-accent group-focus-visible:stroke-accent group-focus-visible:stroke-2"
      />
      {label === 'none' ? null : (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus; the title above names the link
        <g aria-hidden="true">
          <text
            x={place}
            dx={anchor === 'end' ? -4 : mark.kind === 'flag' ? 11 : 4}
            y={top}
            textAnchor={anchor}
            className={`foreign fill-ink-2 stroke-canvas text-11 [paint-order:stroke] [stroke-width:3px] ${isLink ? 'underline decoration-ink-3 underline-offset-2' : ''} group-hover:fill-accent group-focus-visible:fill-accent ${label === 'wide' ? 'max-phone:hidden' : ''}`}
          >
            {mark.label}
          </text>
          {mark.kind === 'flag' ? (
            <svg
              aria-hidden="true"
              x={place}
              y={top - 9}
              className={`overflow-visible ${label === 'wide' ? 'max-phone:hidden' : ''}`}
            >
              <path d="M0 0h9l-3 3.5 3 3.5H0Z" className="fill-ink-2" />
            </svg>
          ) : null}
        </g>
      )}
      {isLink ? (
        <>
          <rect
            x={place}
            y={top - 11}
            height={LABEL_GAP + 2}
            className={`w-12 fill-transparent [transform-box:fill-box] max-phone:hidden ${HIT[anchor]}`}
          />
          {/* A finger has all of the line. */}
          <rect
            x={place}
            y="0"
            height={height}
            className={`w-9 fill-transparent [transform-box:fill-box] phone:hidden ${HIT[anchor]}`}
          />
        </>
      ) : null}
    </>
  )
}

/** Classes that keep a pressable name within the page. */
const HIT = { start: '', end: '-translate-x-full' } as const
