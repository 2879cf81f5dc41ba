/**
 * An issue filter as conditions over `issues i`. Every fragment is a constant of this file; what a person typed
 * reaches SQLite as a parameter alone. CROSS JOIN keeps the order as written: left to itself, SQLite begins a
 * condition on a frequent tag with all its rows, once per issue (2,900 ms instead of 4 at 2,000 issues).
 */

import { foldText } from '#issues/issue-names.ts'
import { hoursOfRange } from '#issues/trend-range.ts'
import type { TagCondition, ValueOfProject } from '#model/tag-condition.ts'
import { foldAscii, globOf, hasWildcard } from '#model/text-pattern.ts'
import type { IssueField, IssueFilter } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection, SqlValue } from '../connection.ts'
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

/** What COUNT_IN_RANGE and the conditions of a range name. */
export function rangeParameters(
  range: Pick<IssueFilter, 'startMs' | 'endMs'>,
): Readonly<Record<'start' | 'end' | 'startHour' | 'endHour', number>> {
  return { start: range.startMs, end: range.endMs, ...hoursOfRange(range) }
}

/** Groups `g` that may be read: mirrors that an issue owns may be of projects that may not. Parameter: `open`. */
const IS_OPEN = 'g.project_id IN (SELECT value FROM json_each(:open))'

/** Collects fragments and the parameters they name. */
class Builder {
  readonly parts: string[] = []
  readonly params: Record<string, SqlValue> = {}
  isSelective = false

  add(sql: string, params: Readonly<Record<string, SqlValue>> = {}): void {
    this.parts.push(sql)
    Object.assign(this.params, params)
  }
}

export function issueConditions(
  db: Connection,
  scope: ReadScope,
  query: { readonly filter: IssueFilter; readonly newSinceMs: number; readonly withStatus: boolean },
): Conditions {
  const { filter } = query
  const to = new Builder()
  to.params.open = readableParams(scope).readable
  to.add('i.project_id IN (SELECT id FROM readable)', { ...readableParams(scope, filter.projects) })
  // Of mirrors that wait, which are no issues yet; issues_for_list covers it.
  to.add(`i.substatus IS NOT 'waiting'`)
  addRange(to, filter)
  to.params.newSince = query.newSinceMs
  if (query.withStatus) addStatus(to, filter)
  addTexts(to, filter)
  addLevels(to, filter)
  addFields(to, filter)
  addCounts(to, filter)
  filter.tags.forEach((tag, index) => {
    addTag(db, to, { tag, index })
  })
  addAssignee(to, filter)
  addIds(to, filter)
  return { where: to.parts.join('\n  AND '), params: to.params, isSelective: to.isSelective }
}

/** An issue whose last event lies beyond the range is asked for its hours; all others are decided by two columns. */
function addRange(to: Builder, filter: IssueFilter): void {
  to.add('i.last_seen_ms >= :start AND i.first_seen_ms < :end')
  to.add(`(i.last_seen_ms < :end OR EXISTS (SELECT 1 FROM groups g CROSS JOIN group_hours h ON h.group_id = g.id
    WHERE g.issue_id = i.id AND h.hour >= :startHour AND h.hour < :endHour))`)
  Object.assign(to.params, rangeParameters(filter))
}

function addStatus(to: Builder, { status, substatus }: IssueFilter): void {
  if (status !== null) {
    to.add('i.status IN (SELECT value FROM json_each(:status))', { status: JSON.stringify(status) })
  }
  if (substatus !== null) {
    to.add(`${SUBSTATUS} IN (SELECT value FROM json_each(:substatus))`, {
      substatus: JSON.stringify(substatus),
    })
  }
}

/** Trigrams need three characters; shorter texts are looked for in every title. */
const TRIGRAM_CHARS = 3

