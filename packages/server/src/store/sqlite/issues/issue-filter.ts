/**
 * An issue filter as conditions over `issues i`. Every fragment is a constant of this file; what a person typed
 * reaches SQLite as a parameter alone. CROSS JOIN keeps the order as written: left to itself, SQLite begins a
 * condition on a frequent tag with all its rows, once per issue (2,900 ms instead of 4 at 2,000 issues).
 */

import { foldText } from '#issues/issue-names.ts'
import { hoursOfRange } from '#issues/trend-range.ts'
import { SKEW_TITLE_OF } from '#model/recognised.ts'
import type { TagCondition, ValueOfProject } from '#model/tag-condition.ts'
import { foldAscii, globOf, hasWildcard, literalText } from '#model/text-pattern.ts'
import type { IssueConditions, IssueField, IssueFilter } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { prefixMatch, valueMatch } from '../ingest/facet-words.ts'
import { UNPACKED } from '../rows/facets-of.ts'
import { PRIORITY } from '../rows/priority.ts'
import { readableParams } from '../rows/readable.ts'
import { SUBSTATUS } from './issue-rows.ts'

export interface Conditions {
  /** Joined by AND. */
  readonly where: string
  readonly params: Readonly<Record<string, SqlValue>>
  /** Something names few issues: going through their ids beats walking the list's index. */
  readonly isSelective: boolean
}

/**
 * Events within the range. Exact where the issue lies inside it; otherwise from the counts per hour, so that the
 * hours at both ends count whole.
 */
export const COUNT_IN_RANGE = `iif(i.first_seen_ms >= :start AND i.last_seen_ms < :end, i.event_count,
  (SELECT coalesce(sum(h.count), 0) FROM groups g CROSS JOIN group_hours h ON h.group_id = g.id
    WHERE g.issue_id = i.id AND h.hour >= :startHour AND h.hour < :endHour))`

/** Returns the parameters that COUNT_IN_RANGE and the conditions of a range name. */
export function rangeParameters(
  range: Pick<IssueFilter, 'startMs' | 'endMs'>,
): Readonly<Record<'start' | 'end' | 'startHour' | 'endHour', number>> {
  return { start: range.startMs, end: range.endMs, ...hoursOfRange(range) }
}

/** Groups `g` that may be read: mirrors that an issue owns may be of projects that may not. Parameter: `open`. */
const IS_OPEN = 'g.project_id IN (SELECT value FROM json_each(:open))'

/** Collects fragments and the parameters they name. Choices collect their own, with the same parameters. */
class Builder {
  readonly parts: string[] = []
  readonly params: Record<string, SqlValue>
  isSelective = false

  constructor(params: Record<string, SqlValue> = {}) {
    this.params = params
  }

  add(sql: string): void {
    this.parts.push(sql)
  }

  /** Adds a value and gives the name that stands for it, colon included. What is no pattern by now names a text. */
  value(value: SqlValue): string {
    const name = `p${Object.keys(this.params).length}`
    this.params[name] = typeof value === 'string' ? literalText(value) : value
    return `:${name}`
  }

  list(values: readonly (string | number | null)[]): string {
    const [only] = values
    // Compared, and not looked up in a list, which takes twice as long. A text of other characters might name a pattern.
    if (values.length === 1 && typeof only === 'string' && /^\w+$/.test(only)) return `(${this.value(only)})`
    return `(SELECT value FROM json_each(${this.value(JSON.stringify(values))}))`
  }

  where(): string {
    return this.parts.length === 0 ? '1' : this.parts.join('\n  AND ')
  }
}

export function issueConditions(
  db: Connection,
  scope: ReadScope,
  query: { readonly filter: IssueFilter; readonly newSinceMs: number; readonly withStatus: boolean },
): Conditions {
  const { filter } = query
  const to = conditionsOfPlace(scope, filter, query.newSinceMs)
  if (query.withStatus) addStatus(to, filter)
  addMatched(to, filter)
  addOthers(db, to, filter)
  return { where: to.where(), params: to.params, isSelective: to.isSelective }
}

/** Conditions of several filters over one place, which is walked once for them all. */
export interface SharedConditions extends Conditions {
  /** Conditions of each beside the place, in their order. */
  readonly each: readonly string[]
}

