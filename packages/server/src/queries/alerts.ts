/** Reads alert rules for people, and previews what a rule would have done. */
import type { PersonViewer } from '#access/viewer.ts'
import { measuredOf, namedBy } from '#alerts/rules/measures.ts'
import {
  defaultsOf,
  longerWindows,
  lowerMinimum,
  minimumOf,
  overLonger,
  type TrafficDefaults,
} from '#alerts/rules/minimum.ts'
import {
  countedMoments,
  escalationMoments,
  type HourRange,
  type Minimum,
  type Moments,
  messagesFor,
  metricFirings,
  momentsAtOnce,
  onceInAWhile,
  type PastFiring,
  type Preview,
  type PreviewHourSum,
  spreadDays,
  sumWindows,
  variantsOf,
  type WindowSum,
  type WindowValue,
} from '#alerts/rules/preview.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  EmailMoment,
  IssueWhen,
  MetricWhen,
  QuietHours,
  RequestMeasure,
  RuleDraft,
} from '#model/alert-rule.ts'
import type { RequestKind } from '#model/event.ts'
import type { AlertRuleView, AlertsRead, Firing, FiringNow } from '#ports/alerts.ts'
import type { HealthRead } from '#ports/health.ts'
import type { OutcomesRead } from '#ports/ingest.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { meetsIssueConditions } from './alert-conditions.ts'
import { withMostly } from './alert-mostly.ts'

interface AlertQueries {
  alertRules(scope: ReadScope): Promise<readonly AlertRuleView[]>
  alertRule(scope: ReadScope, id: number): Promise<AlertRuleView | null>
  /** `before`: the last firing of the page before. */
  alertFirings(
    scope: ReadScope,
    asked: { readonly ruleId: number | null; readonly before: number | null },
  ): Promise<readonly Firing[]>
  /** How many metric rules are away from normal now, and not muted. */
  alertsFiring(scope: ReadScope): Promise<FiringNow>
  quietHours(scope: ReadScope): Promise<QuietHours>
  emailMomentsOff(viewer: PersonViewer): Promise<readonly EmailMoment[]>
  /** Returns what the rule would have done in the last `alertPreviewDays`; it need not be saved. */
  alertPreview(scope: ReadScope, draft: RuleDraft): Promise<Preview & { readonly issues: PreviewIssues }>
  /** Window and minimum that the traffic of the last `alertPreviewDays` reaches; `null`: there was none. */
  trafficDefaults(scope: ReadScope, asked: TrafficAsked): Promise<TrafficDefaults | null>
}

/** `null`: whichever. */
export interface TrafficAsked {
  readonly projects: readonly ProjectId[] | null
  readonly route: string | null
  readonly kind: RequestKind | null
}

/** By id, what the previewed firings were about; at most `issuesPerChangeMax` of them. */
type PreviewIssues = Readonly<Record<number, { readonly shortId: string; readonly title: string }>>

export interface AlertQueryParts {
  readonly alerts: AlertsRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
  readonly outcomes: Pick<OutcomesRead, 'outcomes'>
  readonly requests: Pick<RequestsRead, 'requestSums'>
  readonly health: Pick<HealthRead, 'health'>
  readonly clock: Clock
}

export function alertQueries(parts: AlertQueryParts): AlertQueries {
  const { alerts, clock } = parts
  return {
    alertRules: async (scope) =>
      (await alerts.alertRules(scope, clock.now())).map((view) => readablePart(scope, view)),
    alertRule: async (scope, id) => {
      const view = await alerts.alertRule(scope, id, clock.now())
      return view === null ? null : readablePart(scope, view)
    },
    alertFirings: (scope, { ruleId, before }) =>
      alerts.firings(scope, { ruleId, before, sinceMs: 0, limit: max('alertFiringRows') }),
    alertsFiring: (scope) => alerts.firingNow(scope, clock.now()),
    quietHours: (scope) => alerts.quietHours(scope),
    emailMomentsOff: (viewer) => alerts.emailMomentsOff(viewer.user.id),
    trafficDefaults: (scope, asked) => trafficDefaults(parts, scope, asked),
    alertPreview: async (scope, draft) => {
      const endHour = Math.floor(clock.now() / HOUR_MS) + 1
      const range = { startHour: endHour - (max('alertPreviewDays') * DAY_MS) / HOUR_MS, endHour }
      const found =
        draft.kind === 'metric'
          ? await metricPreview(parts, scope, { draft, range })
          : await issuePreview(parts, scope, { draft, range })
      const sent = messagesFor(draft, found.firings, await alerts.quietHours(scope))
      const [startMs, endMs] = [range.startHour * HOUR_MS, clock.now()]
      return { ...found, ...sent, startMs, endMs, issues: await previewIssues(parts, scope, found.firings) }
    },
  }
}

