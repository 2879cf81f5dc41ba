/**
 * Issue rules as Sentry's API of workflows has them, and back: conditions by a short word and what they compare. They go
 * by way of the older shape, so that both mean one thing and refuse the same.
 */
import * as v from 'valibot'
import type { AlertRule } from '#model/alert-rule.ts'
import { badField } from '../refusals.ts'
import { IDS, type ISSUE_RULE, issueRuleShape, MAIL, OTHERWISE, OWNER, type RuleEntry } from './issue-rule.ts'
import { isoTimeText } from './times.ts'

type IssueRule = Extract<AlertRule, { readonly kind: 'issue' }>

const LOGIC = v.picklist(['any', 'any-short', 'all', 'none'], 'logicType: any, any-short, all or none.')
const CONDITION = v.looseObject({
  type: v.string('Each condition has a type.'),
  comparison: v.optional(v.unknown(), true),
})
const ACTION = v.looseObject({
  type: v.string('Each action has a type.'),
  config: v.optional(v.nullable(v.record(v.string(), v.unknown())), null),
  data: v.optional(v.nullable(v.record(v.string(), v.unknown())), null),
})

export const WORKFLOW = v.object({
  owner: OWNER,
  name: v.string('name: text.'),
  enabled: v.optional(v.boolean('enabled: true or false.'), true),
  detectorIds: v.optional(
    v.nullable(v.array(v.union([v.string(), v.number()]), 'detectorIds: a list of ids.')),
    null,
  ),
  config: v.optional(v.object({ frequency: v.optional(v.number('frequency: minutes.'), 30) }), {
    frequency: 30,
  }),
  environment: v.optional(v.nullable(v.string('environment: text.')), null),
  triggers: v.object({
    logicType: v.optional(LOGIC, 'any-short'),
    conditions: v.array(CONDITION, 'conditions: a list.'),
  }),
  actionFilters: v.pipe(
    v.array(
      v.object({
        logicType: v.optional(LOGIC, 'all'),
        conditions: v.optional(v.array(CONDITION, 'conditions: a list.'), []),
        actions: v.optional(v.array(ACTION, 'actions: a list.'), []),
      }),
    ),
    v.length(1, 'actionFilters: one group of filters and actions; make a rule for each further one.'),
  ),
})
export type Workflow = v.InferOutput<typeof WORKFLOW>

const TRIGGERS = {
  first_seen_event: IDS.new,
  regression_event: IDS.regressed,
  reappeared_event: IDS.escalating,
  every_event: IDS.every,
  event_frequency_count: IDS.events,
  event_unique_user_frequency_count: IDS.users,
  issue_resolved_trigger: 'errata.conditions.resolved',
} as const
const FILTERS = {
  level: IDS.level,
  tagged_event: IDS.tag,
  latest_release: IDS.latest,
  age_comparison: IDS.age,
  event_attribute: IDS.text,
  assigned_to: IDS.assignee,
} as const
const PRIORITY = 'issue_priority_greater_or_equal'
const PRIORITIES = { high: 75, medium: 50, low: 25 } as const
const OWN_PRIORITY = 'errata.filters.priority'

/** Shapes a rule's condition by the ids of its projects' detectors. */
export function workflowShape(rule: IssueRule, detectorIds: readonly string[], nowMs: number) {
  const shape = issueRuleShape(rule, [], nowMs)
  const { id, name, createdMs, changedMs, orgId, isOn } = rule
  const group = (part: string) => ({ id: `${id}-${part}`, organizationId: String(orgId) })
  return {
    ...{ id: String(id), name, organizationId: String(orgId), enabled: isOn, detectorIds },
    ...{ config: { frequency: shape.frequency }, environment: shape.environment },
    triggers: {
      ...group('when'),
      logicType: shape.actionMatch === 'all' ? 'all' : 'any-short',
      conditions: shape.conditions.map((entry, at) =>
        workflowConditionShape(entry, TRIGGERS, `${id}-when-${at + 1}`),
      ),
      actions: [],
    },
    actionFilters: [
      {
        ...group('if'),
        logicType: shape.filterMatch === 'any' ? 'any-short' : shape.filterMatch,
        conditions: shape.filters.map((entry, at) =>
          workflowConditionShape(entry, FILTERS, `${id}-if-${at + 1}`),
        ),
        actions: shape.actions.map((entry, at) => workflowActionShape(entry, `${id}-do-${at + 1}`)),
      },
    ],
    // Command-line tools show these of a workflow too.
    ...{ status: shape.status, frequency: shape.frequency, conditions: shape.conditions },
    ...{ filters: shape.filters, actions: shape.actions },
    ...{ actionMatch: shape.actionMatch, filterMatch: shape.filterMatch },
    ...{ createdBy: shape.createdBy === null ? null : String(shape.createdBy.id), owner: shape.owner },
    ...{ dateCreated: isoTimeText(createdMs), dateUpdated: isoTimeText(changedMs), lastTriggered: null },
  }
}

