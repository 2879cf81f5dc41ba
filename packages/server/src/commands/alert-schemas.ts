/** Schemas of alert rules. Each rule is a sentence that stands beside the field that broke it. */
import * as v from 'valibot'
import { isTimeZone } from '#alerts/rules/quiet-hours.ts'
import { projectId, teamId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import {
  ACTIVITY_MOMENTS,
  COUNTED,
  EMAIL_MOMENTS,
  MATCHES,
  OWNERS_OTHERWISE,
  PERCENTILES,
  type RuleCondition,
  type RuleDraft,
  type RuleOwner,
  shortestWindow,
  TAG_COMPARISONS,
  WINDOWS_MINUTES,
} from '#model/alert-rule.ts'
import { LEVELS, REQUEST_KINDS } from '#model/event.ts'
import { OUTCOME_NAMES } from '#model/outcome.ts'
import { PRIORITIES } from '#model/priority.ts'

const alertText = (what: string, most = max('alertTextCharsMax')) =>
  v.pipe(
    v.string(`${what} must be text.`),
    v.trim(),
    v.minLength(1, `${what} is required.`),
    v.maxLength(most, `${what} may have at most ${most} characters.`),
  )
const optionalText = (what: string) => {
  const most = max('alertTextCharsMax')
  const rule = `${what} may have at most ${most} characters.`
  return v.pipe(v.string(`${what} must be text.`), v.trim(), v.maxLength(most, rule))
}
const wholeNumber = (what: string, least: number, most: number) => {
  const rule = `${what}: a whole number from ${least} to ${most.toLocaleString('en-US')}.`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule))
}
const numberFromZero = (what: string) => {
  const rule = `${what}: a number from 0.`
  return v.pipe(v.number(rule), v.finite(rule), v.minValue(0, rule))
}
const oneOfValues = <const T extends readonly (string | number)[]>(what: string, values: T) =>
  v.picklist(values, `${what}: one of ${values.join(', ')}.`)

const COUNT_MOST = 1_000_000
const minutes = wholeNumber('Minutes', 1, max('alertWindowMinutesMax'))
const atLeast = wholeNumber('At least', 1, COUNT_MOST)

const ISSUE_WHEN = v.variant(
  'on',
  [
    v.strictObject({ on: v.literal('new') }),
    v.strictObject({ on: v.literal('regressed') }),
    v.strictObject({ on: v.literal('escalating') }),
    v.strictObject({ on: v.literal('resolved') }),
    v.strictObject({
      ...{ on: v.literal('frequency'), of: oneOfValues('Counted', COUNTED), atLeast, withinMinutes: minutes },
    }),
    v.strictObject({
      ...{ on: v.literal('increase'), of: oneOfValues('Counted', COUNTED), atLeast, withinMinutes: minutes },
      times: v.pipe(
        numberFromZero('Times'),
        v.minValue(1, 'Times: at least 1.'),
        v.maxValue(1_000, 'Times: at most 1,000.'),
      ),
    }),
    v.strictObject({ on: v.literal('digest'), atLeast, withinMinutes: minutes }),
    v.strictObject({
      on: v.literal('activity'),
      what: v.pipe(
        v.array(oneOfValues('Activity', ACTIVITY_MOMENTS)),
        v.minLength(1, 'Activity: at least one of the two.'),
      ),
    }),
  ],
  'When: a moment of an issue.',
)

const CONDITION = v.variant(
  'is',
  [
    v.strictObject({
      ...{ is: v.literal('level'), how: oneOfValues('Level', ['at least', 'exactly', 'at most']) },
      level: oneOfValues('Level', [...LEVELS] as const),
    }),
    v.strictObject({
      ...{ is: v.literal('priority'), how: oneOfValues('Priority', ['at least', 'exactly', 'at most']) },
      priority: oneOfValues('Priority', PRIORITIES),
    }),
    v.strictObject({ is: v.literal('environment'), value: alertText('Environment') }),
    v.strictObject({ is: v.literal('release'), value: alertText('Release') }),
    v.strictObject({ is: v.literal('text'), value: alertText('Text') }),
    v.strictObject({
      ...{ is: v.literal('tag'), key: alertText('Tag', 200), how: oneOfValues('Tag', TAG_COMPARISONS) },
      value: v.optional(optionalText('Value'), ''),
    }),
    v.strictObject({ is: v.literal('kind'), value: oneOfValues('Kind', [...REQUEST_KINDS] as const) }),
    v.strictObject({ is: v.literal('handled'), value: v.boolean('Handled: true or false.') }),
    v.strictObject({
      ...{ is: v.literal('age'), than: oneOfValues('Age', ['older', 'newer']) },
      minutes: wholeNumber('Age in minutes', 1, 525_600),
    }),
    v.strictObject({
      is: v.literal('assignee'),
      userId: v.nullable(v.pipe(wholeNumber('Assignee', 1, Number.MAX_SAFE_INTEGER), v.transform(userId))),
    }),
  ],
  'If: a condition.',
)

