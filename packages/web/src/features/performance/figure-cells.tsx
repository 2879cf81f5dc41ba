/** Numbers of requests as cells show them: each a link to what it counts. */
import type { ReactNode } from 'react'
import { countText, quantityText, shareText } from '#ui/number-text.ts'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import {
  type Alarms,
  FEW_REQUESTS,
  type Figures,
  isFailing,
  isFew,
  isSlow,
  isSlower,
  ratioText,
} from './figures.ts'

export const ESTIMATED = 'Estimated from sampled traces'

/** A link in the ink of its place, or the plain number where nothing is found by it. */
function NumberLink(props: {
  readonly to: string | null
  readonly className?: string | undefined
  readonly title?: string | undefined
  readonly children: ReactNode
}) {
  if (props.to === null)
    return (
      <span className={props.className} title={props.title}>
        {props.children}
      </span>
    )
  return (
    <PageLink to={props.to} className={props.className} title={props.title}>
      {props.children}
    </PageLink>
  )
}

/** Returns the class of a figure, one for all that figures have: a page has seven hundred of them. */
function figureClass(more = ''): string {
  return more === '' ? 'figure' : `figure ${more}`
}

/** A count of requests: `≈` where it was extrapolated, faint and no link where it is zero. */
export function CountLink(props: {
  /** The cell says how figures look: a page has seven hundred of them. */
  readonly isBare?: true
  readonly value: number
  readonly isEstimated: boolean
  readonly to: string | null
  readonly className?: string
}) {
  if (props.value === 0) return props.isBare === true ? '0' : <span className="figure-none">0</span>
  return (
    <NumberLink
      to={props.to}
      className={props.isBare === true ? props.className || undefined : figureClass(props.className)}
      title={props.isEstimated ? ESTIMATED : undefined}
    >
      {countText(props.value, props.isEstimated ? 'approximate' : 'exact')}
    </NumberLink>
  )
}

const LONGEST_MS = 10_000

/** A percentile; amber from where on it is slow, grey with its count where it is of few. */
export function DurationLink(props: {
  /** The row says how figures look, and of how few they are. */
  readonly isBare?: true
  readonly ms: number | null
  readonly count: number
  readonly alarms: Alarms
  readonly to: string | null
  readonly className?: string
}) {
  if (props.ms === null) return <span className="figure-none">–</span>
  const few = props.isBare !== true && isFew(props.count)
  const tone = few
    ? 'few'
    : !isFew(props.count) && isSlow(props.ms, props.alarms)
      ? 'font-strong text-warn'
      : (props.className ?? '')
  return (
    <NumberLink
      to={props.to}
      className={props.isBare === true ? tone || undefined : figureClass(tone)}
      title={isFew(props.count) ? `Of ${quantityText(props.count, 'request')} only` : undefined}
    >
      {shortDuration(props.ms)}
    </NumberLink>
  )
}

/** `3.41 s`, `12.4 s`, `2 min`: three digits at most. */
export function shortDuration(ms: number): string {
  if (ms < LONGEST_MS) return durationText(ms)
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

export function FailedShare(props: {
  readonly failed: number
  readonly count: number
  readonly isBare?: true
}) {
  const { failed, count } = props
  if (props.isBare === true) return failed === 0 ? '–' : shareText(failed, count)
  if (failed === 0) return <span className="figure-none">–</span>
  return <span className="figure">{shareText(failed, count)}</span>
}

/** Class of the numbers that say how often requests fail. */
export function failedTone(failed: number, count: number, alarms: Alarms): string {
  return isFailing(failed, count, alarms) ? 'font-strong text-bad' : ''
}

/** By how much the 75th percentile is above that of the period before, where that is no chance. */
export function P75Change(props: {
  readonly now: Pick<Figures, 'p75Ms' | 'count'>
  readonly before: Pick<Figures, 'p75Ms' | 'count'> | null
  readonly change: number | null
}) {
  const { change } = props
  const [now, before] = [props.now.p75Ms, props.before?.p75Ms ?? null]
  if (change === null || before === null)
    return (
      <span className="figure-none" title={unchangedText(props)}>
        –
      </span>
    )
  return (
    <span
      className={figureClass(isSlower(now, before) ? 'text-warn' : 'text-ink-2')}
      title={`p75 was ${shortDuration(before)} in the previous period`}
    >
      {ratioText(change)}
    </span>
  )
}

function unchangedText({ now, before }: Pick<Parameters<typeof P75Change>[0], 'now' | 'before'>): string {
  if (before === null || before.p75Ms === null) return 'Nothing to compare with in the previous period'
  if (isFew(now.count) || isFew(before.count)) return `Too few requests to compare: under ${FEW_REQUESTS}`
  return `No significant change: p75 was ${shortDuration(before.p75Ms)} in the previous period`
}
