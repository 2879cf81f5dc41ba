/** Text of a breadcrumb in one row: kind, text, result. Pure. */

import type { StoredEvent } from '#parts/issue-types.ts'
import { durationText } from '#ui/time-text.ts'
import type { EventIconName } from './event-icon.tsx'
import { lineText, scalarText } from './value-text.ts'

export type Breadcrumb = NonNullable<StoredEvent['breadcrumbs']>['values'][number]

export interface CrumbRow {
  readonly icon: EventIconName
  readonly label: string
  readonly text: string
  /** Status code, row count and the like. */
  readonly result: string
  readonly duration: string
  readonly isBad: boolean
}

export function crumbRow(crumb: Breadcrumb): CrumbRow {
  const { label, icon } = crumbKind(crumb)
  const status = scalarText(crumb.data?.status_code ?? crumb.data?.['http.response.status_code'])
  const level = crumb.level
  return {
    icon,
    label,
    text: messageOf(crumb),
    result: status,
    duration: durationOf(crumb),
    isBad: level === 'error' || level === 'fatal' || /^[5]\d\d$/.test(status),
  }
}

function crumbKind({ type, category = '' }: Breadcrumb): {
  readonly label: string
  readonly icon: EventIconName
} {
  if (category === 'navigation' || type === 'navigation') return { label: 'navigation', icon: 'navigation' }
  if (category.startsWith('ui.')) return { label: category.slice(3), icon: 'pointer' }
  if (type === 'http' || /^(?:fetch|xhr|http|httplib|requests)/.test(category)) {
    return { label: category === '' ? 'http' : category, icon: 'exchange' }
  }
  if (type === 'query' || /^(?:query|db|sql)/.test(category)) return { label: 'query', icon: 'database' }
  if (category === 'console' || type === 'debug') return { label: category || 'console', icon: 'terminal' }
  if (type === 'error' || category === 'exception') return { label: category || 'error', icon: 'exclamation' }
  const label = category || (type === 'default' ? 'log' : type)
  return { label, icon: /log/.test(label) ? 'terminal' : 'info' }
}

function messageOf({ message, data, type, category }: Breadcrumb): string {
  const url = scalarText(data?.url ?? data?.['url.full'] ?? data?.['http.url'])
  const method = scalarText(data?.method ?? data?.['http.request.method'] ?? data?.['http.method'])
  if (url !== '' && (message === undefined || message === '')) return `${method} ${url}`.trim()
  if (type === 'navigation' || category === 'navigation') {
    const [from, to] = [scalarText(data?.from), scalarText(data?.to)]
    if (to !== '') return `${from} → ${to}`.trim()
  }
  if (message !== undefined && message !== '') return message
  if (data === undefined) return ''
  return lineText(data, 300)
}

function durationOf({ data }: Breadcrumb): string {
  const given = data?.duration ?? data?.duration_ms
  if (typeof given === 'number' && given >= 0) return durationText(given)
  const [start, end] = [data?.start_timestamp, data?.end_timestamp]
  return typeof start === 'number' && typeof end === 'number' && end >= start ? durationText(end - start) : ''
}

/** Offset of each breadcrumb from the event, in milliseconds; `null` where its time is unknown. */
export function crumbOffsets(
  crumbs: readonly Breadcrumb[],
  eventSeconds: number,
): readonly (number | null)[] {
  return crumbs.map(({ timestamp }) => (timestamp === undefined ? null : (timestamp - eventSeconds) * 1000))
}
