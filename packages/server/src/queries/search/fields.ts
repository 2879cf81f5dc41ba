/**
 * Fields that a search can name before a colon: names, the values that each takes, how it filters, what completes it. Here are the fields of
 * issues and their events; those of traces, routes and datasets are of the same form, and stand before these in the grammar
 * of each. A key that names no field is a tag's.
 */

import { byWord } from '#base/by-word.ts'
import { DETAIL_KEYS } from '#kinds/error/details.ts'
import { type DatasetField, foldedName } from '#model/dataset.ts'
import { LEVELS, REQUEST_KINDS } from '#model/event.ts'
import { PRIORITIES } from '#model/priority.ts'
import { CATEGORIES } from '#model/recognised.ts'
import { RELEASE_STAGES } from '#model/release-question.ts'
import type { IssueField, MarkCondition } from '#ports/issues.ts'
import type { SearchToken } from '../types.ts'
import { readCompared } from './comparisons.ts'

/** Values of `is:`. */
export const IS_VALUES = [
  'unresolved',
  'resolved',
  'archived',
  'ignored',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'for_review',
  'assigned',
  'unassigned',
  'unhandled',
  'linked',
  'unlinked',
] as const
export type IsValue = (typeof IS_VALUES)[number]

/** Names of a person, as in columns. */
export const PERSON_NAMES = ['id', 'email', 'username', 'ip'] as const
export type PersonNameKind = (typeof PERSON_NAMES)[number]

export function isPersonName(text: string): text is PersonNameKind {
  return (PERSON_NAMES as readonly string[]).includes(text) // widening alone: `includes` asks for the narrow type
}

/** How a field filters. */
export type FieldFilter =
  | { readonly by: 'state' | 'assignee' | 'level' | 'project' | 'presence' | 'text' | 'issue' }
  /** `meaning`: values of the tag that the field calls otherwise. */
  | { readonly by: 'tag'; readonly tag: string; readonly meaning?: Readonly<Record<string, string>> }
  /** Details of events beside tags: `kinds/error/details.ts`. */
  | { readonly by: 'detail'; readonly detail: string }
  /** Time in an issue's life, or of the events: `time-terms.ts`. */
  | { readonly by: 'time'; readonly of: 'firstSeen' | 'lastSeen' | 'event' }
  | { readonly by: 'priority' }
  | { readonly by: 'mark'; readonly as: MarkCondition['as'] }
  | { readonly by: 'person'; readonly names: readonly PersonNameKind[] }
  | { readonly by: 'field'; readonly field: IssueField }
  | { readonly by: 'count'; readonly of: 'events' | 'users' }
  /** A part of the names of releases, or their stage: `release-terms.ts`. */
  | { readonly by: 'release'; readonly part: VersionPart }
  /** The same for all that is here: what it is called holds, and nothing else does. */
  | { readonly by: 'constant'; readonly holds: readonly string[] }
  /** Known from elsewhere, and not here: the sentence behind its name says what to do instead. */
  | { readonly by: 'nothing'; readonly instead: string }
  /** Read by those alone whose field it is: `trace-fields.ts`, `route-fields.ts`. */
  | { readonly by: 'own' }
  /** A field of a dataset: `dataset-search.ts`. */
  | { readonly by: 'column'; readonly field: DatasetField }

export type VersionPart = 'version' | 'package' | 'build' | 'stage'

/** Source of a field's completions. */
export type Completion =
  /** `tag`: the events that carry them are counted. */
  | { readonly from: 'words'; readonly words: readonly string[]; readonly tag?: string }
  | { readonly from: 'tag'; readonly tag: string }
  | { readonly from: 'people'; readonly names: readonly PersonNameKind[] }
  | { readonly from: 'issues'; readonly field: IssueField }
  /** `name`: whole, and `latest`. */
  | { readonly from: 'releases'; readonly part: VersionPart | 'name' }
  /** Environments that are not hidden. */
  | { readonly from: 'environments' }
  /** Details of events beside tags. */
  | { readonly from: 'details'; readonly key: string }
  | { readonly from: 'projects' | 'members' | 'keys' | 'nowhere' }

