import type { CSSProperties, ReactNode } from 'react'
import { CHART_HEAD, CHART_HEIGHT } from './axis-line.ts'

/** A vertical line with a name above the chart. */
export interface TrendMark {
  readonly atMs: number
  /** Whole, as it is read out and shown under the pointer. */
  readonly name: string
  /** As short as people say it. */
  readonly label: string
}

/** The line of a mark, as a link to what it marks. */
export type LinkOfMark = (
  mark: TrendMark,
  line: {
    readonly className: string
    readonly style: CSSProperties
    readonly title: string
    readonly children: ReactNode
  },
) => ReactNode

/** In front of the chart, so that all of a line can be pressed. In the order of time, as Tab goes through them. */
export function MarkLinks(props: {
  readonly marks: readonly TrendMark[]
  readonly percent: (atMs: number) => number
  readonly linkOf: LinkOfMark | undefined
}) {
  const { marks, percent, linkOf } = props
  if (linkOf === undefined) return null
  return labelled(marks, percent)
    .filter(({ at }) => at >= 0 && at <= 100)
    .map(({ mark, at, label }) =>
      linkOf(mark, {
        className:
          'group absolute top-0 w-4 -translate-x-1/2 text-11 text-ink-2 hover:text-accent focus-visible:text-accent max-phone:w-6',
        style: { left: `${at}%`, height: CHART_HEAD + CHART_HEIGHT },
        title: mark.name,
        children: (
          <>
            <span
              aria-hidden="true"
              className="absolute inset-x-0 top-4 bottom-0 mx-auto w-px bg-ink-2 group-hover:w-0.5 group-hover:bg-accent"
            />
            <span
              className={`foreign absolute top-0 leading-4 whitespace-nowrap underline decoration-line-2 underline-offset-2 group-hover:decoration-current ${SIDE[sideOf(at)]} ${LABEL[label]}`}
            >
              <span className="sr-only">Release </span>
              {mark.label}
            </span>
          </>
        ),
      }),
    )
}

const SIDE = { start: 'left-1/2', end: 'right-1/2', middle: 'left-1/2 -translate-x-1/2' } as const
const LABEL = { shown: '', wide: 'max-phone:sr-only', none: 'sr-only' } as const

function sideOf(at: number): keyof typeof SIDE {
  return at > 85 ? 'end' : at < 8 ? 'start' : 'middle'
}

const LABEL_PERCENT = 13

/**
 * Names that would lie on another are read out alone, the newer one stays. Where it is narrow only the newest is seen
 * (`wide`: there is room for it in a wide window alone).
 */
function labelled(marks: readonly TrendMark[], percent: (atMs: number) => number) {
  let edge = Number.POSITIVE_INFINITY
  return [...marks]
    .sort((a, b) => b.atMs - a.atMs)
    .map((mark) => {
      const at = percent(mark.atMs)
      if (edge - at < LABEL_PERCENT) return { mark, at, label: 'none' as const }
      const label = edge === Number.POSITIVE_INFINITY ? ('shown' as const) : ('wide' as const)
      edge = at
      return { mark, at, label }
    })
    .reverse()
}
