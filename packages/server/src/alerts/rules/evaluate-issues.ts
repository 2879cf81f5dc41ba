/** Issue rules: each candidate against the rules of its project. */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { whatFollowsEscalating } from '#issues/follows/escalating.ts'
import { max } from '#limits/limits.ts'
import { type AlertIssue, failureLine } from '#model/alert-message.ts'
import {
  type FrequencyWhen,
  type IncreaseWhen,
  type IssueRule,
  type IssueWhen,
  isMuted,
} from '#model/alert-rule.ts'
import { counted, ONE_FOR_ALL, roughSpan, span } from '#model/alert-words.ts'
import type { Occasion } from '#ports/messages.ts'
import type { AlertStore, Candidate, CandidateProgress, NamedProject, WatchedIssue } from './alert-store.ts'
import { escalationLimit } from './forecast.ts'
import { matches } from './matches.ts'
import { isTooSoon, messageOf, onlyProject, stormHeadlines, tell } from './messages.ts'
import { lookUpKey, slotsOf, sumOfSlots, widthOf } from './slots.ts'
import { TurnWork } from './turn-work.ts'
import { countedKey } from './watch.ts'

export interface IssueTurn {
  fired: number
  messages: number
  escalated: number
  /** Set where rules are left that did not look at it. */
  readonly progress: CandidateProgress | null
}

interface CandidateTurn {
  /** Rules that look at its project, by id. */
  readonly rules: readonly IssueRule[]
  readonly nowMs: number
  readonly work?: TurnWork
}

/** Goes on after the rules that looked at it before; may stop between two, and says where. */
export function evaluateCandidate(
  store: AlertStore,
  candidate: Candidate,
  { rules, nowMs, work = new TurnWork() }: CandidateTurn,
): IssueTurn {
  const turn: IssueTurn = { fired: 0, messages: 0, escalated: 0, progress: null }
  const issue = store.issue(candidate.issueId)
  const project = store.project(candidate.projectId)
  if (issue === null || project === null) return turn
  const { progress = null } = candidate
  const mayEscalate = progress === null && candidate.moment === 'touched'
  const begun = mayEscalate ? escalate(store, { issue, atMs: candidate.atMs }) : null
  if (begun !== null) turn.escalated++
  const escalation = begun ?? progress?.escalation ?? null
  const waiting = rules.filter(({ id }) => id > (progress?.after ?? 0))
  for (const [at, rule] of waiting.entries()) {
    const after = waiting[at - 1]?.id
    if (after !== undefined && work.isEnough) return { ...turn, progress: { after, escalation } }
    work.add(1 + rule.if.conditions.length / 4)
    const because = becauseOf(store, rule, { candidate, issue, escalation })
    if (because === null) continue
    const latestRelease = () => store.latestRelease(project.id)
    if (!matches(rule, { issue, facts: candidate.facts, latestRelease, atMs: candidate.atMs })) continue
    if (isTooSoon(rule, store.lastFiredMs(rule.id, issue.id), nowMs)) continue
    turn.fired++
    turn.messages += fire(store, rule, { candidate, issue, because, nowMs })
  }
  if (candidate.moment === 'resolved') turn.messages += closeIncidents(store, { issue, project, nowMs })
  return turn
}

/** Tells pagers that the issue is over, whatever the rule listens to. Returns how many are told. */
function closeIncidents(
  store: AlertStore,
  given: {
    readonly issue: WatchedIssue
    readonly project: NamedProject & { readonly orgId: OrgId }
    readonly nowMs: number
  },
): number {
  const { issue, project, nowMs } = given
  const { orgId } = project
  const open = store.openIncidents(issue.id)
  if (open.length === 0) return 0
  const told = store.told(issue.id)
  const because = MOMENTS.resolved
  const headline = headlineOf({ moment: 'resolved' }, issue, told)
  const messages = open.map(({ channelId, rule, firingId, story }) => {
    const said = { moment: 'resolved', level: 'ok', headline, because, story, issue: told } as const
    const message = messageOf(store, { id: 0, name: '', orgId }, { firingId, project, nowMs, message: said })
    return {
      ...{ orgId, firingId, projectId: project.id, projects: null, issueId: issue.id, occasion: null },
      ...({
        target: { to: 'channel', channelId },
        message: { ...message, rule },
        heldUntilMs: null,
      } as const),
    }
  })
  store.queueMessages(messages, nowMs)
  return messages.length
}

interface Seen {
  readonly candidate: Candidate
  readonly issue: WatchedIssue
  /** Limit that it exceeded, if it has just begun to escalate. */
  readonly escalation: string | null
}