/** Conditions of filters of the same projects and range; selective if each of them is. */
export function sharedConditions(
  db: Connection,
  scope: ReadScope,
  query: { readonly filters: readonly [IssueFilter, ...IssueFilter[]]; readonly newSinceMs: number },
): SharedConditions {
  const { filters, newSinceMs } = query
  const to = conditionsOfPlace(scope, filters[0], newSinceMs)
  const parts = filters.map((filter) => {
    const part = new Builder(to.params)
    addStatus(part, filter)
    addMatched(part, filter)
    addOthers(db, part, filter)
    return part
  })
  const each = parts.map((part) => part.where())
  const isSelective = parts.every((part) => part.isSelective)
  // Few issues are found by their ids; of many each condition is decided once, where it is counted.
  if (isSelective) to.add(`(${each.map((condition) => `(${condition})`).join('\n  OR ')})`)
  return { where: to.where(), params: to.params, isSelective, each }
}

/** Issues with events in the range, of projects that may be read. */
function conditionsOfPlace(scope: ReadScope, filter: IssueFilter, newSinceMs: number): Builder {
  const params = { ...readableParams(scope, filter.projects), open: readableParams(scope).readable }
  const to = new Builder({ ...params, newSince: newSinceMs })
  to.add('i.project_id IN (SELECT id FROM readable)')
  // Of mirrors that wait, which are no issues yet; issues_for_list covers it.
  to.add(`i.substatus IS NOT 'waiting'`)
  addRange(to, filter)
  return to
}

function addMatched(to: Builder, { matched }: IssueFilter): void {
  if (matched === undefined) return
  to.isSelective = true
  to.add(`i.id IN (SELECT g.issue_id ${fromMatched(to.value(matchedList(matched)))} AND ${IS_OPEN})`)
}

/** Returns the list as `fromMatched` reads it. */
export function matchedList(matched: NonNullable<IssueFilter['matched']>): string {
  return JSON.stringify(matched.map((one) => [one.projectId, one.hash, one.events, one.lastMs]))
}

/** Groups `g` of a list, which is `j.value`. The unique index of groups on (project_id, hash). */
export function fromMatched(list: string): string {
  return `FROM json_each(${list}) j
      CROSS JOIN groups g ON g.project_id = j.value ->> 0 AND g.hash = unhex(j.value ->> 1)`
}

/** All but projects and status. */
function addOthers(db: Connection, to: Builder, conditions: IssueConditions): void {
  addTexts(to, conditions)
  addLevels(to, conditions)
  addFields(to, conditions)
  addCountConditions(to, conditions)
  addTimes(to, conditions)
  for (const tag of conditions.tags) addTag(db, to, tag)
  addAssignees(to, conditions)
  addPriorities(to, conditions)
  addMarks(to, conditions)
  addLinks(to, conditions)
  addIds(to, conditions)
  for (const choices of conditions.either) addChoice(db, to, choices)
}

/**
 * Adds a choice. What it names does not make the whole selective: another of its list may name everything.
 */
function addChoice(db: Connection, to: Builder, choices: readonly IssueConditions[]): void {
  const parts = choices.map((choice) => {
    const part = new Builder(to.params)
    if (choice.projects !== null) part.add(`i.project_id IN ${part.list(choice.projects)}`)
    addStatus(part, choice)
    addOthers(db, part, choice)
    return `(${part.where()})`
  })
  to.add(parts.length === 0 ? '0' : `(${parts.join('\n    OR ')})`)
}

/** An issue whose last event lies beyond the range is asked for its hours; all others are decided by two columns. */
function addRange(to: Builder, filter: IssueFilter): void {
  to.add('i.last_seen_ms >= :start AND i.first_seen_ms < :end')
  to.add(`(i.last_seen_ms < :end OR EXISTS (SELECT 1 FROM groups g CROSS JOIN group_hours h ON h.group_id = g.id
    WHERE g.issue_id = i.id AND h.hour >= :startHour AND h.hour < :endHour))`)
  Object.assign(to.params, rangeParameters(filter))
}

function addStatus(to: Builder, { status, substatus }: IssueConditions): void {
  if (status !== null) to.add(`i.status IN ${to.list(status)}`)
  if (substatus !== null) to.add(`${SUBSTATUS} IN ${to.list(substatus)}`)
}

/** Trigrams need three characters; shorter texts are looked for in every title. */
const TRIGRAM_CHARS = 3

function addTexts(to: Builder, { text }: IssueConditions): void {
  const wanted: string[] = []
  for (const { value, negated } of text) {
    const folded = foldText(value)
    if (folded === '') continue
    const isLong = [...folded].length >= TRIGRAM_CHARS
    const condition =
      isLong || hasWildcard(folded) ? contains(to, folded) : `instr(text, ${to.value(folded)}) > 0`
    if (negated) addFound(to, condition, true)
    else wanted.push(condition)
    if (!negated && isLong && !hasWildcard(folded)) to.isSelective = true
  }
  if (wanted.length > 0)
    to.add(`i.id IN (SELECT rowid FROM issue_text WHERE ${wanted.join(' AND ')}
      UNION ALL ${calledByDeploy(to, wanted)})`)
}

