/**
 * Issue rules as Sentry's public API has them, and back. What it has no name for is called `errata.…` and keeps its own
 * fields, so that a rule that is read can be written again.
 */
import * as v from 'valibot'
import type { AlertRule, IssueWhen, RuleCondition, RuleReceiver } from '#model/alert-rule.ts'
import { conditionWords, momentWords } from '#model/alert-words.ts'
import { time } from './times.ts'

type IssueRule = Extract<AlertRule, { readonly kind: 'issue' }>

const ENTRY = v.looseObject({ id: v.string('Each has an id.') })
type Entry = v.InferOutput<typeof ENTRY>

export const ISSUE_RULE = v.object({
  name: v.string('name: text.'),
  conditions: v.array(ENTRY, 'conditions: a list.'),
  filters: v.optional(v.array(ENTRY, 'filters: a list.'), []),
  actions: v.array(ENTRY, 'actions: a list.'),
  actionMatch: v.optional(v.picklist(['any', 'all'], 'actionMatch: any or all.'), 'any'),
  filterMatch: v.optional(v.picklist(['all', 'any'], 'filterMatch: all or any.'), 'all'),
  frequency: v.optional(v.number('frequency: minutes.'), 30),
  environment: v.optional(v.nullable(v.string('environment: text.')), null),
  status: v.optional(v.picklist(['active', 'disabled'], 'status: active or disabled.'), 'active'),
})

const CONDITIONS = 'sentry.rules.conditions'
const FILTERS = 'sentry.rules.filters'
const MAIL = 'sentry.mail.actions.NotifyEmailAction'
const IDS = {
  new: `${CONDITIONS}.first_seen_event.FirstSeenEventCondition`,
  regressed: `${CONDITIONS}.regression_event.RegressionEventCondition`,
  escalating: `${CONDITIONS}.reappeared_event.ReappearedEventCondition`,
  events: `${CONDITIONS}.event_frequency.EventFrequencyCondition`,
  users: `${CONDITIONS}.event_frequency.EventUniqueUserFrequencyCondition`,
  level: `${FILTERS}.level.LevelFilter`,
  tag: `${FILTERS}.tagged_event.TaggedEventFilter`,
  latest: `${FILTERS}.latest_release.LatestReleaseFilter`,
  age: `${FILTERS}.age_comparison.AgeComparisonFilter`,
  text: `${FILTERS}.event_attribute.EventAttributeFilter`,
} as const
const LEVELS = { fatal: '50', error: '40', warning: '30', info: '20', debug: '10' } as const
const LEVEL_MATCHES = { 'at least': 'gte', exactly: 'eq', 'at most': 'lte' } as const
const TAG_MATCHES = { is: 'eq', 'is not': 'ne', contains: 'co' } as const
const TIMES = { minute: 1, hour: 60, day: 1_440, week: 10_080 } as const

export function issueRuleShape(rule: IssueRule, slugs: readonly string[], nowMs: number) {
  const {
    id,
    name,
    when,
    if: given,
    notify,
    everyMinutes,
    isOn,
    createdMs,
    createdBy,
    createdById,
    mute,
  } = rule
  const environment =
    given.match === 'all' ? given.conditions.find(({ is }) => is === 'environment') : undefined
  const others = given.conditions.filter((condition) => condition !== environment)
  return {
    ...{ id: String(id), name, actionMatch: rule.match ?? 'any', filterMatch: given.match },
    frequency: everyMinutes,
    conditions: when.map((one) => ({ ...conditionShape(one), name: momentWords(one) })),
    filters: others.map((one) => ({ ...filterShape(one), name: conditionWords(one) })),
    actions: notify.map(actionShape),
    environment: environment?.is === 'environment' ? environment.value : null,
    ...{ projects: slugs, owner: null, status: isOn ? 'active' : 'disabled', dateCreated: time(createdMs) },
    snooze: mute !== null && (mute.untilMs === null || mute.untilMs > nowMs),
    createdBy: createdById === null ? null : { id: createdById, name: createdBy },
  }
}

function conditionShape(when: IssueWhen): Entry {
  if (when.on === 'new' || when.on === 'regressed' || when.on === 'escalating') return { id: IDS[when.on] }
  if (when.on === 'frequency') {
    const value = when.atLeast
    return { id: IDS[when.of], value, interval: intervalOf(when.withinMinutes), comparisonType: 'count' }
  }
  const { on, ...fields } = when
  return { id: `errata.conditions.${on}`, ...fields }
}