function workflowConditionShape(
  { id, name: _, ...fields }: RuleEntry,
  words: Readonly<Record<string, string>>,
  partId: string,
) {
  const told = (type: string, comparison: unknown) => ({
    id: partId,
    type,
    comparison,
    conditionResult: true,
  })
  if (id === OWN_PRIORITY && fields.how === 'at least')
    return told(PRIORITY, Object.entries(PRIORITIES).find(([name]) => name === fields.priority)?.[1] ?? 25)
  const type = Object.entries(words).find(([, known]) => known === id)?.[0] ?? id
  const { comparisonType: _type, ...compared } = fields
  return told(type, Object.keys(compared).length === 0 ? true : compared)
}

function workflowActionShape({ id, targetType, ...fields }: RuleEntry, partId: string) {
  const told = (type: string, config: object, data: Readonly<Record<string, unknown>> = {}) => ({
    ...{ id: partId, type, integrationId: null, data, status: 'active' },
    config: { targetDisplay: null, ...config },
  })
  const identifier = fields.targetIdentifier === undefined ? null : String(fields.targetIdentifier)
  if (id === 'errata.actions.channel')
    return told('errata', { targetType: 'specific', targetIdentifier: String(fields.channelId) })
  if (id !== MAIL) return told('email', { targetType: id.split('.').at(-1), targetIdentifier: null })
  const known = Object.entries(TARGETS).find(([, older]) => older === targetType)?.[0]
  const data = fields.fallthroughType === undefined ? {} : { fallthroughType: fields.fallthroughType }
  return told('email', { targetType: known, targetIdentifier: identifier }, data)
}

const TARGETS = { user: 'Member', team: 'Team', issue_owners: 'IssueOwners' } as const

/** The same in the older words, which are read further. */
export function issueRuleOf(workflow: Workflow): v.InferOutput<typeof ISSUE_RULE> {
  const { name, enabled, config, environment, triggers } = workflow
  const [{ logicType, conditions, actions } = { logicType: 'all' as const, conditions: [], actions: [] }] =
    workflow.actionFilters
  if (triggers.logicType === 'none') throw badField('triggers', 'logicType "none" is not supported here.')
  return {
    ...{ name, environment: environment === '' ? null : environment, frequency: config.frequency },
    ...{ status: enabled ? 'active' : 'disabled', owner: workflow.owner },
    actionMatch: triggers.logicType === 'all' ? 'all' : 'any',
    filterMatch: logicType === 'any-short' ? 'any' : logicType,
    conditions: triggers.conditions.map((one) => conditionEntry(one, TRIGGERS, 'triggers')),
    filters: conditions.map((one) => conditionEntry(one, FILTERS, 'actionFilters')),
    actions: actions.map(actionEntry),
  }
}

function conditionEntry(
  { type, comparison }: v.InferOutput<typeof CONDITION>,
  words: Readonly<Record<string, string>>,
  field: string,
): RuleEntry {
  if (type === PRIORITY && words === FILTERS) {
    const priority = Object.entries(PRIORITIES).find(([, value]) => value === Number(comparison))?.[0]
    if (priority === undefined) throw badField(field, `comparison of ${PRIORITY}: 25, 50 or 75.`)
    return { id: OWN_PRIORITY, how: 'at least', priority }
  }
  const id = Object.hasOwn(words, type) ? words[type] : undefined
  // What has no name there is called by ours, as it is told.
  if (id === undefined && !type.startsWith('errata.') && !type.startsWith('sentry.'))
    throw badField(
      field,
      `${JSON.stringify(type.slice(0, 60))} is not supported here: one of ${Object.keys(words).join(', ')}.`,
    )
  return { ...comparisonFields(comparison), id: id ?? type }
}

/** Reads a comparison's fields; people's also in the spelling of Sentry's store. */
function comparisonFields(comparison: unknown): Readonly<Record<string, unknown>> {
  if (typeof comparison !== 'object' || comparison === null) return {}
  const {
    target_type: targetType,
    target_identifier: targetIdentifier,
    ...others
  } = Object.fromEntries(Object.entries(comparison))
  return {
    ...others,
    ...(targetType === undefined ? {} : { targetType }),
    ...(targetIdentifier === undefined ? {} : { targetIdentifier }),
  }
}

function actionEntry({ type, config, data }: v.InferOutput<typeof ACTION>): RuleEntry {
  // Where an id of the older kind was given as the type.
  if (type.includes('.')) return { ...data, ...config, id: type }
  const { targetType, targetIdentifier } = config ?? {}
  if (type === 'errata') return { id: 'errata.actions.channel', channelId: targetIdentifier }
  if (type === 'email' && (targetType === 'members' || targetType === 'assignee'))
    return { id: `errata.actions.${targetType}` }
  const older = Object.entries(TARGETS).find(([known]) => known === targetType)?.[1]
  if (type !== 'email' || older === undefined)
    throw badField(
      'actions',
      `${JSON.stringify(`${type} ${String(targetType ?? '')}`.trim().slice(0, 60))} is not supported here: email to user, team or issue_owners, or errata to a channel.`,
    )
  const otherwise = data?.fallthroughType ?? OTHERWISE.active
  return {
    ...{ id: MAIL, targetType: older, targetIdentifier },
    ...(older === 'IssueOwners' ? { fallthroughType: otherwise } : {}),
  }
}