/**
 * Builds the condition on stale-tab issues, whose name follows from their deploy; the index has what their
 * events say. There are few deploys.
 */
function calledByDeploy(to: Builder, wanted: readonly string[]): string {
  return `SELECT g.issue_id FROM (SELECT group_id, lower(${to.value(SKEW_TITLE_OF)} || release) AS text FROM skew_groups) s
      CROSS JOIN groups g ON g.id = s.group_id WHERE ${wanted.join(' AND ')}`
}

/** Trigrams answer GLOB where a part of the pattern is long enough. */
function contains(to: Builder, folded: string): string {
  return `text GLOB ${to.value(globOf(`*${folded}*`))}`
}

function addFound(to: Builder, condition: string, negated: boolean): void {
  to.add(`i.id ${negated ? 'NOT ' : ''}IN (SELECT rowid FROM issue_text WHERE ${condition})`)
}

/** Any of the levels asked for, and none of the levels ruled out. */
function addLevels(to: Builder, { levels }: IssueConditions): void {
  const wanted = levels.filter(({ negated }) => !negated).map(({ value }) => value)
  const unwanted = levels.filter(({ negated }) => negated).map(({ value }) => value)
  if (wanted.length > 0) to.add(`i.level IN ${to.list(wanted)}`)
  if (unwanted.length > 0) to.add(`i.level NOT IN ${to.list(unwanted)}`)
}

/** Columns of `issues i`. */
export const FIELD_COLUMNS: Readonly<Record<IssueField, string>> = {
  type: 'i.type',
  value: 'i.value',
  platform: 'i.platform',
  category: 'i.category',
  firstRelease: 'i.first_release',
  lastRelease: 'i.last_release',
}

/** Any of the values asked for, and none of those ruled out. What has no value is ruled out by none. */
function addFields(to: Builder, { fields }: IssueConditions): void {
  const wanted = new Map<IssueField, string[]>()
  for (const { field, value, negated } of fields) {
    const column = FIELD_COLUMNS[field]
    const meets =
      typeof value === 'string'
        ? `lower(${column}) GLOB ${to.value(globOf(foldAscii(value)))}`
        : amongSql('i.project_id', column, to.value(projectValuePairs(value)))
    if (negated) to.add(`NOT coalesce(${meets}, 0)`)
    else wanted.set(field, [...(wanted.get(field) ?? []), meets])
  }
  for (const any of wanted.values()) to.add(`(${any.join(' OR ')})`)
}

/** Nothing has more events in a range than in all: most issues are decided by their own column. */
function addCountConditions(to: Builder, { counts }: IssueConditions): void {
  for (const { of, least, most, negated } of counts) {
    const [from, until] = [to.value(least), to.value(most)]
    const count = of === 'events' ? COUNT_IN_RANGE : 'i.user_count'
    if (of === 'events' && !negated) to.add(`i.event_count >= ${from}`)
    to.add(`${count} ${negated ? 'NOT ' : ''}BETWEEN ${from} AND ${until}`)
  }
}

const TIME_COLUMNS = { firstSeen: 'i.first_seen_ms', lastSeen: 'i.last_seen_ms' } as const

function addTimes(to: Builder, { times }: IssueConditions): void {
  for (const { of, fromMs, untilMs, negated } of times) {
    const bounds = [
      ...(fromMs === null ? [] : [`${TIME_COLUMNS[of]} >= ${to.value(fromMs)}`]),
      ...(untilMs === null ? [] : [`${TIME_COLUMNS[of]} < ${to.value(untilMs)}`]),
    ]
    if (bounds.length > 0) to.add(`${negated ? 'NOT ' : ''}(${bounds.join(' AND ')})`)
    else if (negated) to.add('0')
  }
}

/**
 * A condition asks for an event that meets it: `environment:production` for one of production within the range,
 * `!environment:production` for one that is not of production, as counts tell. Conditions are met one by one, not by
 * the same event.
 */
