/** WHERE clauses. Values travel as parameters only; what a person typed never becomes part of the SQL text. */
import { byWord } from '#base/by-word.ts'
import type { ProjectId } from '#base/ids.ts'
import { hasDetails, isGrouped, namesPeople, type RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { HiddenRules, PersonTombstone } from '#model/hidden.ts'
import type { DetailCondition, PersonCondition, TagCondition, ValueOfProject } from '#model/tag-condition.ts'
import { hasWildcard, literalText, patternParts } from '#model/text-pattern.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventConditions, EventFilter } from '#ports/telemetry.ts'
import type { Parameter } from './driver.ts'
import { encodeTagKey, escapeElement, GS, listText } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'
import { DETAILS, impliedText, PEOPLE, ROWS } from './table-sql.ts'

/** A part of a statement with the parameters it uses, numbered as they were added. */
export class Parameters {
  readonly values: Parameter[] = []

  /** Adds a value and gives the `$n` that stands for it. What is no pattern by now names a text. */
  add(value: Parameter): string {
    this.values.push(typeof value === 'string' ? literalText(value) : value)
    return `$${this.values.length}`
  }
}

/** A place in the one order of events: event time, event id, seq. */
export interface OrderKey {
  readonly timestampMs: number
  readonly eventId: string
  readonly seq: number
}

/** The visible groups of a filter as lists of equal length; floors come from tombstones. */
export interface VisibleGroups {
  readonly projects: readonly ProjectId[]
  readonly hashes: readonly string[]
  readonly floors: readonly number[]
  /** Deleted people of the groups' projects. */
  readonly people: readonly PersonTombstone[]
}

/** Groups of the filter within the scope, each once. */
export function visibleGroups(
  scope: ReadScope,
  groups: EventFilter['groups'],
  rules: HiddenRules,
): VisibleGroups {
  const readable = new Set(scope.projects)
  const unique = new Map(
    groups
      .filter(({ projectId }) => readable.has(projectId))
      .map((group) => [`${group.projectId}:${group.hash}`, group]),
  )
  const list = [...unique.values()]
  return {
    projects: list.map(({ projectId }) => projectId),
    hashes: list.map(({ hash }) => hash),
    floors: list.map(({ projectId, hash }) => rules.floor(projectId, hash)),
    people: rules.people(list.map(({ projectId }) => projectId)),
  }
}

/** The groups of projects that still show what was received on the file's day. */
export function groupsWithin(groups: VisibleGroups, rules: HiddenRules, file: FileName): VisibleGroups {
  const past = new Set(rules.pastPeriod(file))
  if (past.size === 0) return groups
  const kept = groups.projects.map((project) => !past.has(project))
  const isKept = (_: unknown, index: number) => kept[index] === true
  return {
    projects: groups.projects.filter(isKept),
    hashes: groups.hashes.filter(isKept),
    floors: groups.floors.filter(isKept),
    people: groups.people,
  }
}

/** A file's rows in SQL: where they are, and what they have. */
export interface FileRows {
  readonly alias: string
  /** Rows to select from instead. */
  readonly rows?: string
  readonly table: RowTable
}

/** `FROM … WHERE …` over the rows of the groups that meet the filter. `groups` must not be empty. */
export function fromGroups(
  { alias, table }: FileRows,
  groups: VisibleGroups,
  options: { readonly filter: Omit<EventFilter, 'groups' | 'files'>; readonly parameters: Parameters },
): string {
  const { filter, parameters } = options
  const conditions = [
    ...filterConditions(table, filter, parameters),
    ...peopleConditions(table, groups.people, parameters),
  ]
  const [project, hash, floor] = [groups.projects[0], groups.hashes[0], groups.floors[0]]
  if (groups.hashes.length === 1 && project !== undefined && hash !== undefined && floor !== undefined) {
    // One group is by far the usual case, and comparing costs a third less than joining.
    conditions.push(`e.project_id = ${parameters.add(project)}::BIGINT`)
    conditions.push(`e.group_hash = ${parameters.add(hash)}`, `e.seq > ${parameters.add(floor)}::BIGINT`)
    return `FROM ${alias}.${ROWS} e WHERE ${conditions.join(' AND ')}`
  }
  const wanted =
    `(SELECT unnest(${parameters.add(groups.projects)}::BIGINT[]) AS project_id, ` +
    `unnest(${parameters.add(groups.hashes)}::VARCHAR[]) AS group_hash, ` +
    `unnest(${parameters.add(groups.floors)}::BIGINT[]) AS floor)`
  const joined = `FROM ${alias}.${ROWS} e JOIN ${wanted} g ON g.project_id = e.project_id AND g.group_hash = e.group_hash`
  return `${joined} WHERE ${['e.seq > g.floor', ...conditions].join(' AND ')}`
}

/** True when deletions take nothing from the groups: then what was counted of them is what can be seen. */
export function isNothingDeleted({ floors, people }: VisibleGroups): boolean {
  return people.length === 0 && floors.every((floor) => floor === 0)
}

/** `FROM … WHERE …` over every visible row of the scope's projects. */
export function fromProjects(
  { alias, table, rows = `${alias}.${ROWS}` }: FileRows,
  scope: ReadScope,
  options: {
    readonly filter: Omit<EventFilter, 'groups' | 'files'>
    readonly parameters: Parameters
    readonly rules: HiddenRules
    readonly file: FileName
  },
): string {
  const { filter, parameters, rules, file } = options
  const past = new Set(rules.pastPeriod(file))
  const projects = scope.projects.filter((project) => !past.has(project))
  const conditions = [
    projectCondition(projects, parameters),
    ...floorConditions(table, rules),
    ...filterConditions(table, filter, parameters),
    ...peopleConditions(table, rules.people(projects), parameters),
  ]
  return `FROM ${rows} e ${joinFloors(table, rules, parameters)} WHERE ${conditions.join(' AND ')}`
}

/** Everything of a file that no rule hides, whoever may read it: what compaction keeps. */
export function fromVisible(
  { alias, table }: FileRows,
  rules: HiddenRules,
  options: { readonly file: FileName; readonly parameters: Parameters },
): string {
  const { file, parameters } = options
  const conditions = [
    `NOT list_contains(${parameters.add(rules.pastPeriod(file))}::BIGINT[], e.project_id)`,
    ...floorConditions(table, rules),
    ...peopleConditions(table, rules.people(), parameters),
  ]
  return `FROM ${alias}.${ROWS} e ${joinFloors(table, rules, parameters)} WHERE ${conditions.join(' AND ')}`
}

/** Comparing with a few costs half of joining a list. */
function projectCondition(projects: readonly ProjectId[], parameters: Parameters): string {
  if (projects.length === 0 || projects.length > PROJECTS_COMPARED)
    return `e.project_id IN (SELECT unnest(${parameters.add(projects)}::BIGINT[]))`
  return `e.project_id IN (${projects.map((id) => `${parameters.add(id)}::BIGINT`).join(', ')})`
}

const PROJECTS_COMPARED = 16

function floorConditions(table: RowTable, rules: HiddenRules): readonly string[] {
  const { projects, groups } = rules.columns()
  return [
    ...(projects.ids.length === 0 ? [] : ['e.seq > coalesce(p.floor, 0)']),
    ...(isGrouped(table) && groups.ids.length > 0 ? ['e.seq > coalesce(t.floor, 0)'] : []),
  ]
}

/** `p` and, of a kind with groups, `t`: up to where a row's project and group are deleted; where any is. */
function joinFloors(table: RowTable, rules: HiddenRules, parameters: Parameters): string {
  const { projects, groups } = rules.columns()
  const ofProjects =
    projects.ids.length === 0
      ? ''
      : `LEFT JOIN (SELECT unnest(${parameters.add(projects.ids)}::BIGINT[]) AS project_id, ` +
        `unnest(${parameters.add(projects.floors)}::BIGINT[]) AS floor) p ON p.project_id = e.project_id`
  if (!isGrouped(table) || groups.ids.length === 0) return ofProjects
  return (
    `${ofProjects} LEFT JOIN (SELECT unnest(${parameters.add(groups.ids)}::BIGINT[]) AS project_id, ` +
    `unnest(${parameters.add(groups.hashes)}::VARCHAR[]) AS group_hash, ` +
    `unnest(${parameters.add(groups.floors)}::BIGINT[]) AS floor) t ` +
    'ON t.project_id = e.project_id AND t.group_hash = e.group_hash'
  )
}

/** Builds one condition per deleted person; there are at most `peopleDeletedMax` until compaction. */
function peopleConditions(
  table: RowTable,
  people: readonly PersonTombstone[],
  parameters: Parameters,
): string[] {
  if (!namesPeople(table)) return []
  return people.map(
    ({ projectId, person, upToSeq }) =>
      `NOT (e.project_id = ${parameters.add(projectId)}::BIGINT AND e.seq <= ${parameters.add(upToSeq)}::BIGINT ` +
      `AND contains(${PEOPLE}, ${parameters.add(listText([person]))}))`,
  )
}

/** The place of `e` in the order of events, as SQL. */
export const ORDER_KEY = 'struct_pack(t := e.timestamp_ms, i := e.event_id, s := e.seq)'

/** A given place in that order, as SQL. */
export function orderKeyParameter(key: OrderKey, parameters: Parameters): string {
  return (
    `struct_pack(t := ${parameters.add(key.timestampMs)}::DOUBLE, ` +
    `i := ${parameters.add(key.eventId)}, s := ${parameters.add(key.seq)}::BIGINT)`
  )
}

function filterConditions(table: RowTable, filter: EventConditions, parameters: Parameters): string[] {
  const {
    startMs,
    endMs,
    text = '',
    textNot = [],
    named = [],
    ofGroups,
    tags = [],
    people = [],
    details = [],
    either = [],
  } = filter
  return [
    ...(startMs === undefined ? [] : [`e.timestamp_ms >= ${parameters.add(startMs)}`]),
    ...(endMs === undefined ? [] : [`e.timestamp_ms < ${parameters.add(endMs)}`]),
    ...(text === '' ? [] : [titleCondition(text, parameters)]),
    ...textNot.map((unwanted) => `NOT ${titleCondition(unwanted, parameters)}`),
    ...named.map((one) => titleOrCulpritSql(table, one, parameters)),
    ...(ofGroups === undefined ? [] : [groupsCondition(ofGroups, parameters)]),
    ...tags.map((tag) => tagSql(table, tag, parameters)),
    ...people.map((person) => personSql(table, person, parameters)),
    ...details.map((detail) => detailSql(table, detail, parameters)),
    ...either.map((choices) => choiceCondition(table, choices, parameters)),
  ]
}

function choiceCondition(
  table: RowTable,
  choices: readonly EventConditions[],
  parameters: Parameters,
): string {
  const parts = choices.map((choice) => filterConditions(table, choice, parameters).join(' AND ') || 'true')
  return parts.length === 0 ? 'false' : `((${parts.join(') OR (')}))`
}

/** Builds the condition on a detail, ignoring case, or on a tag of the same key. */
function detailSql(
  table: RowTable,
  { key, value, negated }: DetailCondition,
  parameters: Parameters,
): string {
  const asTag = tagSql(table, { key, value, negated: false }, parameters)
  if (!hasDetails(table)) return negated ? `NOT ${asTag}` : asTag
  const isPattern = value === null || hasWildcard(value)
  const entry = isPattern
    ? `${GS}${literalPattern(`${key}=`)}${elementPattern(value ?? '*')}${GS}`
    : listText([`${key}=${value}`])
  const wanted = parameters.add((entry ?? '').toLowerCase())
  const said = isPattern
    ? `regexp_matches(lower(${DETAILS}), ${wanted})`
    : `contains(lower(${DETAILS}), ${wanted})`
  const inColumn = columnSql(key, value, parameters)
  return `${negated ? 'NOT ' : ''}(${[said, asTag, ...inColumn].join(' OR ')})`
}

/** Columns of an event that are asked for as details, by the key of these. */
const DETAIL_COLUMNS: Readonly<Record<string, string>> = byWord({
  ...{ 'event.id': 'event_id', 'trace.span': 'span_id', 'sdk.name': 'sdk' },
  ...{ culprit: 'culprit', category: 'category' },
})

function columnSql(key: string, value: string | null, parameters: Parameters): readonly string[] {
  const column = DETAIL_COLUMNS[key]
  if (column === undefined) return []
  const own = `coalesce(e.${column}, '')`
  if (value === null) return [`${own} <> ''`]
  // A part of a name is what people remember of it, as in titles.
  if (key === 'culprit' || hasWildcard(value)) return [textSql(own, value, parameters)]
  return [`lower(${own}) = lower(${parameters.add(value)})`]
}

function titleCondition(text: string, parameters: Parameters): string {
  return textSql('e.title', text, parameters)
}

export function textSql(column: string, text: string, parameters: Parameters): string {
  if (!hasWildcard(text)) return `contains(lower(${column}), lower(${parameters.add(text)}))`
  return `regexp_matches(lower(${column}), lower(${parameters.add(wholePattern(text))}), 's')`
}

/** Tables without a culprit have a title alone. */
function titleOrCulpritSql(
  table: RowTable,
  { value, negated }: { readonly value: string; readonly negated: boolean },
  parameters: Parameters,
): string {
  const names = ['title', 'culprit'].filter((name) => name in table.fields)
  const said = names.map((name) => textSql(`e.${name}`, value, parameters))
  return `${negated ? 'NOT ' : ''}(${said.join(' OR ') || 'false'})`
}

function groupsCondition(groups: NonNullable<EventConditions['ofGroups']>, parameters: Parameters): string {
  const names = parameters.add(groups.map(({ projectId, hash }) => `${projectId}:${hash}`))
  return `concat(e.project_id, ':', e.group_hash) IN (SELECT unnest(${names}::VARCHAR[]))`
}

/** Any of a person's names. Rows that name nobody are of nobody that is looked for. */
function personSql(table: RowTable, { names, negated }: PersonCondition, parameters: Parameters): string {
  if (!namesPeople(table)) return negated ? 'true' : 'false'
  const isNamed = names.map((name) =>
    hasWildcard(name)
      ? `regexp_matches(${PEOPLE}, ${parameters.add(`${GS}${elementPattern(name)}${GS}`)})`
      : `contains(${PEOPLE}, ${parameters.add(listText([name]))})`,
  )
  return `${negated ? 'NOT ' : ''}(${isNamed.join(' OR ')})`
}

/** Exact value, beginning of a value (a final `*`), any other pattern, or presence (`null`). */
function tagSql(table: RowTable, tag: TagCondition, parameters: Parameters): string {
  const { key, value, negated } = tag
  if (value !== null && typeof value !== 'string') return tagAmong(table, { key, value, negated }, parameters)
  const star = value === null ? 0 : value.indexOf('*')
  if (value !== null && star !== -1 && star < value.length - 1)
    return tagPattern(table, { key, value, negated }, parameters)
  const isExact = value !== null && star === -1
  const wanted = isExact ? value : (value ?? '*').slice(0, -1)
  const entry = `${GS}${escapeElement(encodeTagKey(key))}=${escapeElement(wanted)}${isExact ? GS : ''}`
  const isListed = `contains(coalesce(e.tags, ''), ${parameters.add(entry)})`
  const implied = columnsOf(table).tags.get(key)
  if (implied === undefined) return negated ? `NOT ${isListed}` : isListed
  const parameter = parameters.add(wanted)
  const text = impliedText(implied)
  const meets = isExact ? `${text} = ${parameter}` : `starts_with(${text}, ${parameter})`
  const isImplied = `(e.implied & ${implied.bit}) <> 0 AND ${meets}`
  return `${negated ? 'NOT ' : ''}((${isImplied}) OR ${isListed})`
}

/** Any of several values, each in its own project. */
function tagAmong(
  table: RowTable,
  { key, value, negated }: TagCondition & { readonly value: readonly ValueOfProject[] },
  parameters: Parameters,
): string {
  const among = (text: string, asWritten: (value: string) => string) => {
    const pairs = parameters.add(value.map((one) => `${one.projectId}:${asWritten(one.value)}`))
    return `concat(e.project_id, ':', ${text}) IN (SELECT unnest(${pairs}::VARCHAR[]))`
  }
  const entry = parameters.add(`${GS}${literalPattern(`${encodeTagKey(key)}=`)}([^${GS}]*)${GS}`)
  const has = `regexp_matches(coalesce(e.tags, ''), ${entry})`
  const isListed = `(${has} AND ${among(`regexp_extract(coalesce(e.tags, ''), ${entry}, 1)`, escapeElement)})`
  const implied = columnsOf(table).tags.get(key)
  const isImplied =
    implied === undefined
      ? []
      : [`((e.implied & ${implied.bit}) <> 0 AND ${among(impliedText(implied), (text) => text)})`]
  return `${negated ? 'NOT ' : ''}(${[...isImplied, isListed].join(' OR ')})`
}

/** A pattern never reaches over the end of an entry of the list: `*` stands for anything but what divides them. */
function tagPattern(
  table: RowTable,
  { key, value, negated }: TagCondition & { readonly value: string },
  parameters: Parameters,
): string {
  const entry = `${GS}${literalPattern(`${encodeTagKey(key)}=`)}${elementPattern(value)}${GS}`
  const isListed = `regexp_matches(coalesce(e.tags, ''), ${parameters.add(entry)})`
  const implied = columnsOf(table).tags.get(key)
  if (implied === undefined) return negated ? `NOT ${isListed}` : isListed
  const meets = `regexp_full_match(${impliedText(implied)}, ${parameters.add(wholePattern(value))}, 's')`
  return `${negated ? 'NOT ' : ''}(((e.implied & ${implied.bit}) <> 0 AND ${meets}) OR ${isListed})`
}

/** Builds the pattern for a column that holds one text. */
export function wholePattern(pattern: string): string {
  return patternParts(pattern).map(literalPattern).join('.*')
}

/** Builds the pattern for one text of a list. */
export function elementPattern(pattern: string): string {
  return patternParts(pattern)
    .map((part) => literalPattern(escapeElement(part)))
    .join(`[^${GS}]*`)
}

/** Escapes text for a regular expression: RE2 allows a backslash before any ASCII sign. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
}
