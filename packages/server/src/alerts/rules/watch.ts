/**
 * Rules that a batch must be counted for: those that are on, by project, so that a project without any costs
 * one look.
 */
import type { EventId, IssueId, ProjectId } from '#base/ids.ts'
import {
  type AlertRule,
  concerns,
  type IssueRule,
  type IssueWhen,
  type MetricRule,
  type RequestMeasure,
  type RuleCondition,
} from '#model/alert-rule.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import { emptyRequestSum, addRequestSums as sumSegment } from '#requests/sums.ts'
import { countsApart, type EventCondition, isOnEvents } from './counted-conditions.ts'
import {
  issueKey,
  metricKey,
  ruleIssueKey,
  type SlotAddition,
  type SlotAdditions,
  slotAt,
  type Width,
  widthOf,
} from './slots.ts'
import { tagComparison } from './tag-comparison.ts'

interface Counting {
  /** `null`: shared by all rules without conditions on events. */
  readonly rule: IssueRule | null
  readonly width: Width
  readonly users: boolean
}

export interface ProjectWatch {
  /** Frequency, increase, escalation: whatever comes is to be looked at. */
  readonly isEveryEventWatched: boolean
  readonly countings: readonly Counting[]
  readonly metrics: readonly MetricRule[]
  readonly requestMetrics: readonly (MetricRule & { readonly when: { readonly measure: RequestMeasure } })[]
  /** Keys of tags that the facts of a candidate say: those that conditions ask for, and two for all. */
  readonly factKeys: ReadonlySet<string>
}

/** Facts about the events that made an issue a candidate. */
export interface SeenFacts {
  /** Values by key; `environment` and `release` are always there where events name them. */
  readonly tags: Readonly<Record<string, readonly string[]>>
  readonly kinds: readonly string[]
  readonly eventId: EventId | null
  readonly traceId: string | null
  readonly release: string | null
}

export const NO_FACTS: SeenFacts = { tags: {}, kinds: [], eventId: null, traceId: null, release: null }
const VALUES_MAX = 20

/** Returns what rules that are on look at in the project, beside new and returned issues, which its preset rules always do. */
export function watchOf(
  rules: readonly AlertRule[],
  project: ProjectId,
  hasEscalating: boolean,
): ProjectWatch {
  const own = rules.filter((rule) => rule.isOn && concerns(rule, project))
  const issueRules = own.filter((rule) => rule.kind === 'issue')
  const metrics = own.filter((rule) => rule.kind === 'metric')
  const has = (on: IssueWhen['on']) => issueRules.some(({ when }) => when.some((one) => one.on === on))
  const countings = issueRules.flatMap(countingsOf)
  const shared = new Map<Width, Counting>()
  for (const counting of countings) {
    if (counting.rule !== null) continue
    const users = counting.users || (shared.get(counting.width)?.users ?? false)
    shared.set(counting.width, { ...counting, users })
  }
  return {
    isEveryEventWatched: hasEscalating || has('frequency') || has('increase') || has('escalating'),
    countings: [...shared.values(), ...countings.filter(({ rule }) => rule !== null)],
    metrics: metrics.filter(({ when: { measure } }) => measure.of === 'events' || measure.of === 'users'),
    requestMetrics: metrics.filter(isOfRequests),
    factKeys: new Set([
      ...['environment', 'release'],
      ...own.flatMap((rule) => rule.if.conditions.flatMap((one) => (one.is === 'tag' ? [one.key] : []))),
    ]),
  }
}

function isOfRequests(rule: MetricRule): rule is ProjectWatch['requestMetrics'][number] {
  return 'route' in rule.when.measure
}

function countingsOf(rule: IssueRule): readonly Counting[] {
  return rule.when.flatMap((when) =>
    when.on === 'frequency' || when.on === 'increase'
      ? [
          {
            rule: countsApart(rule) ? rule : null,
            width: widthOf(when.withinMinutes * (when.on === 'increase' ? 2 : 1)),
            users: when.of === 'users',
          },
        ]
      : [],
  )
}

/** Returns the key under which a rule finds an issue's count. */
export function ruleCountKey(rule: IssueRule, issue: IssueId): string {
  return countsApart(rule) ? ruleIssueKey(rule.id, issue) : issueKey(issue)
}

export function addGroup(
  to: SlotAdditions,
  watch: ProjectWatch,
  { issueId, delta }: { readonly issueId: IssueId; readonly delta: GroupDelta },
): void {
  if (watch.countings.length === 0 && watch.metrics.length === 0) return
  const atMs = delta.firstReceivedMs
  // A thousand rules may ask for twenty tags each: what the events have is sorted once.
  const facets = Map.groupBy(delta.facets, ({ key }) => key)
  for (const { rule, width, users } of watch.countings) {
    const count = rule === null ? delta.eventCount : matching({ delta, facets }, rule.if.conditions)
    if (count === 0) continue
    const key = rule === null ? issueKey(issueId) : ruleIssueKey(rule.id, issueId)
    const slot = to.at({ key, width, slot: slotAt(atMs, width) })
    slot.count += count
    if (users) addPeople(slot, delta)
  }
  for (const {
    id,
    when,
    if: { conditions },
  } of watch.metrics) {
    const count = matching({ delta, facets }, conditions)
    if (count === 0) continue
    const width = widthOf(when.windowMinutes)
    const slot = to.at({ key: metricKey(id), width, slot: slotAt(atMs, width) })
    slot.count += count
    if (when.measure.of === 'users') addPeople(slot, delta)
  }
}