/** Returns why the rule fires, in words; `null` if none of its moments is met, or not all if it wants all. */
function becauseOf(store: AlertStore, rule: IssueRule, seen: Seen): string | null {
  const isAll = rule.whenMatch === 'all' && rule.when.length > 1
  const met: string[] = []
  for (const when of rule.when) {
    const because = momentMet(store, rule, { ...seen, when, isAll })
    if (because !== null) met.push(because)
    if ((because === null) === isAll) break
  }
  return met.length === 0 || (isAll && met.length < rule.when.length) ? null : met.join(', and ')
}

/** Moments that events bring about: what is counted may be asked at any of them. */
const OF_EVENTS: ReadonlySet<Candidate['moment']> = new Set(['new', 'regressed', 'touched'])

function momentMet(
  store: AlertStore,
  rule: IssueRule,
  { candidate, issue, escalation, when, isAll }: Seen & { readonly when: IssueWhen; readonly isAll: boolean },
): string | null {
  const { moment, atMs } = candidate
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
      const { width, first, last } = slotsOf(atMs, when.withinMinutes)
      const { users } = sumOfSlots(store.slots(lookUpKey(issue.id), width, first, last))
      return users >= when.atLeast
        ? `its digest was looked up by ${counted(users, 'people')} within ${span(when.withinMinutes)}`
        : null
    }
    case 'frequency':
    case 'increase':
      return isOpen(issue) && (moment === 'touched' || (isAll && OF_EVENTS.has(moment)))
        ? countMet(store, countedKey(rule, issue.id), { when, atMs })
        : null
  }
}

/** Archived and resolved issues are nobody's concern until they come back. */
function isOpen({ status }: WatchedIssue): boolean {
  return status === 'unresolved'
}

const MOMENTS = {
  new: 'it was seen for the first time',
  regressed: 'a resolved issue regressed',
  unarchived: 'it was unarchived',
  resolved: 'someone resolved it',
  comment: 'someone commented',
  assignment: 'it was assigned',
} as const

function countMet(
  store: AlertStore,
  key: string,
  { when, atMs }: { readonly when: FrequencyWhen | IncreaseWhen; readonly atMs: number },
): string | null {
  const { withinMinutes, of } = when
  const width = widthOf(withinMinutes * (when.on === 'increase' ? 2 : 1))
  const slots = Math.ceil(withinMinutes / width)
  const last = Math.floor(atMs / (width * MINUTE_MS))
  const sumOf = (end: number) =>
    sumOfSlots(store.slots(key, width, end - slots + 1, end))[of === 'users' ? 'users' : 'count']
  const now = sumOf(last)
  if (now < when.atLeast) return null
  const said = `${counted(now, of)} within ${span(withinMinutes)}`
  if (when.on === 'frequency') return said
  const before = sumOf(last - slots)
  if (now < when.times * Math.max(1, before)) return null
  return `${said}, after ${counted(before, of)} in the ${span(withinMinutes)} before`
}

/** Says what was exceeded where an issue just began to escalate. */
function escalate(
  store: AlertStore,
  { issue, atMs }: { readonly issue: WatchedIssue; readonly atMs: number },
): string | null {
  const { substatus, status, id, firstSeenMs } = issue
  const canEscalate =
    substatus === 'archived_until_escalating' || (status === 'unresolved' && substatus !== 'escalating')
  if (!canEscalate) return null
  const hour = Math.floor(atMs / HOUR_MS)
  const events = store.issueHours(id, hour).get(hour) ?? 0
  if (events <= max('alertEscalationEventsMin')) return null
  const firstHour = Math.floor(firstSeenMs / HOUR_MS)
  const forecast = escalationLimit(store.issueHours(id, hour - 168), hour, firstHour)
  if (forecast === null || events <= forecast) return null
  store.changeIssues([whatFollowsEscalating(id, { atMs, events, forecast })])
  return `${counted(events, 'events')} in this hour, the forecast is at most ${forecast}`
}

interface Fire {
  readonly candidate: Candidate
  readonly issue: WatchedIssue
  readonly because: string
  readonly nowMs: number
}