function addTag(db: Connection, to: Builder, tag: TagCondition): void {
  const keyId = db.get<{ id: number }>('SELECT id FROM tag_keys WHERE key = ?', [tag.key])?.id
  if (keyId === undefined) {
    if (!tag.negated) to.add('0')
    return
  }
  const key = to.value(keyId)
  const values = tagValueSql(to, tag.value)
  if (tag.negated) {
    addTagAbsence(to, { key, values, keyId, value: tag.value })
    return
  }
  // facet_words answers the first; the others open the facets of issues that reach out of the range.
  to.add(`i.id IN (${groupsWith(to, 'g.issue_id', { keyId, value: tag.value })} AND ${IS_OPEN})`)
  const isWithin = isExact(tag.value) ? 'i.first_seen_ms >= :start AND i.last_seen_ms < :end' : '0'
  to.add(`(${isWithin} OR EXISTS (SELECT 1 FROM groups g CROSS JOIN facets f ON f.group_id = g.id
      WHERE g.issue_id = i.id AND f.key_id = ${key}${values} AND ${IS_OPEN}
        AND g.base_ms + f.last_ms >= :start AND g.base_ms + f.first_ms < :end)
    OR EXISTS (SELECT 1 FROM groups g CROSS JOIN packed_facets p ON p.group_id = g.id
      WHERE g.issue_id = i.id AND ${isPackedWith(to, { key, values, keyId, value: tag.value })} AND ${IS_OPEN}
        AND g.base_ms >= :start AND g.base_ms < :end))`)
}

interface WantedTag {
  readonly keyId: number
  readonly value: TagCondition['value']
}

/** With its parameters: the key's, and what `f.value` has to be. */
interface TagSql extends WantedTag {
  readonly key: string
  readonly values: string
}

/** Whether words alone tell who has the value: of a star within it they know what stands before. */
function isExact(value: TagCondition['value']): boolean {
  return typeof value !== 'string' || !hasWildcard(value.slice(0, -1))
}

/** A column of groups `g` that have the value, or at least one that begins like it. */
function groupsWith(to: Builder, column: 'g.id' | 'g.issue_id', { keyId, value }: WantedTag): string {
  if (value !== null && typeof value !== 'string') {
    const wanted = value.map((one) => [one.projectId, valueMatch(keyId, one.value)])
    return `SELECT ${column} FROM json_each(${to.value(JSON.stringify(wanted))}) v
      CROSS JOIN facet_words w CROSS JOIN groups g ON g.id = w.rowid
      WHERE w.facet_words MATCH v.value ->> 1 AND g.project_id = v.value ->> 0`
  }
  const star = value?.indexOf('*') ?? 0
  const match =
    value === null || star !== -1
      ? prefixMatch(keyId, (value ?? '').slice(0, star))
      : valueMatch(keyId, value)
  const named = `w.facet_words MATCH ${to.value(match)}`
  if (column === 'g.id') return `SELECT w.rowid FROM facet_words w WHERE ${named}`
  return `SELECT ${column} FROM facet_words w CROSS JOIN groups g ON g.id = w.rowid WHERE ${named}`
}

/**
 * Whether the group `g` of `packed_facets p` has the value: words tell it at once, without its list. The plus keeps
 * SQLite from going through all groups that have it, once per issue.
 */
function isPackedWith(to: Builder, { key, values, ...wanted }: TagSql): string {
  if (isExact(wanted.value)) return `+g.id IN (${groupsWith(to, 'g.id', wanted)})`
  return `EXISTS (SELECT 1 FROM ${UNPACKED} f WHERE f.key_id = ${key}${values})`
}

/** A packed group has one event, and one value of a key. */
function addTagAbsence(to: Builder, tag: TagSql): void {
  const kept = `(SELECT coalesce(sum(f.count), 0) FROM groups g CROSS JOIN facets f ON f.group_id = g.id
      WHERE g.issue_id = i.id AND f.key_id = ${tag.key}${tag.values})
    + (SELECT count(*) FROM groups g CROSS JOIN packed_facets p ON p.group_id = g.id
      WHERE g.issue_id = i.id AND ${isPackedWith(to, tag)})`
  if (tag.values !== '') {
    to.add(`${kept} < i.event_count`)
    return
  }
  const path = to.value(`$."${tag.keyId}"`)
  to.add(
    `${kept} + (SELECT coalesce(sum(json_extract(g.facets_other, ${path})), 0) FROM groups g
      WHERE g.issue_id = i.id) < i.event_count`,
  )
}

function projectValuePairs(values: readonly ValueOfProject[]): string {
  return JSON.stringify(values.map(({ projectId, value }) => [projectId, value]))
}

/** The list is read once, not for every row. */
function amongSql(project: string, column: string, pairs: string): string {
  return `(${project}, ${column}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`
}