export interface SearchField {
  /** Name as it is suggested and written back. */
  readonly name: string
  /** Other names; case, `_` and `-` never count. */
  readonly aliases: readonly string[]
  readonly filter: FieldFilter
  readonly completion: Completion
  /** All it takes; `null`: anything. */
  readonly values: readonly string[] | null
  /** Other spellings of those values. */
  readonly spellings: Readonly<Record<string, string>>
}

/** Details of events that an issue has one of: the issue's own answers first. */
const OF_ISSUES: readonly string[] = ['platform', 'error.type', 'error.value']
const YES_OR_NO = { true: 'yes', 1: 'yes', false: 'no', 0: 'no' }
const RELEASE_NAMES: Completion = { from: 'releases', part: 'name' }

export const SEARCH_FIELDS: readonly SearchField[] = [
  makeSearchField('is', { by: 'state' }, { values: IS_VALUES }),
  makeSearchField('assigned', { by: 'assignee' }, { aliases: ['assignee'], completion: { from: 'members' } }),
  makeSearchField('assigned_or_suggested', { by: 'assignee' }, { completion: { from: 'members' } }),
  makeSearchField('bookmarks', { by: 'mark', as: 'bookmarked' }, { values: ['me'] }),
  makeSearchField('subscribed', { by: 'mark', as: 'subscribed' }, { values: ['me'] }),
  makeSearchField('level', { by: 'level' }, { values: LEVELS }),
  makeSearchField('priority', { by: 'priority' }, { aliases: ['issue.priority'], values: PRIORITIES }),
  makeSearchField(
    'project',
    { by: 'project' },
    { aliases: ['project.name'], completion: { from: 'projects' } },
  ),
  tag('environment', { completion: { from: 'environments' } }),
  tag('release', { completion: RELEASE_NAMES }),
  fieldOfIssue('firstRelease', 'firstRelease', { completion: RELEASE_NAMES }),
  fieldOfIssue('lastRelease', 'lastRelease', { completion: RELEASE_NAMES }),
  ofRelease('stage', { values: RELEASE_STAGES }),
  ofRelease('version'),
  ofRelease('package'),
  ofRelease('build'),
  tag('request_kind', {
    name: 'kind',
    aliases: ['request_kind'],
    values: REQUEST_KINDS,
    spellings: { 'route handler': 'route-handler', 'page data': 'page-data' },
  }),
  tag('route'),
  makeSearchField(
    'category',
    { by: 'field', field: 'category' },
    { aliases: ['errata.category'], values: CATEGORIES },
  ),
  makeSearchField('user', personFilter(...PERSON_NAMES), {
    aliases: ['user.display'],
    completion: { from: 'people', names: PERSON_NAMES },
  }),
  ...PERSON_NAMES.map((name) =>
    makeSearchField(`user.${name}`, personFilter(name), { completion: { from: 'people', names: [name] } }),
  ),
  issueCountField('events', ['times_seen']),
  issueCountField('users', ['user_count']),
  timeField('firstSeen', 'firstSeen', ['-24h', '-7d', '+30d']),
  timeField('lastSeen', 'lastSeen', ['-1h', '-24h', '+7d']),
  timeField('age', 'firstSeen', ['-24h', '-7d', '+30d']),
  timeField('timestamp', 'event', ['-1h', '-24h'], ['event.timestamp', 'date']),
  fieldOfIssue('error.type', 'type'),
  fieldOfIssue('error.value', 'value'),
  fieldOfIssue('platform', 'platform', { aliases: ['platform.name'] }),
  tag('handled', {
    aliases: ['error.handled'],
    values: ['yes', 'no'],
    spellings: YES_OR_NO,
  }),
  makeSearchField(
    'error.unhandled',
    { by: 'tag', tag: 'handled', meaning: { yes: 'no', no: 'yes' } },
    { values: ['yes', 'no'], spellings: YES_OR_NO },
  ),
  tag('mechanism', { name: 'error.mechanism' }),
  tag('transaction'),
  tag('url', { aliases: ['http.url'] }),
  ...['browser', 'browser.name', 'os', 'os.name', 'device', 'device.family'].map((key) => tag(key)),
  ...DETAIL_KEYS.filter((key) => !OF_ISSUES.includes(key)).map((key) =>
    makeSearchField(key, { by: 'detail', detail: key }, { completion: { from: 'details', key } }),
  ),
  ...['event.id', 'trace.span'].map((key) => makeSearchField(key, { by: 'detail', detail: key })),
  makeSearchField('issue', { by: 'issue' }, { aliases: ['issue.id'] }),
  makeSearchField('has', { by: 'presence' }, { completion: { from: 'keys' } }),
  makeSearchField('title', { by: 'text' }),
  makeSearchField('message', { by: 'text' }),
  makeSearchField('culprit', { by: 'text' }),
  makeSearchField('userSeen', { by: 'nothing', instead: 'choose a time range instead' }),
  constantField('issue.category', ['error']),
  constantField('issue.type', ['error']),
  constantField('event.type', ['error', 'default']),
]

