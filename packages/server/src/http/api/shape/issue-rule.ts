/**
 * Issue rules as Sentry's public API has them, and back. What it has no name for is called `errata.…` and keeps its own
 * fields, so that a rule that is read can be written again. What Errata cannot mean exactly is refused by its name: a rule
 * that means something else than whoever wrote it thinks is worse than none.
 */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import {
  type AlertRule,
  type IssueWhen,
  MATCHES,
  type RuleCondition,
  type RuleReceiver,
} from '#model/alert-rule.ts'
import { conditionWords, momentWords } from '#model/alert-words.ts'
import { badField } from '../refusals.ts'
import { isoTimeText } from './times.ts'

type IssueRule = Extract<AlertRule, { readonly kind: 'issue' }>

const ENTRY = v.looseObject({ id: v.string('Each has an id.') })
export type RuleEntry = v.InferOutput<typeof ENTRY>

/** Kept and answered; a change that leaves it out keeps it. */
export const OWNER = v.optional(v.nullable(v.string('owner: team:1 or user:1, with an id.')))

export const ISSUE_RULE = v.object({
  owner: OWNER,
  name: v.string('name: text.'),
  conditions: v.array(ENTRY, 'conditions: a list.'),
  filters: v.optional(v.array(ENTRY, 'filters: a list.'), []),
  actions: v.array(ENTRY, 'actions: a list.'),
  actionMatch: v.optional(v.picklist(['any', 'all'], 'actionMatch: any or all.'), 'any'),
  filterMatch: v.optional(v.picklist(MATCHES, 'filterMatch: all, any or none.'), 'all'),
  frequency: v.optional(v.number('frequency: minutes.'), 30),
  environment: v.optional(v.nullable(v.string('environment: text.')), null),
  status: v.optional(v.picklist(['active', 'disabled'], 'status: active or disabled.'), 'active'),
})

const CONDITIONS = 'sentry.rules.conditions'
const FILTERS = 'sentry.rules.filters'
export const MAIL = 'sentry.mail.actions.NotifyEmailAction'
export const IDS = {
  new: `${CONDITIONS}.first_seen_event.FirstSeenEventCondition`,
  regressed: `${CONDITIONS}.regression_event.RegressionEventCondition`,
  escalating: `${CONDITIONS}.reappeared_event.ReappearedEventCondition`,
  every: `${CONDITIONS}.every_event.EveryEventCondition`,
  events: `${CONDITIONS}.event_frequency.EventFrequencyCondition`,
  users: `${CONDITIONS}.event_frequency.EventUniqueUserFrequencyCondition`,
  level: `${FILTERS}.level.LevelFilter`,
  tag: `${FILTERS}.tagged_event.TaggedEventFilter`,
  latest: `${FILTERS}.latest_release.LatestReleaseFilter`,
  age: `${FILTERS}.age_comparison.AgeComparisonFilter`,
  text: `${FILTERS}.event_attribute.EventAttributeFilter`,
  assignee: `${FILTERS}.assigned_to.AssignedToFilter`,
} as const
const LEVELS = { fatal: '50', error: '40', warning: '30', info: '20', debug: '10' } as const
const LEVEL_MATCHES = { 'at least': 'gte', exactly: 'eq', 'at most': 'lte' } as const
const TAG_MATCHES = {
  is: 'eq',
  'is not': 'ne',
  contains: 'co',
  'does not contain': 'nc',
  'starts with': 'sw',
  'does not start with': 'nsw',
  'ends with': 'ew',
  'does not end with': 'new',
  'is set': 'is',
  'is not set': 'ns',
} as const
const TIMES = { minute: 1, hour: 60, day: 1_440, week: 10_080 } as const
export const OTHERWISE = { members: 'AllMembers', active: 'ActiveMembers', nobody: 'NoOne' } as const
/** Each event, at most once in the rule's period: one within the shortest window. */
const EVERY_EVENT = { on: 'frequency', of: 'events', atLeast: 1, withinMinutes: 1 } as const

export function issueRuleShape(rule: IssueRule, slugs: readonly string[], nowMs: number) {
  const { id, name, when, notify, everyMinutes, isOn, createdMs, createdBy, createdById, mute } = rule
  const { match, conditions } = rule.if
  const environment = match === 'all' ? conditions.find(({ is }) => is === 'environment') : undefined
  const others = conditions.filter((condition) => condition !== environment)
  return {
    ...{
      id: String(id),
      name,
      actionMatch: rule.whenMatch ?? 'any',
      filterMatch: match,
      frequency: everyMinutes,
    },
    conditions: when.map((one) => ({ ...whenShape(one), name: momentWords(one) })),
    filters: others.map((one) => ({ ...ruleFilterShape(one), name: conditionWords(one) })),
    actions: notify.map(receiverShape),
    environment: environment?.is === 'environment' ? environment.value : null,
    ...{
      projects: slugs,
      owner: rule.owner ?? null,
      status: isOn ? 'active' : 'disabled',
      dateCreated: isoTimeText(createdMs),
    },
    snooze: mute !== null && (mute.untilMs === null || mute.untilMs > nowMs),
    createdBy: createdById === null ? null : { id: createdById, name: createdBy },
  }
}

