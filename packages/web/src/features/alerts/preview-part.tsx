/** What a rule would have done in the last 14 days. */
import { useState } from 'react'
import { paths } from '#parts/paths.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time, useZone } from '#ui/time.tsx'
import { clockText, dateText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { PreviewData } from './rule-data.ts'
import { spanText } from './span-text.ts'
import { LevelWord } from './state-mark.tsx'

const ROWS_MAX = 20

export function PreviewPart({ preview, org }: { readonly preview: PreviewData; readonly org: string }) {
  const { firings, messages, atNight, notes, variants } = preview
  const critical = firings.filter(({ level }) => level === 'critical').length
  const warnings = firings.filter(({ level }) => level === 'warning').length
  return (
    <section aria-label="Preview">
      <p className="text-15 text-ink-2">
        Would have fired <b className="font-strong text-ink">{quantityText(firings.length, 'time')}</b> in the
        last 14 days
        {critical + warnings === 0 ? null : (
          <>
            : <b className="font-strong text-bad">{numberText(critical)} critical</b>,{' '}
            <b className="font-strong text-warn">{quantityText(warnings, 'warning')}</b>
          </>
        )}
        . <b className="font-strong text-ink">{quantityText(messages, 'message')}</b>
        {atNight > 0 ? `, ${numberText(atNight)} at night` : ''}.
      </p>
      {notes.length === 0 ? null : <p className="mt-1 text-12 text-ink-3">{notes.join(' ')}</p>}
      {preview.values === null ? null : <PreviewChart preview={preview} />}
      {variants.length === 0 ? null : (
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
          Times fired
          <span>
            as it is: <b className="font-strong text-ink">{numberText(firings.length)}</b>
          </span>
          {variants.map(({ label, times }) => (
            <span key={label}>
              {label}: <b className="font-strong text-ink">{numberText(times)}</b>
            </span>
          ))}
        </p>
      )}
      <PreviewTable preview={preview} org={org} />
    </section>
  )
}

function PreviewTable({ preview, org }: { readonly preview: PreviewData; readonly org: string }) {
  const { firings } = preview
  if (firings.length === 0) return null
  const newest = firings.slice(-ROWS_MAX).reverse()
  // Issue rules have no levels, metrics no issue.
  const isMetric = firings.some(({ level }) => level !== 'info')
  return (
    <div className="mt-4">
      <Table caption="Would have fired" stacks>
        <thead>
          <tr>
            <th scope="col">Would have fired</th>
            {isMetric ? (
              <>
                <th scope="col">Level</th>
                <th scope="col" className={tableNum}>
                  Worst
                </th>
                <th scope="col">Lasted</th>
              </>
            ) : (
              <th scope="col">Issue</th>
            )}
          </tr>
        </thead>
        <tbody>
          {newest.map((firing) => (
            <tr key={`${firing.startedMs} ${firing.issue?.shortId ?? ''}`}>
              <td className="whitespace-nowrap" data-label="Would have fired">
                <Time ms={firing.startedMs} />
              </td>
              {isMetric ? <MetricCells firing={firing} /> : <IssueCell firing={firing} org={org} />}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-2 text-12 text-ink-3">
        {firings.length > ROWS_MAX ? `The newest ${ROWS_MAX} of ${numberText(firings.length)}. ` : ''}Computed
        from stored counts, with the rule as shown here.
      </p>
    </div>
  )
}

type PastFiring = PreviewData['firings'][number]

function MetricCells({ firing }: { readonly firing: PastFiring }) {
  const { level, value, startedMs, endedMs } = firing
  return (
    <>
      <td data-label="Level">
        <LevelWord level={level} />
      </td>
      <td className={tableNum} data-label="Worst">
        {value ?? ''}
      </td>
      <td data-label="Lasted">{endedMs === null ? 'still firing' : spanText(endedMs - startedMs)}</td>
    </>
  )
}

function IssueCell({ firing: { issue }, org }: { readonly firing: PastFiring; readonly org: string }) {
  return (
    <td className="max-w-80 truncate" data-label="Issue">
      {issue === null ? null : (
        <>
          <PageLink to={paths.issue(org, issue.shortId)} className="link">
            {issue.shortId}
          </PageLink>{' '}
          <span className="foreign">{issue.title}</span>
        </>
      )}
    </td>
  )
}

const HEIGHT = 180
const WIDTH = 1_000

/** The measure by the hour, its thresholds as lines, shaded while the rule would have fired. */
function PreviewChart({ preview }: { readonly preview: PreviewData }) {
  const zone = useZone()
  const [isDay, setIsDay] = useState(false)
  const { values, startMs, firings } = isDay ? lastDay(preview) : preview
  const { lines, endMs, name } = preview
  if (values === null) return null
  const known = values.flatMap((value) => value ?? [])
  const top = 1.1 * Math.max(...known, ...lines.map(({ at }) => at), 1e-9)
  const low = Math.min(...known, ...lines.map(({ at }) => at))
  // What hovers far from zero, such as 99 %, shows nothing on a scale from zero.
  const base = low > 0.7 * top ? low - (top - low) / 4 : 0
  const x = (atMs: number) => ((atMs - startMs) / (endMs - startMs)) * WIDTH
  const y = (value: number) => HEIGHT - ((value - base) / (top - base)) * HEIGHT
  const label = isDay ? clockText : dateText
  return (
    <figure className="mt-4" aria-label={`${name}, by the hour`}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <span className="foreign text-13 font-strong">
          {name} <span className="font-normal text-12 text-ink-3">by the hour</span>
        </span>
        <Segmented label="Range">
          <button type="button" aria-pressed={!isDay} onClick={() => setIsDay(false)}>
            14 d
          </button>
          <button type="button" aria-pressed={isDay} onClick={() => setIsDay(true)}>
            24 h
          </button>
        </Segmented>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="presentation"
        className="block h-45 w-full overflow-visible border-b"
      >
        {firings.map((firing) => (
          <rect
            key={firing.startedMs}
            x={Math.max(0, x(firing.startedMs))}
            y={0}
            width={Math.max(3, x(firing.endedMs ?? endMs) - Math.max(0, x(firing.startedMs)))}
            height={HEIGHT}
            className={firing.level === 'critical' ? 'fill-bad-fill' : 'fill-warn-fill'}
            opacity={0.18}
          />
        ))}
        {lines.map((line) => (
          <line
            key={line.name}
            x1={0}
            x2={WIDTH}
            y1={y(line.at)}
            y2={y(line.at)}
            vectorEffect="non-scaling-stroke"
            strokeDasharray={line.name === 'resolved' ? '3 3' : undefined}
            className={LINE_TONES[line.name]}
          />
        ))}
        <path
          d={pathOf(values, (at) => x(startMs + (at + 0.5) * HOUR_MS), y)}
          fill="none"
          strokeWidth={2}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="stroke-ink-2"
        />
      </svg>
      <div className="num mt-1 flex justify-between text-11 text-ink-3" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part}>{label(startMs + (endMs - startMs) * part, zone)}</span>
        ))}
        <span>now</span>
      </div>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-2">
        {lines.map((line) => (
          <span key={line.name}>
            {line.name} {line.text}
          </span>
        ))}
        {preview.top === null ? null : <span>highest {preview.top}</span>}
      </figcaption>
    </figure>
  )
}

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

function lastDay({
  values,
  startMs,
  firings,
}: PreviewData): Pick<PreviewData, 'values' | 'startMs' | 'firings'> {
  const first = Math.max(0, (values?.length ?? 0) - DAY_HOURS)
  const fromMs = startMs + first * HOUR_MS
  return {
    values: values?.slice(first) ?? null,
    startMs: fromMs,
    firings: firings.filter(({ endedMs }) => endedMs === null || endedMs > fromMs),
  }
}

const LINE_TONES = {
  critical: 'stroke-bad-fill',
  warning: 'stroke-warn-fill',
  resolved: 'stroke-good-fill',
} as const

function pathOf(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false
  return values
    .map((value, at) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      // An hour by itself has no length: its round end is what shows.
      const isAlone = !isOpen && (values[at + 1] ?? null) === null
      const place = `${isOpen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isAlone ? 'h0' : ''}`
      isOpen = true
      return place
    })
    .join('')
}