const OF_REQUESTS = {
  route: v.nullable(alertText('Route', max('routeCharsMax'))),
  kind: v.nullable(oneOfValues('Kind', [...REQUEST_KINDS] as const)),
}
const MEASURE = v.variant(
  'of',
  [
    v.strictObject({ of: v.literal('events') }),
    v.strictObject({ of: v.literal('users') }),
    v.strictObject({ of: v.literal('silence') }),
    v.strictObject({ of: v.literal('requests'), ...OF_REQUESTS }),
    v.strictObject({ of: v.literal('failure-rate'), ...OF_REQUESTS }),
    v.strictObject({
      ...{ of: v.literal('apdex'), ...OF_REQUESTS },
      thresholdMs: wholeNumber('Threshold in ms', 1, 600_000),
    }),
    v.strictObject({
      ...{ of: v.literal('duration'), ...OF_REQUESTS },
      percentile: oneOfValues('Percentile', PERCENTILES),
    }),
    v.strictObject({ of: v.literal('crash-free'), what: oneOfValues('Crash-free', ['sessions', 'users']) }),
    v.strictObject({
      of: v.literal('outcomes'),
      outcomes: v.pipe(
        v.array(oneOfValues('Outcome', OUTCOME_NAMES)),
        v.minLength(1, 'Outcomes: at least one.'),
      ),
    }),
  ],
  'When: a measure.',
)

const threshold = (what: string) => v.nullable(numberFromZero(what))
const METRIC_WHEN = v.strictObject({
  measure: MEASURE,
  windowMinutes: oneOfValues('Window in minutes', WINDOWS_MINUTES),
  direction: oneOfValues('Direction', ['above', 'below']),
  critical: threshold('Critical'),
  warning: threshold('Warning'),
  resolved: threshold('Resolved'),
  atLeast: wholeNumber('At least', 0, COUNT_MOST),
  timesLastWeek: v.nullable(
    v.pipe(numberFromZero('Times last week'), v.minValue(1, 'Times last week: at least 1.')),
  ),
})

const idField = (what: string) => wholeNumber(what, 1, Number.MAX_SAFE_INTEGER)
const TARGET = v.variant(
  'to',
  [
    v.strictObject({ to: v.literal('channel'), channelId: idField('Channel') }),
    v.strictObject({ to: v.literal('assignee') }),
    v.strictObject({ to: v.literal('members') }),
    v.strictObject({ to: v.literal('owners'), otherwise: oneOfValues('Otherwise', OWNERS_OTHERWISE) }),
    v.strictObject({ to: v.literal('user'), userId: v.pipe(idField('Member'), v.transform(userId)) }),
    v.strictObject({ to: v.literal('team'), teamId: v.pipe(idField('Team'), v.transform(teamId)) }),
  ],
  'Notify: a receiver.',
)

const listField = <T extends v.GenericSchema>(what: string, item: T, most: number) =>
  v.pipe(v.array(item, `${what}: a list.`), v.maxLength(most, `${what}: at most ${most}.`))