/** Without the projects of a rule that a guest does not know of. */
function readablePart(scope: ReadScope, view: AlertRuleView): AlertRuleView {
  const { projects } = view.rule
  if (scope.isGuest !== true || projects === null) return view
  return { ...view, rule: { ...view.rule, projects: projects.filter((id) => scope.projects.includes(id)) } }
}

type Found = Pick<Preview, 'values' | 'enough' | 'minimum' | 'firings' | 'notes' | 'variants'>

interface Asked<Draft> {
  readonly draft: Draft
  readonly range: HourRange
}
type MetricDraft = Extract<RuleDraft, { readonly kind: 'metric' }>
type IssueDraft = Extract<RuleDraft, { readonly kind: 'issue' }>

async function metricPreview(
  parts: AlertQueryParts,
  scope: ReadScope,
  { draft, range }: Asked<MetricDraft>,
): Promise<Found> {
  const { when } = draft
  const windows = await measuredRange(parts, scope, { draft, range })
  const notes = previewNotes(draft)
  if (windows === null) return { values: null, enough: null, minimum: null, firings: [], notes, variants: [] }
  const timesOf = (other: MetricWhen) => metricFirings(other, windows, range.startHour).length
  const firings = metricFirings(when, windows, range.startHour)
  return {
    values: windows.map(({ value }) => value),
    enough: windows.map(({ volume }) => volume >= when.atLeast),
    minimum: await minimumWithOffers(parts, scope, { draft, range, windows }),
    firings: await withMostly(parts, scope, { draft, range, firings }),
    notes,
    variants: variantsOf(when).map(({ label, when: other }) => ({ label, times: timesOf(other) })),
  }
}

/** Adds values that the traffic reaches, if the minimum is never reached. */
async function minimumWithOffers(
  parts: AlertQueryParts,
  scope: ReadScope,
  { draft, range, windows }: Asked<MetricDraft> & { readonly windows: readonly WindowValue[] },
): Promise<Minimum | null> {
  const { when } = draft
  const minimum = minimumOf(when, windows)
  if (minimum === null || minimum.enough > 0 || minimum.hours === 0)
    return minimum === null ? null : { ...minimum, offers: [] }
  const offers = [lowerMinimum(when, windows, range.startHour)]
  for (const windowMinutes of longerWindows(when)) {
    const longer = { ...draft, when: { ...when, windowMinutes } }
    const measured = await measuredRange(parts, scope, { draft: longer, range })
    const offer = overLonger(longer.when, { windows: measured ?? [], startHour: range.startHour })
    if (offer === null) continue
    offers.push(offer)
    break
  }
  return { ...minimum, offers: offers.filter((offer) => offer !== null) }
}

/** The windows that end in the range. */
async function measuredRange(
  parts: AlertQueryParts,
  scope: ReadScope,
  { draft, range }: Asked<MetricDraft>,
): Promise<readonly WindowValue[] | null> {
  // The first window begins before the range does.
  const lead = Math.max(0, Math.round(draft.when.windowMinutes / 60) - 1)
  const whole = { ...range, startHour: range.startHour - lead }
  return (await measuredWindows(parts, scope, { draft, range: whole }))?.slice(lead) ?? null
}

/**
 * Returns the first settings of a rule about failing requests: values that the route's own traffic reaches.
 */
async function trafficDefaults(
  parts: AlertQueryParts,
  scope: ReadScope,
  { projects, route, kind }: TrafficAsked,
): Promise<TrafficDefaults | null> {
  const endHour = Math.floor(parts.clock.now() / HOUR_MS) + 1
  const range = { startHour: endHour - (max('alertPreviewDays') * DAY_MS) / HOUR_MS, endHour }
  const measure = { of: 'failure-rate', route, kind } as const
  const draft = { projects, if: { match: 'all', conditions: [] } } as const
  const hours = await requestHours(parts, scope, { draft, measure, range })
  return defaultsOf(measure, (windowMinutes) => sumWindows(hours, windowMinutes, () => null))
}