/** Names that a search can have before a colon. */
export interface SearchGrammar {
  /** The field that a key names, however it is spelt; `null` for a tag's key. */
  fieldOf(key: string): SearchField | null
}

/** The first field of a name has it. */
export function grammarOf(fields: readonly SearchField[]): SearchGrammar {
  const byName = new Map<string, SearchField>()
  for (const field of fields) {
    for (const name of [field.name, ...field.aliases]) {
      const folded = foldedName(name)
      if (!byName.has(folded)) byName.set(folded, field)
    }
  }
  return { fieldOf: (key) => byName.get(foldedName(key)) ?? null }
}

/** Searches of issues and their events. */
export const ISSUE_GRAMMAR: SearchGrammar = grammarOf(SEARCH_FIELDS)

/** Further names that events have for fields of searches in `events/`; elsewhere they are tags. */
const NAMES_OF_EVENTS: Readonly<Record<string, readonly string[]>> = byWord({
  'event.id': ['id', 'event_id'],
  'event.type': ['type'],
})

const CULPRIT: FieldFilter = { by: 'detail', detail: 'culprit' }

/** Fields of events: an issue has its culprit among its words, an event in a column. */
const EVENT_FIELDS: readonly SearchField[] = SEARCH_FIELDS.map((field) =>
  field.name === 'culprit' ? { ...field, filter: CULPRIT } : field,
)

/** Searches of the events of an issue. */
export const EVENT_GRAMMAR: SearchGrammar = grammarOf(EVENT_FIELDS)

/** Searches of the events of projects: everything that is answered of them has its name here. */
export const FOUND_EVENT_GRAMMAR: SearchGrammar = grammarOf(
  EVENT_FIELDS.map((field) => ({
    ...field,
    aliases: [...field.aliases, ...(NAMES_OF_EVENTS[field.name] ?? [])],
  })),
)

/** Returns a field that one dataset alone has. */
export function ownField(name: string, aliases: readonly string[] = []): SearchField {
  return makeSearchField(name, { by: 'own' }, { aliases })
}

/** The field that a key names in a search of issues, however it is spelt; `null` for a tag's key. */
export function fieldOf(key: string): SearchField | null {
  return ISSUE_GRAMMAR.fieldOf(key)
}

/** Whether events or issues may be without a value of it. */
export function mayLack({ filter }: SearchField): boolean {
  return ['tag', 'person', 'field', 'release', 'detail', 'column'].includes(filter.by)
}