function addPeople(to: SlotAddition, { users, aliases }: GroupDelta): void {
  for (const user of users) to.users.add(user)
  for (const alias of aliases) to.aliases.push(alias)
}

/** Exact for one condition; of several at most so many: values of different keys are counted apart. */
function matching(seen: SeenGroup, conditions: readonly RuleCondition[]): number {
  let least = seen.delta.eventCount
  for (const condition of conditions) {
    if (least <= 0) return 0
    if (isOnEvents(condition)) least = Math.min(least, countOfCondition(seen, condition))
  }
  return least
}

interface SeenGroup {
  readonly delta: GroupDelta
  /** By their keys. */
  readonly facets: ReadonlyMap<string, GroupDelta['facets']>
}

function countOfCondition({ delta, facets }: SeenGroup, condition: EventCondition): number {
  if (condition.is === 'kind') return delta.kinds.get(condition.value) ?? 0
  const isTag = condition.is === 'tag'
  const key = isTag ? condition.key : condition.is
  const { isNegated, holds } = isTag
    ? tagComparison(condition)
    : { isNegated: false, holds: (value: string) => value === condition.value }
  let found = 0
  for (const { value, count } of facets.get(key) ?? []) if (holds(value)) found += count
  return isNegated ? delta.eventCount - found : found
}

export function factsOf(delta: GroupDelta, { factKeys }: ProjectWatch): SeenFacts {
  const tags: Record<string, string[]> = {}
  for (const { key, value } of delta.facets) {
    if (!factKeys.has(key)) continue
    const values = tags[key] ?? []
    tags[key] = values
    if (values.length < VALUES_MAX) values.push(value)
  }
  const { eventId, traceId, release } = delta.newest
  return { tags, kinds: [...delta.kinds.keys()], eventId, traceId, release }
}

interface OfSeries {
  readonly route: string
  readonly kind: string
  readonly environment: string | null
  readonly release: string | null
}

/** Whether what a rule measures includes such a request. */
function measures(rule: ProjectWatch['requestMetrics'][number], of: OfSeries): boolean {
  const { route, kind } = rule.when.measure
  if ((route !== null && route !== of.route) || (kind !== null && kind !== of.kind)) return false
  return rule.if.conditions.every((one) => {
    if (one.is === 'environment') return of.environment === one.value
    return one.is !== 'release' || of.release === one.value
  })
}

/** Adds a segment that is counted for the first time. */
export function addSegment(to: SlotAdditions, watch: ProjectWatch, segment: SegmentSeen): void {
  for (const rule of watch.requestMetrics) {
    if (!measures(rule, segment)) continue
    const width = widthOf(rule.when.windowMinutes)
    const slot = to.at({ key: metricKey(rule.id), width, slot: slotAt(segment.receivedMs, width) })
    const sum = { ...emptyRequestSum(), ...(slot.sketch === null ? {} : { sketch: slot.sketch }) }
    sumSegment(sum, segment)
    slot.count += sum.count
    slot.failed += sum.failed
    slot.sketch = sum.sketch
  }
}

/** A counted request that turned out to be of another route or kind, or to have failed, or not to have. */
export interface SegmentMove {
  readonly from: OfSeries & { readonly projectId: ProjectId }
  readonly to: OfSeries
  readonly weight: number
  /** So many of `weight`. */
  readonly failed: { readonly before: number; readonly after: number }
}

/** Counts alone: how long it took stays with the rules that it was counted for. */
export function addMove(
  to: SlotAdditions,
  watch: ProjectWatch,
  { move, atMs }: { readonly move: SegmentMove; readonly atMs: number },
): void {
  const { weight, failed } = move
  for (const rule of watch.requestMetrics) {
    const [was, is] = [measures(rule, move.from), measures(rule, move.to)]
    if (!was && !is) continue
    const width = widthOf(rule.when.windowMinutes)
    const slot = to.at({ key: metricKey(rule.id), width, slot: slotAt(atMs, width) })
    slot.count += (is ? weight : 0) - (was ? weight : 0)
    slot.failed += (is ? failed.after : 0) - (was ? failed.before : 0)
  }
}

/** A request turned out to have failed behind a good status, or not to: `weight` is negative then. */
export interface BehindChange extends OfSeries {
  readonly projectId: ProjectId
  readonly weight: number
}

export function addBehindToSlots(
  to: SlotAdditions,
  watch: ProjectWatch,
  { change, atMs }: { readonly change: BehindChange; readonly atMs: number },
): void {
  for (const rule of watch.requestMetrics) {
    if (!measures(rule, change)) continue
    const width = widthOf(rule.when.windowMinutes)
    to.at({ key: metricKey(rule.id), width, slot: slotAt(atMs, width) }).failed += change.weight
  }
}
