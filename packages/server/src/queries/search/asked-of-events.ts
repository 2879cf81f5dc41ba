/** Separates what a search asks of each event from what it asks of issues. */
import type { DetailCondition } from '#model/tag-condition.ts'
import type { IssueConditions, IssueField, IssueFieldCondition } from '#ports/issues.ts'
import type { EventConditions, EventFilter } from '#ports/telemetry.ts'
import type { BuiltPart } from './filter.ts'

/** A search in two halves; an issue is found where it meets the one, and one of its events the other. */
export interface AskedOfEvents {
  readonly issues: IssueConditions
  /** `null`: nothing is asked of the events. */
  readonly events: EventConditions | null
  /**
   * Conditions on events of an issue named as asked while none of its events is: it got its name from its
   * maps, or from others. `null` if nothing asks for a name.
   */
  readonly ofNamed: { readonly issues: IssueConditions; readonly events: EventConditions } | null
}

/** The groups of issues that meet the conditions; `null` where there are more than may be named. */
export type GroupsOfIssues = (conditions: IssueConditions) => Promise<EventFilter['groups'] | null>

/**
 * Splits a part of a search into what issues and what events are asked. `null`: a choice between what issues and what
 * events are asked names too many issues.
 */
export async function askedOfEvents(
  part: BuiltPart,
  groupsOfIssues: GroupsOfIssues,
): Promise<AskedOfEvents | null> {
  const { conditions, events } = part
  const issuesEither: (readonly IssueConditions[])[] = []
  const eventsEither = [...levelChoice(conditions), ...(events.either ?? [])]
  for (const choices of part.either) {
    if (choices.every((one) => !asksEvents(one))) {
      issuesEither.push(choices.map(ofIssues))
      continue
    }
    const each = await Promise.all(choices.map((one) => asChoice(one, groupsOfIssues)))
    const known = each.filter((one) => one !== null)
    if (known.length < each.length) return null
    eventsEither.push(known)
  }
  const tags = [...conditions.tags, ...unwantedLevels(conditions)]
  const unnamed = conditions.text.filter(({ negated }) => negated)
  const asked = { ...events, tags, named: unnamed, either: eventsEither }
  const names = fieldDetails(conditions)
  const strict = { ...asked, named: conditions.text, details: [...(events.details ?? []), ...names] }
  const issues = { ...ownOfIssues(conditions), either: issuesEither }
  const isNamed = names.length > 0 || conditions.text.length > unnamed.length
  const named = conditions.text.filter(({ negated }) => !negated)
  const called = { ...issues, text: named, fields: conditions.fields }
  return {
    issues,
    events: isNothing(strict) ? null : strict,
    ofNamed: isNamed ? { issues: called, events: asked } : null,
  }
}

/** A choice as one of an event: what it asks of issues are groups then. */
async function asChoice(part: BuiltPart, groupsOfIssues: GroupsOfIssues): Promise<EventConditions | null> {
  const halves = await askedOfEvents(part, groupsOfIssues)
  if (halves === null) return null
  const { issues, events } = halves
  if (isNothing(issues)) return events ?? {}
  const ofGroups = await groupsOfIssues(issues)
  return ofGroups === null ? null : { ...events, ofGroups }
}

/** Without choices. */
function ownOfIssues(conditions: IssueConditions): IssueConditions {
  const fields = conditions.fields.filter((one) => detailCondition(conditions, one) === null)
  return { ...conditions, fields, text: [], levels: [], tags: [], either: [] }
}

/** Returns the conditions of a part that asks events nothing. */
function ofIssues({ conditions, either }: BuiltPart): IssueConditions {
  return { ...conditions, either: either.map((choices) => choices.map(ofIssues)) }
}

function asksEvents({ conditions, events, either }: BuiltPart): boolean {
  const { text, levels, tags } = conditions
  const asked = [text, levels, tags, fieldDetails(conditions)]
  if (asked.some(({ length }) => length > 0) || !isNothing(events)) return true
  return either.some((choices) => choices.some(asksEvents))
}

function isNothing(asked: EventConditions | IssueConditions): boolean {
  return Object.values(asked).every(
    (one) => one === null || one === undefined || (Array.isArray(one) && one.length === 0),
  )
}

/** Returns the choice of levels: any of several. An event has its level as a tag. */
function levelChoice({ levels }: IssueConditions): readonly (readonly EventConditions[])[] {
  const wanted = levels.filter(({ negated }) => !negated)
  if (wanted.length === 0) return []
  return [wanted.map(({ value }) => ({ tags: [{ key: 'level', value, negated: false }] }))]
}

function unwantedLevels({ levels }: IssueConditions): NonNullable<EventConditions['tags']> {
  return levels
    .filter(({ negated }) => negated)
    .map(({ value, negated }) => ({ key: 'level', value, negated }))
}

/** Details of events for fields that an issue has one value of: events of a merged issue differ. */
export const DETAIL_OF_FIELD: Readonly<Partial<Record<IssueField, string>>> = {
  type: 'error.type',
  value: 'error.value',
  platform: 'platform',
}

function fieldDetails(conditions: IssueConditions): readonly DetailCondition[] {
  return conditions.fields.flatMap((field) => detailCondition(conditions, field) ?? [])
}

/**
 * Returns the detail condition. Several wanted values cannot be said by a detail: then only the issue is
 * asked.
 */
function detailCondition(
  { fields }: IssueConditions,
  { field, value, negated }: IssueFieldCondition,
): DetailCondition | null {
  const key = DETAIL_OF_FIELD[field]
  const wanted = fields.filter((one) => one.field === field && !one.negated)
  if (key === undefined || typeof value !== 'string' || (!negated && wanted.length > 1)) return null
  return { key, value: value === '*' ? null : value, negated }
}