/** True for a spelling that stands in the table itself: `firstRelease`, not `FIRSTRELEASE`. */
export function isSpeltOut(grammar: SearchGrammar, key: string): boolean {
  const known = grammar.fieldOf(key)
  return known !== null && [known.name, ...known.aliases].includes(key)
}

/** How a token filters: as its field does in a grammar, else as a tag. */
export function tokenFilter(
  { key, isTag, isAny }: Pick<SearchToken, 'key' | 'isTag' | 'isAny'>,
  grammar: SearchGrammar = ISSUE_GRAMMAR,
): FieldFilter {
  if (key === null) return { by: 'text' }
  const known = isTag === true ? null : grammar.fieldOf(key)
  if (known === null) return { by: 'tag', tag: key }
  // An issue's culprit is among its words, of which none can be missing: its events are asked.
  return isAny === true && known.name === 'culprit' ? CULPRIT : known.filter
}

/** Reads a count: `100`, `=100`, `>100`, `>=100`, `<100`, `<=100`; `null` for anything else. */
export function countRange(value: string): { readonly least: number; readonly most: number } | null {
  const read = readCompared(value, 'count')
  if (read === null) return null
  const { sign, value: number } = read
  return {
    least: sign === '>' ? number + 1 : sign === '<' || sign === '<=' ? 0 : number,
    most: sign === '<' ? number - 1 : sign === '>' || sign === '>=' ? Number.MAX_SAFE_INTEGER : number,
  }
}

/** A field's own spelling of a value. */
export function spelling({ spellings, values }: SearchField, value: string): string {
  const typed = value.toLowerCase()
  if (values?.includes(typed) === true) return typed
  return Object.hasOwn(spellings, typed) ? (spellings[typed] ?? value) : value
}

/** Returns a field that Sentry distinguishes and Errata has one value of. */
function constantField(name: string, holds: readonly string[]): SearchField {
  const completion: Completion = { from: 'words', words: holds.slice(0, 1) }
  return makeSearchField(name, { by: 'constant', holds }, { completion })
}

type Rest = Partial<Omit<SearchField, 'name' | 'filter'>>

function makeSearchField(name: string, filter: FieldFilter, rest: Rest = {}): SearchField {
  const { values = null } = rest
  const counted = filter.by === 'tag' && filter.meaning === undefined ? { tag: filter.tag } : {}
  const ofLevels = filter.by === 'level' ? { tag: 'level' } : counted
  const completion: Completion =
    values === null ? { from: 'nowhere' } : { from: 'words', words: values, ...ofLevels }
  return { name, filter, aliases: [], spellings: {}, completion, ...rest, values }
}

function tag(key: string, rest: Rest & { readonly name?: string } = {}): SearchField {
  const { name = key, ...others } = rest
  const completion: Completion = { from: 'tag', tag: key }
  return makeSearchField(
    name,
    { by: 'tag', tag: key },
    others.values === undefined ? { completion, ...others } : others,
  )
}

function fieldOfIssue(name: string, of: IssueField, rest: Rest = {}): SearchField {
  return makeSearchField(
    name,
    { by: 'field', field: of },
    { completion: { from: 'issues', field: of }, ...rest },
  )
}

function ofRelease(part: VersionPart, rest: Rest = {}): SearchField {
  return {
    ...makeSearchField(`release.${part}`, { by: 'release', part }, rest),
    completion: { from: 'releases', part },
  }
}

function timeField(
  name: string,
  of: 'firstSeen' | 'lastSeen' | 'event',
  words: readonly string[],
  aliases: readonly string[] = [],
): SearchField {
  return makeSearchField(name, { by: 'time', of }, { aliases, completion: { from: 'words', words } })
}

function personFilter(...names: readonly PersonNameKind[]): FieldFilter {
  return { by: 'person', names }
}

function issueCountField(of: 'events' | 'users', aliases: readonly string[]): SearchField {
  const words = ['>10', '>100', '>1000']
  return makeSearchField(of, { by: 'count', of }, { aliases, completion: { from: 'words', words } })
}