const COMMON = {
  name: alertText('Name', max('alertNameCharsMax')),
  isOn: v.optional(v.boolean('On or off: true or false.'), true),
  projects: v.optional(
    v.nullable(
      v.pipe(
        listField('Projects', v.pipe(idField('Project'), v.transform(projectId)), max('projectsPerOrgMax')),
        v.minLength(1, 'Projects: at least one, or null for all.'),
      ),
    ),
    null,
  ),
  if: v.optional(
    v.strictObject({
      match: oneOfValues('Match', MATCHES),
      conditions: listField('Conditions', CONDITION, max('alertConditionsMax')),
    }),
    { match: 'all', conditions: [] },
  ),
  notify: listField(
    'Notify',
    v.strictObject({
      target: TARGET,
      fromLevel: v.optional(oneOfValues('From level', ['warning', 'critical']), 'warning'),
    }),
    max('alertTargetsMax'),
  ),
  everyMinutes: v.optional(wholeNumber('At most every, in minutes', 0, max('alertWindowMinutesMax')), 60),
  isQuiet: v.optional(v.boolean('Quiet hours: true or false.'), true),
  owner: v.optional(v.nullable(v.custom<RuleOwner>(isOwner, 'Owner: team:1 or user:1, with an id.'))),
}

function isOwner(value: unknown): value is RuleOwner {
  return typeof value === 'string' && /^(?:team|user):[1-9]\d{0,14}$/.test(value)
}

const DRAFT = v.variant(
  'kind',
  [
    v.strictObject({
      ...COMMON,
      kind: v.literal('issue'),
      when: v.pipe(
        listField('When', ISSUE_WHEN, max('alertConditionsMax')),
        v.minLength(1, 'When: at least one moment.'),
      ),
      whenMatch: v.optional(oneOfValues('When', ['any', 'all'])),
    }),
    v.strictObject({ ...COMMON, kind: v.literal('metric'), when: METRIC_WHEN }),
  ],
  'Kind: issue or metric.',
)

/** True for a condition on a tag without a value to compare with. */
function lacksValue(condition: RuleCondition): boolean {
  if (condition.is !== 'tag') return false
  return condition.value === '' && condition.how !== 'is set' && condition.how !== 'is not set'
}

/** Returns what is wrong with the whole; `null` if nothing is. */
function ruleOfWhole(draft: RuleDraft): string | null {
  if (draft.kind === 'issue') return draft.if.conditions.some(lacksValue) ? 'Value is required.' : null
  const { when, if: given } = draft
  const { measure, critical, warning, resolved, direction } = when
  if (critical === null && warning === null) return 'Set a critical or a warning threshold.'
  const [mild, bad] = direction === 'above' ? [warning, critical] : [critical, warning]
  if (mild !== null && bad !== null && mild > bad)
    return 'The critical threshold must be beyond the warning threshold.'
  const end = warning ?? critical ?? 0
  if (resolved !== null && (direction === 'above' ? resolved > end : resolved < end))
    return 'The resolved threshold must be on the other side of the warning threshold.'
  if (when.windowMinutes < shortestWindow(measure))
    return `These figures are kept by ${shortestWindow(measure)} minutes: choose a longer window.`
  if (when.timesLastWeek !== null && (measure.of === 'users' || measure.of === 'silence'))
    return 'These figures are not kept for a week: leave the comparison out.'
  const isChosen = given.conditions.every(({ is }) => is === 'environment' || is === 'release')
  if (!isChosen || given.match !== 'all') return 'A metric rule filters by environment and release only.'
  const isWhole = measure.of === 'outcomes' || measure.of === 'silence'
  return isWhole && given.conditions.length > 0 ? 'These figures cover all environments and releases.' : null
}

export const RULE_DRAFT: v.GenericSchema<unknown, RuleDraft> = v.pipe(
  DRAFT,
  v.rawCheck(({ dataset, addIssue }) => {
    const rule = dataset.typed ? ruleOfWhole(dataset.value) : null
    if (rule !== null) addIssue({ message: rule })
  }),
)

export const QUIET_HOURS = v.strictObject({
  isOn: v.boolean('On or off: true or false.'),
  fromMinute: wholeNumber('From, in minutes of the day', 0, 1_439),
  untilMinute: wholeNumber('Until, in minutes of the day', 0, 1_439),
  timeZone: v.pipe(
    alertText('Time zone', 64),
    v.check(isTimeZone, 'Time zone: a name such as Europe/Zurich.'),
  ),
  weekends: v.boolean('Weekends: true or false.'),
})

export const MUTE = v.strictObject({ until: oneOfValues('Until', ['hour', 'monday', 'forever', 'now']) })

export const EMAIL_OFF = v.strictObject({ off: v.array(oneOfValues('Moment', EMAIL_MOMENTS)) })