/** Answers how many messages it queued: none while the rule is muted, or a storm is gathered. */
function fire(store: AlertStore, rule: IssueRule, { candidate, issue, because, nowMs }: Fire): number {
  const { projectId, facts } = candidate
  const told = store.told(issue.id)
  const headline = headlineOf(candidate, issue, told)
  const untold = isMuted(rule, nowMs) ? 'muted' : joinsStorm(store, rule, nowMs) ? 'storm' : null
  const firingId = store.addFiring({
    ...{ ruleId: rule.id, projectId, issueId: issue.id, issueNumber: issue.number, level: 'info' },
    ...{ startedMs: nowMs, endedMs: nowMs, extreme: null, headline, because, untold },
  })
  if (untold !== null) return 0
  const { eventId, traceId, release } = facts
  const of = {
    ...told,
    environment: facts.tags.environment?.[0] ?? told.environment,
    release: release ?? told.release,
    eventId: eventId ?? told.eventId,
    traceId: traceId ?? told.traceId,
  }
  const level = candidate.moment === 'resolved' ? 'ok' : 'info'
  const moment = candidate.moment === 'resolved' ? 'resolved' : 'fired'
  return tell(store, rule, {
    ...{ firingId, project: store.project(projectId), issueId: issue.id, nowMs },
    occasion: occasionOf(candidate),
    message: { moment, level, headline, because, issue: of, story: storyOf(issue.id) },
  })
}

/** New, back, frequent, escalating: events came. */
function occasionOf({ moment, atMs }: Candidate): Occasion {
  const isOfPeople =
    moment === 'resolved' || moment === 'comment' || moment === 'assignment' || moment === 'digest'
  return { of: isOfPeople ? moment : 'events', atMs }
}

const storyOf = (issue: IssueId): string => `issue-${issue}`

function headlineOf(
  { moment }: Pick<Candidate, 'moment'>,
  { substatus }: WatchedIssue,
  told: AlertIssue,
): string {
  const words: Readonly<Record<Candidate['moment'], string>> = {
    ...{
      new: 'New',
      regressed: substatus === 'regressed' ? 'Regressed' : 'Unarchived',
      resolved: 'Resolved',
      comment: 'Commented',
      assignment: 'Assigned',
    },
    ...{
      digest: 'Reported',
      escalating: 'Escalating',
      touched: substatus === 'escalating' ? 'Escalating' : 'Frequent',
    },
  }
  return `${words[moment]}: ${failureLine(told)}`.slice(0, 200)
}

/** Whether this firing is one of too many: it is kept, and told of with the others. */
function joinsStorm(store: AlertStore, rule: IssueRule, nowMs: number): boolean {
  const state = store.state(rule.id) ?? { ...CALM, sinceMs: nowMs }
  if (state.stormMs !== null) return true
  if (store.firedAfter(rule.id, nowMs - max('alertStormMs')).told < max('alertStormFirings')) return false
  store.putState(rule.id, { ...state, stormMs: nowMs })
  return true
}

export const CALM = { level: 'ok', value: null, firingId: null, toldMs: null, stormMs: null } as const

/** Storms whose time is over are told of, each in one message; answers how many were queued, and whether more wait. */
export function tellStorms(
  store: AlertStore,
  rules: readonly IssueRule[],
  { nowMs, isEnough }: { readonly nowMs: number; readonly isEnough: () => boolean },
): { readonly messages: number; readonly hasMore: boolean } {
  let messages = 0
  for (const rule of rules) {
    const state = store.state(rule.id)
    if (state === null || state.stormMs === null || nowMs - state.stormMs < max('alertStormMs')) continue
    if (messages > 0 && isEnough()) return { messages, hasMore: true }
    const { headlines, last = null } = store.firedAfter(rule.id, state.stormMs - 1)
    store.putState(rule.id, { ...state, stormMs: null })
    if (headlines.length === 0) continue
    const lasted = roughSpan((nowMs - state.stormMs) / MINUTE_MS)
    const [first] = rule.when
    messages += tell(store, rule, {
      ...{ firingId: null, project: onlyProject(store, rule), nowMs },
      message: {
        ...{ moment: 'storm', level: 'info', story: `storm-${rule.id}-${state.stormMs}` },
        headline: `${headlines.length} ${first?.on === 'new' ? 'new issues' : 'issues'} in ${lasted}`,
        because: ONE_FOR_ALL,
        gathered: stormHeadlines(headlines),
      },
    })
    if (last !== null) messages += closeStorm(store, { ...last, nowMs })
  }
  return { messages, hasMore: false }
}

/**
 * Ends what somebody resolved while the storm was gathered, before pagers hear of it. Returns how many are
 * told.
 */
function closeStorm(
  store: AlertStore,
  {
    issueId,
    projectId,
    nowMs,
  }: { readonly issueId: IssueId; readonly projectId: ProjectId; readonly nowMs: number },
): number {
  const issue = store.issue(issueId)
  const project = store.project(projectId)
  if (issue === null || project === null || issue.status === 'unresolved') return 0
  return closeIncidents(store, { issue, project, nowMs })
}