function previewNotes({ when, if: { conditions } }: MetricDraft): readonly string[] {
  const { measure, windowMinutes } = when
  if (measure.of === 'users') return ['Users aren’t kept by the hour, so there is no preview.']
  const notes = windowMinutes < 60 ? ['Figures are kept by the hour; shorter peaks may be missed.'] : []
  if ('route' in measure)
    notes.push(`Requests of more than ${max('requestHoursKept') / 24} days ago are known by the day.`)
  if (measure.of === 'events' && conditions.length > 0)
    notes.push('Hourly event counts cover all environments and releases.')
  if (when.timesLastWeek !== null) notes.push('The comparison with last week isn’t considered.')
  return notes
}

/** `null` where no figures by the hour are kept. */
async function measuredWindows(
  parts: AlertQueryParts,
  scope: ReadScope,
  { draft, range }: Asked<MetricDraft>,
): Promise<readonly WindowValue[] | null> {
  const { measure, windowMinutes } = draft.when
  const { projects } = draft
  const ofCounts = (hours: readonly number[]) => sumWindows(hours.map(countOnly), windowMinutes, windowCount)
  switch (measure.of) {
    case 'users':
      return null
    case 'events':
      return ofCounts(
        await outcomeHours(parts, scope, { projects, range, outcomes: ['accepted'], category: 'error' }),
      )
    case 'outcomes':
      return ofCounts(
        await outcomeHours(parts, scope, { projects, range, outcomes: measure.outcomes, category: null }),
      )
    case 'silence':
      return silences(
        await outcomeHours(parts, scope, { projects, range, outcomes: ['accepted'], category: null }),
      )
    case 'crash-free': {
      const hours = await healthHours(parts, scope, { draft, range })
      return sumWindows(hours, windowMinutes, ({ count, failed }) =>
        count === 0 ? null : 100 * (1 - Math.min(failed, count) / count),
      )
    }
    default: {
      const hours = await requestHours(parts, scope, { draft, measure, range })
      return sumWindows(hours, windowMinutes, (window) =>
        measure.of === 'requests' ? window.count : measuredOf(measure, window).value,
      )
    }
  }
}

async function requestHours(
  { requests }: AlertQueryParts,
  scope: ReadScope,
  {
    draft,
    measure,
    range,
  }: Asked<Pick<MetricDraft, 'projects' | 'if'>> & { readonly measure: RequestMeasure },
): Promise<readonly PreviewHourSum[]> {
  const { route, kind } = measure
  const environment = namedBy(draft.if.conditions, 'environment')
  const release = namedBy(draft.if.conditions, 'release')
  const asked = {
    ...{
      projects: draft.projects,
      startMs: range.startHour * HOUR_MS,
      endMs: range.endHour * HOUR_MS,
    },
    ...(route === null ? {} : { route }),
    ...(kind === null ? {} : { kind }),
    ...(environment === null ? {} : { environment }),
    ...(release === null || release === 'latest' ? {} : { release }),
  }
  const sums = await requests.requestSums(scope, asked, HOUR_MS)
  return spreadDays(
    sums.map(({ count, failed, sketch }) => ({ count, failed, volume: count, sketch })),
    range.startHour,
  )
}

const windowCount = ({ count }: WindowSum): number => count

function countOnly(count: number): PreviewHourSum {
  return { count, failed: 0, volume: count, sketch: null }
}

/** Minutes of whole hours without anything; before the first thing ever nothing is silent. */
function silences(hours: readonly number[]): readonly WindowValue[] {
  let [minutes, isBegun] = [0, false]
  return hours.map((count) => {
    isBegun ||= count > 0
    minutes = count > 0 ? 0 : minutes + 60
    return { value: isBegun ? minutes : null, volume: 1 }
  })
}

async function outcomeHours(
  { outcomes: read }: AlertQueryParts,
  scope: ReadScope,
  asked: {
    readonly projects: readonly ProjectId[] | null
    readonly range: HourRange
    readonly outcomes: readonly string[]
    readonly category: string | null
  },
): Promise<readonly number[]> {
  const { projects, range, outcomes, category } = asked
  const { buckets, groups } = await read.outcomes(scope, {
    ...{ startMs: range.startHour * HOUR_MS, endMs: range.endHour * HOUR_MS, intervalMs: HOUR_MS },
    ...{ projects, keys: null, groupBy: ['outcome', 'category'] },
  })
  const wanted = groups.filter(
    (group) => outcomes.includes(group.outcome ?? '') && (category === null || group.category === category),
  )
  return buckets.map((_, at) => wanted.reduce((sum, { series }) => sum + (series[at] ?? 0), 0))
}

