/** Breadcrumbs on a time axis that ends with the exception. */

import type { StoredEvent } from '#parts/issue-types.ts'
import { cutText } from '#ui/cut-text.ts'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { offsetText, spanText } from '#ui/time-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import { type Breadcrumb, crumbOffsets, crumbRow } from './crumbs.ts'
import { EventIcon, type EventIconName } from './event-icon.tsx'
import { Scrubbed } from './scrubbed.tsx'
import { lineText } from './value-text.ts'

/** Rows that are shown at once; what came earlier opens by hand. */
const SHOWN = 10

export function Breadcrumbs({ event, title }: { readonly event: StoredEvent; readonly title: string }) {
  const crumbs = event.breadcrumbs?.values ?? []
  if (crumbs.length === 0) return null
  const offsets = crumbOffsets(crumbs, event.timestamp)
  const first = Math.max(0, crumbs.length - SHOWN)
  const startMs = Math.min(0, ...offsets.filter((offset) => offset !== null))
  const shownStart = Math.min(0, ...offsets.slice(first).filter((offset) => offset !== null))
  const row = (crumb: Breadcrumb, index: number, axisMs: number) => (
    <CrumbLine key={index} crumb={crumb} index={index} offset={offsets[index] ?? null} axisMs={axisMs} />
  )
  return (
    <Section title="Breadcrumbs" note={`${quantityText(crumbs.length, 'step')}, ${beforeEventText(startMs)}`}>
      {first === 0 ? null : (
        <details>
          <summary className="link flex min-h-8 items-center text-12 max-phone:min-h-11">
            Show {quantityText(first, 'earlier step')}
          </summary>
          <ol>{crumbs.slice(0, first).map((crumb, index) => row(crumb, index, startMs))}</ol>
        </details>
      )}
      <ol className="border-t">
        {crumbs.slice(first).map((crumb, at) => row(crumb, first + at, shownStart))}
        <Line offset={0} axisMs={shownStart} icon="exclamation" label="this event" isEvent>
          {visibleText(title)}
        </Line>
      </ol>
    </Section>
  )
}

function beforeEventText(startMs: number): string {
  if (-startMs < 50) return 'at the same moment'
  const text = spanText(-startMs)
  return text === 'now' ? `in the last ${(-startMs / 1000).toFixed(1)} s` : `in the last ${text}`
}

function CrumbLine(props: {
  readonly crumb: Breadcrumb
  readonly index: number
  readonly offset: number | null
  readonly axisMs: number
}) {
  const { crumb, index } = props
  const row = crumbRow(crumb)
  const data = Object.entries(crumb.data ?? {})
  return (
    <Line
      offset={props.offset}
      axisMs={props.axisMs}
      icon={row.icon}
      label={row.label}
      result={
        <>
          <span className={row.isBad ? 'text-bad' : ''}>{row.result}</span> {row.duration}
        </>
      }
    >
      {data.length === 0 && row.text.length < 200 ? (
        <Scrubbed text={row.text} path={`breadcrumbs.values.${index}`} />
      ) : (
        <details className="group/crumb min-w-0">
          <summary className="truncate max-phone:-my-3 max-phone:py-3 group-open/crumb:whitespace-pre-wrap group-open/crumb:wrap-anywhere">
            <Scrubbed text={cutText(row.text, 2_000) || row.label} path={`breadcrumbs.values.${index}`} />
          </summary>
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 py-1 text-ink-2">
            {data.map(([key, value]) => (
              <div key={key} className="contents">
                <dt className="text-ink-3">{key}</dt>
                <dd className="foreign whitespace-pre-wrap">
                  <Scrubbed
                    text={typeof value === 'string' ? value : lineText(value)}
                    path={`breadcrumbs.values.${index}.data.${key}`}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Line>
  )
}

const AXIS_WIDTH = 112

function Line(props: {
  readonly offset: number | null
  readonly axisMs: number
  readonly icon: EventIconName
  readonly label: string
  readonly result?: React.ReactNode
  readonly isEvent?: boolean
  readonly children: React.ReactNode
}) {
  const { offset, axisMs, isEvent } = props
  const place = offset === null || axisMs === 0 ? 1 : 1 - Math.min(1, Math.max(0, offset / axisMs))
  return (
    <li
      className={`flex min-h-8 items-start gap-3 border-b px-2 py-1.5 text-12 leading-5 max-phone:min-h-11 max-phone:gap-2 max-phone:px-0 max-phone:py-3 ${isEvent === true ? 'bg-bad-soft text-bad' : ''}`}
    >
      <span className="num w-16 shrink-0 text-end font-mono text-ink-3">
        {offset === null ? '?' : offsetText(offset)}
      </span>
      <svg width={AXIS_WIDTH} height="20" aria-hidden="true" className="shrink-0 max-phone:hidden">
        <line x1="4" x2={AXIS_WIDTH - 4} y1="10" y2="10" className="stroke-grid" strokeWidth="2" />
        {offset === null ? null : (
          <circle
            cx={4 + place * (AXIS_WIDTH - 8)}
            cy="10"
            r={isEvent === true ? 3.5 : 2.5}
            className={isEvent === true ? 'fill-bad-fill' : 'fill-bar'}
          />
        )}
      </svg>
      <span className="flex h-5 w-4 shrink-0 items-center justify-center text-ink-2">
        <EventIcon name={props.icon} size={14} />
      </span>
      <span className="w-28 shrink-0 truncate text-ink-2 max-phone:hidden" title={props.label}>
        {props.label}
      </span>
      <code className="foreign min-w-0 flex-1">{props.children}</code>
      <span className="num shrink-0 text-ink-3">{props.result}</span>
    </li>
  )
}
