/** Whether the moments of an issue rule are met, and why, in words: pure, over what was loaded. */
import { hourOf, MINUTE_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FrequencyWhen, IncreaseWhen, IssueRule, IssueWhen } from '#model/alert-rule.ts'
import { countedPeople, spanOfMinutes } from '#model/alert-words.ts'
import type { Candidate, CandidateMoment, WatchedIssue } from './alert-store.ts'
import { escalationLimit, type HourCounts } from './forecast.ts'
import { lookUpKey, type SlotRange, type SlotSum, slotsOf, widthOf } from './slots.ts'
import { ruleCountKey } from './watch.ts'

/** An issue at a moment, as rules look at it. */
export interface SeenMoment {
  readonly moment: CandidateMoment
  readonly atMs: number
  readonly issue: WatchedIssue
  /** Limit that it exceeded, if it has just begun to escalate. */
  readonly escalation: string | null
}

export type SumOf = (range: SlotRange) => SlotSum

/** Returns why the rule fires; `null` if none of its moments is met, or not all if it wants all. */
export function becauseOf(rule: IssueRule, seen: SeenMoment, sumOf: SumOf): string | null {
  const isAll = wantsAll(rule)
  const met: string[] = []
  for (const when of rule.when) {
    const because = momentMet(rule, { ...seen, when, isAll }, sumOf)
    if (because !== null) met.push(because)
    if ((because === null) === isAll) break
  }
  return met.length === 0 || (isAll && met.length < rule.when.length) ? null : met.join(', and ')
}

/** Returns counts that `becauseOf` may ask for, whatever the issue's state. */
export function countsAsked(
  rule: IssueRule,
  seen: Pick<Candidate, 'moment' | 'atMs' | 'issueId'>,
): readonly SlotRange[] {
  const isAll = wantsAll(rule)
  return rule.when.flatMap((when) => {
    if (when.on === 'digest') return seen.moment === 'digest' ? [lookUps(seen, when.withinMinutes)] : []
    const isCounted = (when.on === 'frequency' || when.on === 'increase') && isOfCounts(seen.moment, isAll)
    return isCounted ? countRanges(ruleCountKey(rule, seen.issueId), when, seen.atMs) : []
  })
}

function wantsAll({ when, whenMatch }: IssueRule): boolean {
  return whenMatch === 'all' && when.length > 1
}

/** Moments that events bring about: what is counted may be asked at any of them. */
const OF_EVENTS: ReadonlySet<CandidateMoment> = new Set(['new', 'regressed', 'touched'])

/** Archived and resolved issues are nobody's concern until they come back. */
function mayCount({ issue, moment }: SeenMoment, isAll: boolean): boolean {
  return issue.status === 'unresolved' && isOfCounts(moment, isAll)
}

function isOfCounts(moment: CandidateMoment, isAll: boolean): boolean {
  return moment === 'touched' || (isAll && OF_EVENTS.has(moment))
}

function momentMet(
  rule: IssueRule,
  { when, isAll, ...seen }: SeenMoment & { readonly when: IssueWhen; readonly isAll: boolean },
  sumOf: SumOf,
): string | null {
  const { moment, atMs, issue, escalation } = seen
  switch (when.on) {
    case 'regressed':
      return moment === 'regressed' && issue.substatus === 'regressed' ? MOMENTS.regressed : null
    case 'new':
    case 'resolved':
      return moment === when.on ? MOMENTS[when.on] : null
    case 'escalating':
      // Archived until so much more of it came: it came.
      return moment === 'regressed' && issue.substatus !== 'regressed' ? MOMENTS.unarchived : escalation
    case 'activity': {
      const isMet = (moment === 'comment' || moment === 'assignment') && when.what.includes(moment)
      return isMet ? MOMENTS[moment] : null
    }
    case 'digest': {
      if (moment !== 'digest') return null
      const { users } = sumOf(lookUps({ issueId: issue.id, atMs }, when.withinMinutes))
      return users >= when.atLeast
        ? `its digest was looked up by ${countedPeople(users, 'people')} within ${spanOfMinutes(when.withinMinutes)}`
        : null
    }
    case 'frequency':
    case 'increase':
      return mayCount(seen, isAll) ? countMet(ruleCountKey(rule, issue.id), { when, atMs }, sumOf) : null
    default:
      // A moment of another version: it is never met.
      return null
  }
}

export const MOMENTS = {
  new: 'it was seen for the first time',
  regressed: 'a resolved issue regressed',
  unarchived: 'it was unarchived',
  resolved: 'someone resolved it',
  comment: 'someone commented',
  assignment: 'it was assigned',
} as const

function lookUps({ issueId, atMs }: Pick<Candidate, 'issueId' | 'atMs'>, withinMinutes: number): SlotRange {
  return { key: lookUpKey(issueId), ...slotsOf(atMs, withinMinutes) }
}

/** The window that ends now; of an increase the one before as well. */
function countRanges(key: string, when: FrequencyWhen | IncreaseWhen, atMs: number): readonly SlotRange[] {
  const { withinMinutes, on } = when
  const width = widthOf(withinMinutes * (on === 'increase' ? 2 : 1))
  const slots = Math.ceil(withinMinutes / width)
  const last = Math.floor(atMs / (width * MINUTE_MS))
  const ending = (end: number) => ({ key, width, first: end - slots + 1, last: end })
  return on === 'increase' ? [ending(last), ending(last - slots)] : [ending(last)]
}

function countMet(
  key: string,
  { when, atMs }: { readonly when: FrequencyWhen | IncreaseWhen; readonly atMs: number },
  sumOf: SumOf,
): string | null {
  const { withinMinutes, of } = when
  const [now = 0, before = 0] = countRanges(key, when, atMs).map(
    (range) => sumOf(range)[of === 'users' ? 'users' : 'count'],
  )
  if (now < when.atLeast) return null
  const said = `${countedPeople(now, of)} within ${spanOfMinutes(withinMinutes)}`
  if (when.on === 'frequency') return said
  if (now < when.times * Math.max(1, before)) return null
  return `${said}, after ${countedPeople(before, of)} in the ${spanOfMinutes(withinMinutes)} before`
}

export interface Escalation {
  readonly issueId: IssueId
  readonly atMs: number
  readonly events: number
  readonly forecast: number
}

export function canEscalate({ status, substatus }: Pick<WatchedIssue, 'status' | 'substatus'>): boolean {
  return substatus === 'archived_until_escalating' || (status === 'unresolved' && substatus !== 'escalating')
}

/** Fewer events are below any forecast: nobody need read the week. */
export function isEnoughToEscalate(events: number): boolean {
  return events > max('alertEscalationEventsMin')
}

/** @param hours Events of its past week. */
export function escalationOf(
  { id, firstSeenMs }: Pick<WatchedIssue, 'id' | 'firstSeenMs'>,
  atMs: number,
  hours: HourCounts,
): Escalation | null {
  const hour = hourOf(atMs)
  const events = hours.get(hour) ?? 0
  const forecast = escalationLimit(hours, hour, hourOf(firstSeenMs))
  return forecast !== null && events > forecast ? { issueId: id, atMs, events, forecast } : null
}

export function escalationWords({ events, forecast }: Escalation): string {
  return `${countedPeople(events, 'events')} in this hour, the forecast is at most ${forecast}`
}
