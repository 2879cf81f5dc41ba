/** Fields of a metric rule: what it measures, and from where on it is bad. */
import { useState } from 'react'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { useActionForm } from '#wire/action-form.tsx'
import type { MetricFields } from './rule-form.ts'
import { Choose, type Option, Typed } from './small-fields.tsx'
import { windowText } from './span-text.ts'
import { LevelWord } from './state-mark.tsx'

const MEASURES: readonly Option[] = [
  { value: 'failure-rate', label: 'failure rate' },
  { value: 'requests', label: 'requests' },
  { value: 'duration-50', label: 'p50 duration' },
  { value: 'duration-75', label: 'p75 duration' },
  { value: 'duration-95', label: 'p95 duration' },
  { value: 'duration-99', label: 'p99 duration' },
  { value: 'apdex', label: 'apdex' },
  { value: 'events', label: 'events' },
  { value: 'users', label: 'affected users' },
  { value: 'crash-free-sessions', label: 'crash-free sessions' },
  { value: 'crash-free-users', label: 'crash-free users' },
  { value: 'outcomes-rate_limited+invalid', label: 'items limited or invalid' },
  { value: 'outcomes-rate_limited', label: 'items limited' },
  { value: 'outcomes-invalid', label: 'items invalid' },
  { value: 'outcomes-filtered', label: 'items filtered' },
  { value: 'outcomes-client_discard', label: 'items discarded by the SDK' },
  { value: 'silence', label: 'time without events or traces' },
]
const DIRECTIONS: readonly Option[] = [
  { value: 'above', label: 'above' },
  { value: 'below', label: 'below' },
]
const KINDS: readonly Option[] = [
  { value: '', label: 'any kind' },
  ...Object.keys(REQUEST_KINDS).map((kind) => ({ value: kind, label: kind })),
]

function isOfRequests(measure: string): boolean {
  return /^(failure-rate|requests|duration|apdex)/.test(measure)
}

/** Unit of a measure’s thresholds. */
function unitOf(measure: string): string | undefined {
  if (measure.startsWith('duration')) return 'ms'
  if (measure === 'failure-rate' || measure.startsWith('crash-free')) return '%'
  return measure === 'silence' ? 'min' : undefined
}

export function MetricPart({
  metric,
  windows,
}: {
  readonly metric: MetricFields
  readonly windows: readonly string[]
}) {
  const [measure, setMeasure] = useState(metric.measure)
  const offered = MEASURES.some(({ value }) => value === metric.measure)
    ? MEASURES
    : [...MEASURES, { value: metric.measure, label: metric.measure }]
  return (
    <div className="grid gap-3 text-13">
      <div className="flex flex-wrap items-center gap-2">
        <Choose
          name="measure"
          label="Measure"
          initial={metric.measure}
          options={offered}
          onChange={setMeasure}
        />
        <span className={isOfRequests(measure) ? 'contents' : 'hidden'}>
          of
          <Typed name="route" label="Route, empty for any" empty="any route" initial={metric.route} />
          <Choose name="requestKind" label="Request kind" initial={metric.requestKind} options={KINDS} />
        </span>
        <span className={measure === 'apdex' ? 'contents' : 'hidden'}>
          satisfied within
          <Typed name="thresholdMs" label="Threshold in ms" initial={metric.thresholdMs} numeric unit="ms" />
        </span>
      </div>
      <div className={measure === 'silence' ? 'hidden' : 'flex flex-wrap items-center gap-2'}>
        over
        <Choose
          name="windowMinutes"
          label="Window"
          initial={metric.windowMinutes}
          options={windows.map((value) => ({ value, label: windowText(Number(value)) }))}
        />
        with at least
        <Typed name="atLeast" label="At least" initial={metric.atLeast} numeric />
      </div>
      <Thresholds metric={metric} unit={unitOf(measure)} />
      <div className={measure === 'silence' ? 'hidden' : 'flex flex-wrap items-center gap-2'}>
        only if also
        <Typed
          name="timesLastWeek"
          label="Times the same hour last week"
          initial={metric.timesLastWeek}
          numeric
          unit="×"
        />
        the same hour last week (optional)
      </div>
    </div>
  )
}

const LEVELS = ['critical', 'warning', 'resolved'] as const

function Thresholds({ metric, unit }: { readonly metric: MetricFields; readonly unit: string | undefined }) {
  const { fields } = useActionForm()
  const errors = [...LEVELS, 'measure', 'windowMinutes'].flatMap((name) => fields[name] ?? [])
  return (
    <div className="grid gap-2">
      {LEVELS.map((level) => (
        <div key={level} className="flex items-center gap-2">
          <span className="w-24">
            {level === 'resolved' ? <span className="text-good">resolved</span> : <LevelWord level={level} />}
          </span>
          {level === 'critical' ? (
            <Choose name="direction" label="Direction" initial={metric.direction} options={DIRECTIONS} />
          ) : null}
          <Typed name={level} label={`Threshold of ${level}`} initial={metric[level]} numeric unit={unit} />
        </div>
      ))}
      {errors.length === 0 ? null : (
        <p role="alert" className="text-12 text-bad">
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}