function addTexts(to: Builder, { text }: IssueFilter): void {
  const wanted: string[] = []
  const unwanted: string[] = []
  text.forEach(({ value, negated }, index) => {
    const folded = foldText(value)
    if (folded === '') return
    if (hasWildcard(folded)) addTextPattern(to, { folded, negated, index })
    else if ([...folded].length >= TRIGRAM_CHARS) (negated ? unwanted : wanted).push(quoteText(folded))
    else addShortText(to, { folded, negated, index })
  })
  if (wanted.length > 0) {
    to.isSelective = true
    const sql = 'i.id IN (SELECT rowid FROM issue_text WHERE issue_text MATCH :textWanted)'
    to.add(sql, { textWanted: wanted.join(' AND ') })
  }
  if (unwanted.length > 0) {
    const sql = 'i.id NOT IN (SELECT rowid FROM issue_text WHERE issue_text MATCH :textUnwanted)'
    to.add(sql, { textUnwanted: unwanted.join(' OR ') })
  }
}

/** One string of the full-text syntax: nothing inside it is an operator, and a quote is written twice. */
function quoteText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

interface FoldedText {
  readonly folded: string
  readonly negated: boolean
  readonly index: number
}

function addShortText(to: Builder, { folded, negated, index }: FoldedText): void {
  const name = `text${index}`
  const found = `(SELECT rowid FROM issue_text WHERE instr(text, :${name}) > 0)`
  to.add(negated ? `i.id NOT IN ${found}` : `i.id IN ${found}`, { [name]: folded })
}

/** Trigrams answer GLOB too, where a part of the pattern is long enough. */
function addTextPattern(to: Builder, { folded, negated, index }: FoldedText): void {
  const name = `text${index}`
  const found = `(SELECT rowid FROM issue_text WHERE text GLOB :${name})`
  to.add(negated ? `i.id NOT IN ${found}` : `i.id IN ${found}`, { [name]: globOf(`*${folded}*`) })
}

/** Any of the levels asked for, and none of the levels ruled out. */
function addLevels(to: Builder, { levels }: IssueFilter): void {
  const wanted = levels.filter(({ negated }) => !negated).map(({ value }) => value)
  const unwanted = levels.filter(({ negated }) => negated).map(({ value }) => value)
  if (wanted.length > 0) {
    to.add('i.level IN (SELECT value FROM json_each(:levels))', { levels: JSON.stringify(wanted) })
  }
  if (unwanted.length > 0) {
    to.add('i.level NOT IN (SELECT value FROM json_each(:notLevels))', {
      notLevels: JSON.stringify(unwanted),
    })
  }
}

const FIELD_COLUMNS: Readonly<Record<IssueField, string>> = {
  type: 'i.type',
  value: 'i.value',
  platform: 'i.platform',
  category: 'i.category',
  firstRelease: 'i.first_release',
  lastRelease: 'i.last_release',
}

/** Any of the values asked for, and none of those ruled out. What has no value is ruled out by none. */
function addFields(to: Builder, { fields }: IssueFilter): void {
  const wanted = new Map<IssueField, string[]>()
  fields.forEach(({ field, value, negated }, index) => {
    const name = `field${index}`
    const isText = typeof value === 'string'
    to.params[name] = isText ? globOf(foldAscii(value)) : pairsOf(value)
    const column = FIELD_COLUMNS[field]
    const meets = isText ? `lower(${column}) GLOB :${name}` : isAmong('i.project_id', column, name)
    if (negated) to.add(`NOT coalesce(${meets}, 0)`)
    else wanted.set(field, [...(wanted.get(field) ?? []), meets])
  })
  for (const any of wanted.values()) to.add(`(${any.join(' OR ')})`)
}

/** Nothing has more events in a range than in all: most issues are decided by their own column. */
function addCounts(to: Builder, { counts }: IssueFilter): void {
  counts.forEach(({ of, least, most, negated }, index) => {
    const [from, until] = [`least${index}`, `most${index}`]
    const count = of === 'events' ? COUNT_IN_RANGE : 'i.user_count'
    if (of === 'events' && !negated) to.add(`i.event_count >= :${from}`)
    to.add(`${count} ${negated ? 'NOT ' : ''}BETWEEN :${from} AND :${until}`, {
      [from]: least,
      [until]: most,
    })
  })
}

/**
 * A condition asks for an event that meets it: `environment:production` for one of production within the range,
 * `!environment:production` for one that is not of production, as counts tell. Conditions are met one by one, not by
 * the same event.
 */