/** `''` asks for presence alone. What stands before the first `*` is a range of texts, which the index answers. */
function tagValueSql(to: Builder, value: TagCondition['value']): string {
  if (value === null || value === '*') return ''
  if (typeof value !== 'string') {
    const pairs = to.value(projectValuePairs(value))
    return ` AND f.value IN (SELECT value ->> 1 FROM json_each(${pairs})) AND ${amongSql('g.project_id', 'f.value', pairs)}`
  }
  if (!hasWildcard(value)) return ` AND f.value = ${to.value(value)}`
  const start = value.slice(0, value.indexOf('*'))
  const range = ` AND f.value >= ${to.value(start)} AND f.value < ${to.value(`${start}\u{10ffff}`)}`
  return value === `${start}*` ? range : `${range} AND f.value GLOB ${to.value(globOf(value))}`
}

/** Nobody is 0: no account and no team has that number. */
function addAssignees(to: Builder, { assignees }: IssueConditions): void {
  const named = (negated: boolean) => assignees.filter((one) => one.negated === negated)
  const isAssigned = (some: typeof assignees) => {
    const people = some.flatMap(({ userIds }) => userIds.flatMap((id) => id ?? []))
    const teams = some.flatMap(({ teamIds }) => teamIds)
    const nobody = some.some(({ userIds }) => userIds.includes(null))
    return `(coalesce(i.assignee_id, 0) IN ${to.list(people)} OR coalesce(i.assignee_team_id, 0) IN ${to.list(teams)}
      ${nobody ? 'OR (i.assignee_id IS NULL AND i.assignee_team_id IS NULL)' : ''}
      ${isSuggested(to, some)})`
  }
  const [wanted, unwanted] = [named(false), named(true)]
  if (wanted.length > 0) to.add(isAssigned(wanted))
  if (unwanted.length > 0) to.add(`NOT ${isAssigned(unwanted)}`)
}

/** Empty where nothing asks for it. */
function isSuggested(to: Builder, assignees: IssueConditions['assignees']): string {
  const asked = assignees.filter(({ orSuggested }) => orSuggested === true)
  const people = asked.flatMap(({ userIds }) => userIds.flatMap((id) => id ?? []))
  const teams = asked.flatMap(({ teamIds }) => teamIds)
  if (people.length + teams.length === 0) return ''
  // issue_owners_by_user, issue_owners_by_team
  return `OR (i.assignee_id IS NULL AND i.assignee_team_id IS NULL AND i.id IN (
      SELECT issue_id FROM issue_owners WHERE user_id IN ${to.list(people)}
      UNION ALL SELECT issue_id FROM issue_owners WHERE team_id IN ${to.list(teams)}))`
}

/** Any of the priorities asked for, and none of those ruled out. */
function addPriorities(to: Builder, { priorities }: IssueConditions): void {
  const listed = (isNegated: boolean) =>
    priorities.filter(({ negated }) => negated === isNegated).map(({ value }) => value)
  const [wanted, unwanted] = [listed(false), listed(true)]
  if (wanted.length > 0) to.add(`${PRIORITY} IN ${to.list(wanted)}`)
  if (unwanted.length > 0) to.add(`${PRIORITY} NOT IN ${to.list(unwanted)}`)
}

function addMarks(to: Builder, { marks }: IssueConditions): void {
  for (const { as, userId, negated } of marks) {
    const marked = as === 'bookmarked' ? 'is_bookmarked = 1' : `subscription <> 'off'`
    // issue_people_by_user
    to.add(`i.id ${negated ? 'NOT ' : ''}IN (SELECT issue_id FROM issue_people
      WHERE user_id = ${to.value(userId)} AND ${marked})`)
  }
}

/** tracker_links' unique key begins with the issue. */
function addLinks(to: Builder, { links }: IssueConditions): void {
  for (const { negated } of links)
    to.add(`${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM tracker_links l WHERE l.issue_id = i.id)`)
}

function addIds(to: Builder, { groups, issueIds }: IssueConditions): void {
  if (issueIds !== null) {
    to.isSelective = true
    to.add(`i.id IN ${to.list(issueIds)}`)
  }
  if (groups !== null) {
    to.isSelective = true
    const wanted = to.value(JSON.stringify(groups.map(({ projectId, hash }) => [projectId, hash])))
    // The unique index of groups on (project_id, hash).
    to.add(`i.id IN (SELECT g.issue_id FROM json_each(${wanted}) j
      CROSS JOIN groups g ON g.project_id = j.value ->> 0 AND g.hash = unhex(j.value ->> 1))`)
  }
}
