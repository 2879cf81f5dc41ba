/** Marks on a chart: vertical lines with names, each a link to what it marks. */
import { Fragment, type ReactNode } from 'react'
import { CHART_HEAD, CHART_HEIGHT } from './axis-line.ts'

export interface TrendMark {
  readonly atMs: number
  /** Whole, as it is read out and shown under the pointer. */
  readonly name: string
  /** As short as people say it. */
  readonly label: string
}

/** The line of a mark as a link, inside an `svg`: `a` is an element of both. */
export type LinkOfMark = (
  mark: TrendMark,
  line: { readonly className: string; readonly children: ReactNode },
) => ReactNode

/** In the order of time, as Tab goes through them. Places are attributes: the policy of the pages allows no style. */
export function MarkLinks(props: {
  readonly marks: readonly TrendMark[]
  readonly percent: (atMs: number) => number
  readonly linkOf: LinkOfMark
}) {
  return labelled(props.marks, props.percent)
    .filter(({ at }) => at >= 0 && at <= 100)
    .map(({ mark, at, label }) => (
      <Fragment key={`${mark.atMs} ${mark.name}`}>
        {props.linkOf(mark, {
          // A finger cannot tell apart what lies so near; the newest of them is there.
          className: `group cursor-pointer ${label === 'none' ? 'max-phone:hidden' : ''}`,
          children: (
            <MarkLine name={mark.name} at={at} text={label === 'none' ? null : mark.label} label={label} />
          ),
        })}
      </Fragment>
    ))
}

function MarkLine(props: {
  readonly name: string
  readonly at: number
  readonly text: string | null
  readonly label: Label
}) {
  const { at } = props
  const anchor = at > 85 ? 'end' : at < 8 ? 'start' : 'middle'
  return (
    <>
      <title>{`Release ${props.name}`}</title>
      <line
        x1={`${at}%`}
        x2={`${at}%`}
        y1={CHART_HEAD - 4}
        y2={CHART_HEAD + CHART_HEIGHT}
        className="stroke-ink-2 group-hover:stroke-accent group-focus-visible:stroke-accent group-focus-visible:stroke-2"
      />
      {props.text === null ? null : (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus; the title above names the link
        <g aria-hidden="true">
          <text
            x={`${at}%`}
            y={11}
            textAnchor={anchor}
            className={`fill-ink-2 text-11 underline decoration-ink-3 underline-offset-2 group-hover:fill-accent group-focus-visible:fill-accent ${props.label === 'wide' ? 'max-phone:hidden' : ''}`}
          >
            {props.text}
          </text>
        </g>
      )}
      <rect
        x={`${at}%`}
        y={0}
        height={CHART_HEAD + CHART_HEIGHT}
        className={`w-5 fill-transparent [transform-box:fill-box] max-phone:w-11 ${HIT[anchor]}`}
      />
    </>
  )
}

/** What can be pressed lies where the name is, so that nothing of it leaves the page. */
const HIT = { start: '', middle: '-translate-x-1/2', end: '-translate-x-full' } as const

const LABEL_PERCENT = 13

/** `wide`: there is room for it in a wide window alone. `none`: it would lie on another; it is read out alone. */
type Label = 'shown' | 'wide' | 'none'

/** Of names that would lie on another the newer one stays. */
function labelled(marks: readonly TrendMark[], percent: (atMs: number) => number) {
  let edge = Number.POSITIVE_INFINITY
  return [...marks]
    .sort((a, b) => b.atMs - a.atMs)
    .map((mark): { readonly mark: TrendMark; readonly at: number; readonly label: Label } => {
      const at = percent(mark.atMs)
      if (edge - at < LABEL_PERCENT) return { mark, at, label: 'none' }
      const label = edge === Number.POSITIVE_INFINITY ? 'shown' : 'wide'
      edge = at
      return { mark, at, label }
    })
    .reverse()
}