function addTag(
  db: Connection,
  to: Builder,
  { tag, index }: { readonly tag: TagCondition; readonly index: number },
): void {
  const keyId = db.get<{ id: number }>('SELECT id FROM tag_keys WHERE key = ?', [tag.key])?.id
  if (keyId === undefined) {
    if (!tag.negated) to.add('0')
    return
  }
  const key = `tagKey${index}`
  to.params[key] = keyId
  const values = valueCondition(to, tag.value, index)
  if (tag.negated) addTagAbsence(to, { key, values, keyId, index })
  else {
    // facets_by_value alone answers the first; the second opens the facets of issues that reach out of the range.
    to.add(`i.id IN (SELECT g.issue_id FROM facets f CROSS JOIN groups g ON g.id = f.group_id
      WHERE f.key_id = :${key}${values} AND ${IS_OPEN})`)
    to.add(`(i.first_seen_ms >= :start AND i.last_seen_ms < :end OR EXISTS (
      SELECT 1 FROM groups g CROSS JOIN facets f ON f.group_id = g.id
      WHERE g.issue_id = i.id AND f.key_id = :${key}${values} AND ${IS_OPEN}
        AND g.base_ms + f.last_ms >= :start AND g.base_ms + f.first_ms < :end))`)
  }
}

function addTagAbsence(
  to: Builder,
  tag: { readonly key: string; readonly values: string; readonly keyId: number; readonly index: number },
): void {
  const kept = `(SELECT coalesce(sum(f.count), 0) FROM groups g CROSS JOIN facets f ON f.group_id = g.id
    WHERE g.issue_id = i.id AND f.key_id = :${tag.key}${tag.values})`
  if (tag.values !== '') {
    to.add(`${kept} < i.event_count`)
    return
  }
  const path = `tagPath${tag.index}`
  to.add(
    `${kept} + (SELECT coalesce(sum(json_extract(g.facets_other, :${path})), 0) FROM groups g
      WHERE g.issue_id = i.id) < i.event_count`,
    { [path]: `$."${tag.keyId}"` },
  )
}

function pairsOf(values: readonly ValueOfProject[]): string {
  return JSON.stringify(values.map(({ projectId, value }) => [projectId, value]))
}

/** The list is read once, not for every row. */
function isAmong(project: string, column: string, name: string): string {
  return `(${project}, ${column}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:${name}))`
}

/** `''` asks for presence alone. What stands before the first `*` is a range of texts, which the index answers. */
function valueCondition(to: Builder, value: TagCondition['value'], index: number): string {
  if (value === null || value === '*') return ''
  const name = `tagValue${index}`
  if (typeof value !== 'string') {
    to.params[name] = pairsOf(value)
    // The first part alone is what an index answers.
    return ` AND f.value IN (SELECT value ->> 1 FROM json_each(:${name})) AND ${isAmong('g.project_id', 'f.value', name)}`
  }
  if (!hasWildcard(value)) {
    to.params[name] = value
    return ` AND f.value = :${name}`
  }
  const start = value.slice(0, value.indexOf('*'))
  to.params[name] = start
  to.params[`${name}End`] = `${start}\u{10ffff}`
  const range = ` AND f.value >= :${name} AND f.value < :${name}End`
  if (value === `${start}*`) return range
  to.params[`${name}Like`] = globOf(value)
  return `${range} AND f.value GLOB :${name}Like`
}

function addAssignee(to: Builder, { assignee }: IssueFilter): void {
  if (assignee === null) return
  to.add(assignee.negated ? 'i.assignee_id IS NOT :assignee' : 'i.assignee_id IS :assignee', {
    assignee: assignee.userId,
  })
}

function addIds(to: Builder, { groups, issueIds }: IssueFilter): void {
  if (issueIds !== null) {
    to.isSelective = true
    to.add('i.id IN (SELECT value FROM json_each(:ids))', { ids: JSON.stringify(issueIds) })
  }
  if (groups !== null) {
    to.isSelective = true
    // The unique index of groups on (project_id, hash).
    const sql = `i.id IN (SELECT g.issue_id FROM json_each(:groups) j
      CROSS JOIN groups g ON g.project_id = j.value ->> 0 AND g.hash = unhex(j.value ->> 1))`
    to.add(sql, { groups: JSON.stringify(groups.map(({ projectId, hash }) => [projectId, hash])) })
  }
}