function intervalOf(minutes: number): string {
  if (minutes % 10_080 === 0) return `${minutes / 10_080}w`
  if (minutes % 1_440 === 0) return `${minutes / 1_440}d`
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`
}

function filterShape(condition: RuleCondition): Entry {
  switch (condition.is) {
    case 'level':
      return { id: IDS.level, match: LEVEL_MATCHES[condition.how], level: LEVELS[condition.level] }
    case 'tag':
      return { id: IDS.tag, key: condition.key, match: TAG_MATCHES[condition.how], value: condition.value }
    case 'age':
      return { id: IDS.age, comparison_type: condition.than, value: condition.minutes, time: 'minute' }
    case 'text':
      return { id: IDS.text, attribute: 'message', match: 'co', value: condition.value }
    case 'release':
      if (condition.value === 'latest') return { id: IDS.latest }
  }
  const { is, ...fields } = condition
  return { id: `errata.filters.${is}`, ...fields }
}

function actionShape({ target }: RuleReceiver): Entry {
  if (target.to === 'channel') return { id: 'errata.actions.channel', channelId: target.channelId }
  if (target.to === 'user') return { id: MAIL, targetType: 'Member', targetIdentifier: target.userId }
  if (target.to === 'team') return { id: MAIL, targetType: 'Team', targetIdentifier: target.teamId }
  return target.to === 'members'
    ? { id: MAIL, targetType: 'IssueOwners', fallthroughType: 'ActiveMembers' }
    : { id: MAIL, targetType: 'Assignee' }
}

/** What the command reads; it says what is wrong of values. `null` in a list: nobody knows the id. */
export function issueRuleDraft(rule: v.InferOutput<typeof ISSUE_RULE>, project: number) {
  const environment = rule.environment === null ? [] : [{ is: 'environment', value: rule.environment }]
  return {
    ...{ kind: 'issue', name: rule.name, isOn: rule.status === 'active', projects: [project] },
    ...{ when: rule.conditions.map(momentOf), match: rule.actionMatch },
    if: { match: rule.filterMatch, conditions: [...environment, ...rule.filters.map(conditionOf)] },
    notify: rule.actions.map((action) => ({ target: targetOf(action), fromLevel: 'warning' })),
    everyMinutes: rule.frequency,
  }
}

function keyOf(table: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  return Object.keys(table).find((name) => table[name] === value)
}

function momentOf({ id, ...fields }: Entry): unknown {
  const { value, interval, comparisonType = 'count' } = fields
  const on = keyOf(IDS, id)
  if (on === 'new' || on === 'regressed' || on === 'escalating') return { on }
  if ((on === 'events' || on === 'users') && comparisonType === 'count')
    return { on: 'frequency', of: on, atLeast: Number(value), withinMinutes: minutesOf(String(interval)) }
  return { ...withoutName(fields), on: own(id, 'conditions') }
}

function minutesOf(interval: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(interval) ?? []
  return Number(count) * ({ m: 1, h: 60, d: 1_440, w: 10_080 }[unit] ?? Number.NaN)
}

function conditionOf({ id, ...fields }: Entry): unknown {
  const { match, level, key, value, time: unit } = fields
  switch (keyOf(IDS, id)) {
    case 'level':
      return { is: 'level', how: keyOf(LEVEL_MATCHES, match), level: keyOf(LEVELS, String(level)) }
    case 'tag':
      return { is: 'tag', key, how: keyOf(TAG_MATCHES, match), value }
    case 'latest':
      return { is: 'release', value: 'latest' }
    case 'age': {
      const minutes =
        Number(value) * (new Map<unknown, number>(Object.entries(TIMES)).get(unit) ?? Number.NaN)
      return { is: 'age', than: fields.comparison_type, minutes }
    }
    case 'text':
      return { is: 'text', value }
    default:
      return { ...withoutName(fields), is: own(id, 'filters') }
  }
}

export function targetOf({ id, targetType, targetIdentifier, channelId }: Entry): unknown {
  if (id === 'errata.actions.channel') return { to: 'channel', channelId: Number(channelId) }
  if (id !== MAIL) return { to: id }
  if (targetType === 'Member') return { to: 'user', userId: Number(targetIdentifier) }
  if (targetType === 'Team') return { to: 'team', teamId: Number(targetIdentifier) }
  return { to: targetType === 'Assignee' ? 'assignee' : 'members' }
}

function own(id: string, sort: string): string {
  const prefix = `errata.${sort}.`
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** What says it in words. */
function withoutName({ name: _, ...fields }: Readonly<Record<string, unknown>>) {
  return fields
}