async function healthHours(
  { health }: AlertQueryParts,
  scope: ReadScope,
  { draft, range }: Asked<MetricDraft>,
): Promise<readonly PreviewHourSum[]> {
  const environment = namedBy(draft.if.conditions, 'environment')
  const [all] = await health.health(scope, {
    ...range,
    ...{ stepHours: 1, projects: draft.projects, releases: null, groupBy: [] },
    environments: environment === null ? null : [environment],
  })
  const isUsers = draft.when.measure.of === 'crash-free' && draft.when.measure.what === 'users'
  const length = range.endHour - range.startHour
  return Array.from({ length }, (_, at) => {
    const figures = all?.series[at]
    if (figures === undefined) return countOnly(0)
    const { sessions, crashed, people, crashedPeople } = figures
    const [count, failed] = isUsers ? [people, crashedPeople] : [sessions, crashed]
    return { count, failed, volume: sessions, sketch: null }
  })
}

async function issuePreview(
  parts: AlertQueryParts,
  scope: ReadScope,
  { draft, range }: Asked<IssueDraft>,
): Promise<Found> {
  const notes = new Set<string>()
  const found = await Promise.all(
    draft.when.map((when) =>
      momentsOf(parts, scope, { when, draft, range, note: (text) => notes.add(text) }),
    ),
  )
  const isAll = draft.whenMatch === 'all' && draft.when.length > 1
  if (isAll) notes.add('“All of these at once” means within the same hour here.')
  const moments = (isAll ? momentsAtOnce(found) : found.flat()).toSorted((a, b) => a.atMs - b.atMs)
  const kept = await meetsIssueConditions(parts.issues, scope, {
    ...{ given: draft.if, moments, note: (text) => notes.add(text) },
  })
  const none = { values: null, enough: null, minimum: null, variants: [] }
  return { ...none, firings: onceInAWhile(kept, draft.everyMinutes), notes: [...notes] }
}

const RECORDS = {
  new: ['first_seen'],
  regressed: ['regressed'],
  resolved: ['resolved'],
} as const

async function momentsOf(
  { alerts }: AlertQueryParts,
  scope: ReadScope,
  {
    when,
    draft: { projects },
    range,
    note,
  }: Asked<IssueDraft> & { readonly when: IssueWhen; readonly note: (text: string) => void },
): Promise<Moments> {
  const { startHour, endHour } = range
  const times = { startMs: startHour * HOUR_MS, endMs: endHour * HOUR_MS }
  const past = (kinds: readonly string[]) => alerts.pastMoments(scope, { projects, kinds, ...times })
  switch (when.on) {
    case 'new':
    case 'regressed':
    case 'resolved':
      return past(RECORDS[when.on])
    case 'activity':
      return past(when.what.map((what) => (what === 'comment' ? 'commented' : 'assigned')))
    case 'digest':
      note('Digest lookups aren’t kept, so they can’t be previewed.')
      return []
    case 'escalating': {
      const hours = await alerts.issueHours(scope, {
        ...{ projects, startHour: startHour - 168, endHour, atLeast: max('alertEscalationEventsMin') },
      })
      return escalationMoments(hours, startHour)
    }
    case 'frequency':
    case 'increase': {
      if (when.of === 'users') {
        note('Users aren’t kept by the hour, so this can’t be previewed.')
        return []
      }
      if (when.withinMinutes < 60)
        note('Events are kept by the hour: more hours may count than minutes would.')
      const lead = 2 * Math.ceil(when.withinMinutes / 60)
      const atLeast = Math.max(1, Math.ceil(when.atLeast / Math.max(1, when.withinMinutes / 60)))
      const hours = await alerts.issueHours(scope, {
        projects,
        startHour: startHour - lead,
        endHour,
        atLeast,
      })
      return countedMoments(when, hours, startHour)
    }
  }
}

async function previewIssues(
  { issues }: AlertQueryParts,
  scope: ReadScope,
  firings: readonly PastFiring[],
): Promise<PreviewIssues> {
  const ids = [...new Set(firings.flatMap(({ issueId }) => issueId ?? []))].slice(-max('issuesPerChangeMax'))
  const found = await issues.issuesByRefs(scope, ids.map(String))
  return Object.fromEntries(found.map(({ id, shortId, title }) => [id, { shortId, title }]))
}
