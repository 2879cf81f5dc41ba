/**
 * Summary of an issue in one sentence of real numbers: what fails, how often, for whom, since when, and
 * whether it still does. Pure.
 */
import type { IssueView } from '@errata/server/queries'
import { commitText, versionOf } from '#parts/release-text.ts'
import { countText, numberText, quantityText } from '#ui/number-text.ts'
import { ageText, agoText } from '#ui/time-text.ts'

export interface EventSummaryPart {
  readonly text: string
  readonly weight?: 'strong' | 'code'
  readonly tone?: 'bad' | 'good'
}

type Told = Pick<IssueView, 'issue' | 'eventsLastDay' | 'eventsLastTenMinutes'>

export function summaryParts(view: Told, nowMs: number): readonly EventSummaryPart[] {
  return [...whatPart(view), ...whomPart(view), ...sincePart(view, nowMs), ...stillPart(view, nowMs)]
}

function whatPart({ issue, eventsLastDay }: Told): readonly EventSummaryPart[] {
  const isError = issue.level === 'error' || issue.level === 'fatal'
  const where: readonly EventSummaryPart[] =
    issue.route === null ? [] : [{ text: ' in ' }, { text: issue.route, weight: 'code' }]
  // The people of all its events had their data deleted.
  if (issue.eventCount === 0) return [{ text: 'No events are left', weight: 'strong' }, ...where]
  if (issue.eventCount === 1) {
    return [{ text: isError ? 'Failed ' : 'Happened ' }, { text: 'once', weight: 'strong' }, ...where]
  }
  const start = isError ? 'Failed ' : 'Happened '
  const all = `${numberText(issue.eventCount)} times`
  if (eventsLastDay === 0) return [{ text: start }, { text: all, weight: 'strong' }, ...where]
  if (eventsLastDay >= issue.eventCount) {
    return [{ text: start }, { text: all, weight: 'strong' }, ...where, { text: ' in 24 h' }]
  }
  return [
    { text: start },
    { text: all, weight: 'strong' },
    ...where,
    { text: ', ' },
    { text: numberText(eventsLastDay), weight: 'strong' },
    { text: ' of them in 24 h' },
  ]
}

function whomPart({ issue }: Told): readonly EventSummaryPart[] {
  const { count, isExact } = issue.users
  if (count === 0) return [{ text: '. ' }]
  const text = isExact ? quantityText(count, 'user') : `${countText(count, 'approximate')} users`
  return [{ text: '. ' }, { text, weight: 'strong' }, { text: ' affected' }]
}

function sincePart({ issue }: Told, nowMs: number): readonly EventSummaryPart[] {
  const start = issue.users.count === 0 ? 'First seen ' : ', first seen '
  const since: EventSummaryPart[] = [{ text: `${start}${agoText(issue.firstSeenMs, nowMs)}` }]
  if (issue.firstRelease !== null)
    since.push({ text: ' in ' }, { text: versionOf(issue.firstRelease), weight: 'strong' })
  return [...since, { text: '. ' }]
}

function stillPart({ issue, eventsLastTenMinutes }: Told, nowMs: number): readonly EventSummaryPart[] {
  if (issue.status === 'resolved') {
    return [
      { text: 'Resolved', weight: 'strong', tone: 'good' },
      { text: ` ${agoText(issue.statusChangedMs, nowMs)}${resolvedInText(issue)}, ${seenSinceText(issue)}.` },
    ]
  }
  // One event goes on nowhere: when it came is said already.
  if (issue.eventCount === 1 && eventsLastTenMinutes > 0) return []
  if (eventsLastTenMinutes > 0) {
    const isCalm = issue.status === 'archived' || (issue.level !== 'error' && issue.level !== 'fatal')
    return [
      { text: 'Still happening', weight: 'strong', ...(isCalm ? {} : { tone: 'bad' as const }) },
      { text: `: ${numberText(eventsLastTenMinutes)} in the last 10 min.` },
    ]
  }
  return [{ text: `Quiet for ${ageText(issue.lastSeenMs, nowMs).replace('now', 'a moment')}.` }]
}

type Resolved = Told['issue']

function resolvedInText({ resolvedIn }: Resolved): string {
  if (resolvedIn === null) return ''
  if (resolvedIn.how === 'commit') return ` in commit ${commitText(resolvedIn.commit)}`
  const version = versionOf(resolvedIn.release)
  return resolvedIn.how === 'next' ? ` in the release after ${version}` : ` in ${version}`
}

/** Older clients go on sending what a newer release resolves: that does not bring it back. */
function seenSinceText({ lastSeenMs, statusChangedMs }: Resolved): string {
  return lastSeenMs > statusChangedMs ? 'still seen in older releases' : 'no events since'
}