function whenShape(when: IssueWhen): RuleEntry {
  if (when.on === 'new' || when.on === 'regressed' || when.on === 'escalating') return { id: IDS[when.on] }
  if (when.on === 'frequency') {
    if (when.of === 'events' && when.atLeast === 1 && when.withinMinutes === 1) return { id: IDS.every }
    // There it is "more than".
    const value = when.atLeast - 1
    return { id: IDS[when.of], value, interval: intervalText(when.withinMinutes), comparisonType: 'count' }
  }
  const { on, ...fields } = when
  return { id: `errata.conditions.${on}`, ...fields }
}

function intervalText(minutes: number): string {
  if (minutes % 10_080 === 0) return `${minutes / 10_080}w`
  if (minutes % 1_440 === 0) return `${minutes / 1_440}d`
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`
}

function ruleFilterShape(condition: RuleCondition): RuleEntry {
  switch (condition.is) {
    case 'level':
      return { id: IDS.level, match: LEVEL_MATCHES[condition.how], level: LEVELS[condition.level] }
    case 'tag': {
      const { key, value } = condition
      const match = TAG_MATCHES[condition.how]
      if (key === 'environment' || key === 'release') return { id: IDS.text, attribute: key, match, value }
      return { id: IDS.tag, key, match, value }
    }
    case 'age':
      return { id: IDS.age, comparison_type: condition.than, value: condition.minutes, time: 'minute' }
    case 'text':
      return { id: IDS.text, attribute: 'message', match: 'co', value: condition.value }
    case 'assignee':
      return condition.userId === null
        ? { id: IDS.assignee, targetType: 'Unassigned' }
        : { id: IDS.assignee, targetType: 'Member', targetIdentifier: condition.userId }
    case 'release':
      if (condition.value === 'latest') return { id: IDS.latest }
  }
  const { is, ...fields } = condition
  return { id: `errata.filters.${is}`, ...fields }
}

function receiverShape({ target }: RuleReceiver): RuleEntry {
  switch (target.to) {
    case 'channel':
      return { id: 'errata.actions.channel', channelId: target.channelId }
    case 'user':
      return { id: MAIL, targetType: 'Member', targetIdentifier: target.userId }
    case 'team':
      return { id: MAIL, targetType: 'Team', targetIdentifier: target.teamId }
    case 'owners':
      return { id: MAIL, targetType: 'IssueOwners', fallthroughType: OTHERWISE[target.otherwise] }
    case 'members':
    case 'assignee':
      return { id: `errata.actions.${target.to}` }
  }
}

/** Builds the draft that the command reads; the command reports wrong values. */
export function issueRuleDraft(rule: v.InferOutput<typeof ISSUE_RULE>, project: number) {
  const { environment, filters, filterMatch, actionMatch } = rule
  // Beside the environment, which must hold, one filter of any is one of all; several of any, or none of them, are not.
  const isAll =
    filterMatch === 'all' || filters.length === 0 || (filterMatch === 'any' && filters.length === 1)
  if (environment !== null && !isAll)
    throw badField(
      'environment',
      `With filterMatch ${filterMatch}, leave the environment out: here it is one of the filters.`,
    )
  const conditions = filters.map(readRuleCondition)
  return {
    ...{ kind: 'issue', name: rule.name, isOn: rule.status === 'active', projects: [project] },
    when: rule.conditions.map(momentOf),
    ...(actionMatch === 'all' ? { whenMatch: actionMatch } : {}),
    if: {
      match: environment === null ? filterMatch : 'all',
      conditions:
        environment === null ? conditions : [{ is: 'environment', value: environment }, ...conditions],
    },
    notify: rule.actions.map((action) => ({ target: targetOf(action), fromLevel: 'warning' })),
    everyMinutes: rule.frequency,
    owner: rule.owner,
  }
}

function keyOfValue<Key extends string>(
  table: Readonly<Record<Key, unknown>>,
  value: unknown,
): Key | undefined {
  for (const name in table) if (table[name] === value) return name
  return undefined
}

/** Returns the word for a value of a table; refuses others with the field and its possible values. */
function wordOfValue<Key extends string>(
  table: Readonly<Record<Key, string>>,
  value: unknown,
  [field, name]: readonly [field: string, name: string],
): Key {
  const word = keyOfValue(table, String(value))
  if (word === undefined)
    throw badField(
      field,
      `${name} ${quoteValue(value)} is not supported here: one of ${Object.values(table).join(', ')}.`,
    )
  return word
}

function quoteValue(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 140)
}

function momentOf({ id, ...fields }: RuleEntry): unknown {
  const on = keyOfValue(IDS, id)
  switch (on) {
    case 'new':
    case 'regressed':
    case 'escalating':
      return { on }
    case 'every':
      return EVERY_EVENT
    case 'events':
    case 'users':
      return frequencyOf(on, fields)
    default:
      return { ...withoutEntryName(fields), on: ownName(id, 'conditions') }
  }
}

function frequencyOf(of: 'events' | 'users', fields: Omit<RuleEntry, 'id'>): unknown {
  const { value, interval, comparisonType = 'count' } = fields
  if (comparisonType !== 'count')
    throw badField(
      'conditions',
      `comparisonType ${quoteValue(comparisonType)} is not supported here: count alone.`,
    )
  const withinMinutes = minutesOf(String(interval))
  if (withinMinutes === null)
    throw badField(
      'conditions',
      `interval ${quoteValue(interval)} is not supported here: minutes to a week, such as 5m, 1h, 1d or 1w.`,
    )
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw badField('conditions', `value ${quoteValue(value)} must be a whole number from 0.`)
  return { on: 'frequency', of, atLeast: count + 1, withinMinutes }
}

function minutesOf(interval: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,5})(min|hr|[mhdw])$/.exec(interval) ?? []
  const minutes = Number(count) * ({ m: 1, min: 1, h: 60, hr: 60, d: 1_440, w: 10_080 }[unit] ?? Number.NaN)
  return minutes >= 1 && minutes <= max('alertWindowMinutesMax') ? minutes : null
}

function readRuleCondition({ id, ...fields }: RuleEntry): unknown {
  const { match, level, key, value } = fields
  switch (keyOfValue(IDS, id)) {
    case 'level': {
      const how = wordOfValue(LEVEL_MATCHES, match, ['filters', 'match'])
      return { is: 'level', how, level: wordOfValue(LEVELS, level, ['filters', 'level']) }
    }
    case 'tag':
      return {
        is: 'tag',
        key,
        how: wordOfValue(TAG_MATCHES, match, ['filters', 'match']),
        value: value ?? '',
      }
    case 'latest':
      return { is: 'release', value: 'latest' }
    case 'age': {
      const unit = wordOfValue({ minute: 'minute', hour: 'hour', day: 'day', week: 'week' }, fields.time, [
        'filters',
        'time',
      ])
      return { is: 'age', than: fields.comparison_type, minutes: Number(value) * TIMES[unit] }
    }
    case 'text':
      return attributeOf(fields)
    case 'assignee':
      return ruleAssignee(fields)
    default:
      return { ...withoutEntryName(fields), is: ownName(id, 'filters') }
  }
}

/** Returns the condition on an attribute that rules can test: the title, and every tag. */
function attributeOf({ attribute, match, value }: Omit<RuleEntry, 'id'>): unknown {
  if (attribute === 'environment' || attribute === 'release')
    return {
      is: 'tag',
      key: attribute,
      how: wordOfValue(TAG_MATCHES, match, ['filters', 'match']),
      value: value ?? '',
    }
  if (attribute !== 'message')
    throw badField(
      'filters',
      `attribute ${quoteValue(attribute)} is not supported here: message, environment or release.`,
    )
  if (match !== 'co')
    throw badField('filters', `match ${quoteValue(match)} of message is not supported here: co alone.`)
  return { is: 'text', value }
}

function ruleAssignee({ targetType, targetIdentifier }: Omit<RuleEntry, 'id'>): unknown {
  if (targetType === 'Unassigned') return { is: 'assignee', userId: null }
  if (targetType === 'Member') return { is: 'assignee', userId: Number(targetIdentifier) }
  throw badField(
    'filters',
    `targetType ${quoteValue(targetType)} is not supported here: Unassigned or Member.`,
  )
}

export function targetOf({ id, ...fields }: RuleEntry): unknown {
  if (id === 'errata.actions.channel') return { to: 'channel', channelId: Number(fields.channelId) }
  if (id === 'errata.actions.members') return { to: 'members' }
  if (id === 'errata.actions.assignee') return { to: 'assignee' }
  if (id !== MAIL)
    throw badField(
      'actions',
      `${quoteValue(id)} is not supported here: ${MAIL}, or errata.actions.channel with the channelId of a channel.`,
    )
  const { targetType, targetIdentifier } = fields
  switch (targetType) {
    case 'Member':
      return { to: 'user', userId: Number(targetIdentifier) }
    case 'Team':
      return { to: 'team', teamId: Number(targetIdentifier) }
    case 'IssueOwners': {
      const given = fields.fallthroughType ?? fields.fallthrough_type ?? OTHERWISE.active
      return { to: 'owners', otherwise: wordOfValue(OTHERWISE, given, ['actions', 'fallthroughType']) }
    }
    default:
      throw badField(
        'actions',
        `targetType ${quoteValue(targetType)} is not supported here: IssueOwners, Team or Member.`,
      )
  }
}

function ownName(id: string, sort: 'conditions' | 'filters'): string {
  const prefix = `errata.${sort}.`
  if (!id.startsWith(prefix)) throw badField(sort, `${quoteValue(id)} is not supported here.`)
  return id.slice(prefix.length)
}

/** Returns the action without its description. */
function withoutEntryName({ name: _, ...fields }: Readonly<Record<string, unknown>>) {
  return fields
}
