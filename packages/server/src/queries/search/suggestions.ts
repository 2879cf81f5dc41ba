/** Completes a search while it is typed. */
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { completeText } from '#model/complete-text.ts'
import { environmentsByName } from '#model/environments.ts'
import { literalText, withOwnStars } from '#model/text-pattern.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { CountedValue, IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Suggestion, SuggestionsAsked } from '../types.ts'
import type { DetailValues } from './detail-values.ts'
import { isOfEvents } from './event-search.ts'
import { type Completion, fieldOf, type PersonNameKind, SEARCH_FIELDS, type SearchField } from './fields.ts'

export interface SuggestionParts {
  readonly accounts: Pick<AccountsRead, 'members' | 'teams'>
  readonly projects: Pick<ProjectsRead, 'projects' | 'environments'>
  readonly releases: Pick<ReleasesRead, 'suggestedReleases'>
  readonly issues: Pick<
    IssuesRead,
    'facetValues' | 'facetKeys' | 'facetKeyCounts' | 'issueValues' | 'countByProject'
  >
  readonly detailValues: DetailValues
  readonly clock: Clock
}

const SUGGESTIONS_MAX = 20

/** Keys for `key` null, otherwise values of the key, those that begin with `prefix`, or have it where names are few. */
export async function suggestions(
  parts: SuggestionParts,
  readable: ReadScope,
  { key, prefix: typed, projects = [], of = 'issues', within }: SuggestionsAsked,
): Promise<readonly Suggestion[]> {
  const prefix = literalText(withOwnStars(typed)).slice(0, max('tagValueCharsMax'))
  const scope = await scopeOfProjects(parts, readable, projects)
  if (key === null) return suggestKeys(parts, scope, { prefix, of })
  const completion: Completion = fieldOf(key)?.completion ?? { from: 'tag', tag: key }
  const isWithin = within === true && NAMES.includes(completion.from)
  const values = await suggestValues(parts, scope, { completion, prefix, within: isWithin })
  return completeText(values, { prefix, within: isWithin }).slice(0, SUGGESTIONS_MAX)
}

/** Names that are all read: of tags and people those alone that begin with what is typed. */
const NAMES: readonly Completion['from'][] = ['releases', 'environments', 'projects', 'members']

/** Makes a suggestion that nothing counts. */
export function withoutCount(text: string): Suggestion {
  return { text, count: null }
}

async function scopeOfProjects(
  { projects }: Pick<SuggestionParts, 'projects'>,
  scope: ReadScope,
  names: readonly string[],
): Promise<ReadScope> {
  if (names.length === 0) return scope
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const known = (await projects.projects(scope)).filter(
    ({ slug, id }) => wanted.has(slug) || wanted.has(String(id)),
  )
  return { ...scope, projects: known.map(({ id }) => id) }
}

/** Fields first; a tag that a field stands for is reached by the field's name. */
async function suggestKeys(
  parts: SuggestionParts,
  scope: ReadScope,
  { prefix, of }: Required<Pick<SuggestionsAsked, 'prefix' | 'of'>>,
): Promise<readonly Suggestion[]> {
  const fields = SEARCH_FIELDS.filter(
    ({ name, aliases, filter }) =>
      filter.by !== 'nothing' &&
      filter.by !== 'constant' &&
      (of === 'issues' || isOfEvents(filter)) &&
      beginningWith(prefix, [name, ...aliases]).length > 0,
  )
  const tags = await parts.issues.facetKeys(scope, prefix, SUGGESTIONS_MAX)
  const keys = [
    ...fields.map((field) => ({ text: field.name, tag: tagOfField(field) })),
    ...tags.filter((tag) => fieldOf(tag) === null).map((tag) => ({ text: tag, tag })),
  ].slice(0, SUGGESTIONS_MAX)
  const counts = await countsOfKeys(
    parts,
    scope,
    keys.flatMap(({ tag }) => tag ?? []),
  )
  return keys.map(({ text, tag }) => ({ text, count: tag === null ? null : (counts.get(tag) ?? 0) }))
}

/** The tag that events carry for a field; `null`: nothing counts them. */
function tagOfField({ filter }: SearchField): string | null {
  if (filter.by === 'tag') return filter.tag
  if (filter.by === 'level' || filter.by === 'release') return filter.by
  return filter.by === 'person' && filter.names.length > 1 ? 'user' : null
}

async function countsOfKeys(
  { issues }: Pick<SuggestionParts, 'issues'>,
  scope: ReadScope,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counted = await issues.facetKeyCounts(scope, keys)
  return new Map(counted.map(({ value, count }) => [value, count]))
}

function beginningWith(prefix: string, words: readonly string[]): readonly string[] {
  const wanted = prefix.toLowerCase()
  return words.filter((word) => word.toLowerCase().startsWith(wanted)).slice(0, SUGGESTIONS_MAX)
}

interface Asked<C extends Completion> {
  readonly completion: C
  readonly prefix: string
  readonly within: boolean
}

async function suggestValues(
  parts: SuggestionParts,
  scope: ReadScope,
  { completion, prefix, within }: Asked<Completion>,
): Promise<readonly Suggestion[]> {
  const { accounts, projects, issues, releases, clock } = parts
  switch (completion.from) {
    case 'releases': {
      const asked = { part: completion.part, prefix, within, nowMs: clock.now(), limit: SUGGESTIONS_MAX }
      return releases.suggestedReleases(scope, asked)
    }
    case 'environments': {
      const all = await projects.environments(scope, { projects: null, of: 'events' })
      const shown = environmentsByName(all).filter(({ isHidden }) => !isHidden)
      return shown.map(({ name, eventCount }) => ({ text: name, count: eventCount }))
    }
    case 'words':
      return suggestWords(parts, scope, completion)
    case 'tag':
      return (await issues.facetValues(scope, completion.tag, prefix, SUGGESTIONS_MAX)).map(ofEvents)
    case 'keys': {
      const keys = await issues.facetKeys(scope, prefix, SUGGESTIONS_MAX)
      const counts = await countsOfKeys(parts, scope, keys)
      return keys.map((text) => ({ text, count: counts.get(text) ?? 0 }))
    }
    case 'projects': {
      const counts = await issues.countByProject(scope)
      const countOf = (id: ProjectId) => counts.find(({ projectId }) => projectId === id)?.unresolved ?? 0
      const all = await projects.projects(scope)
      return all.map(({ slug, id }) => ({ text: slug, count: countOf(id), of: 'issues' }))
    }
    case 'members':
      return suggestAssignees(accounts, scope)
    case 'people':
      return suggestPeople(issues, scope, { names: completion.names, prefix })
    case 'issues': {
      const values = await issues.issueValues(scope, completion.field, { prefix, limit: SUGGESTIONS_MAX })
      return values.map(({ value, count }) => ({ text: value, count, of: 'issues' }))
    }
    case 'details':
      return (await parts.detailValues(scope, { key: completion.key, prefix })).map(ofEvents)
    case 'nowhere':
      return []
  }
}

function ofEvents({ value, count }: CountedValue): Suggestion {
  return { text: value, count }
}

async function suggestAssignees(
  accounts: SuggestionParts['accounts'],
  scope: ReadScope,
): Promise<readonly Suggestion[]> {
  const [teams, members] = await Promise.all([accounts.teams(scope), accounts.members(scope)])
  const names = [...teams.map(({ slug }) => `#${slug}`), ...members.map(({ email }) => email)]
  return ['me', 'my_teams', 'none', ...names].map(withoutCount)
}

/** The words of a field that counts events of a tag have their counts. */
async function suggestWords(
  { issues }: Pick<SuggestionParts, 'issues'>,
  scope: ReadScope,
  { words, tag }: Extract<Completion, { readonly from: 'words' }>,
): Promise<readonly Suggestion[]> {
  if (tag === undefined) return words.map(withoutCount)
  const counted = await issues.facetValues(scope, tag, '', SUGGESTIONS_MAX)
  return words.map((text) => ({ text, count: counted.find(({ value }) => value === text)?.count ?? 0 }))
}

/** The counted name of each person, `id:42`, without what it is: the field says so, or it makes no difference. */
async function suggestPeople(
  issues: SuggestionParts['issues'],
  scope: ReadScope,
  { names, prefix }: { readonly names: readonly PersonNameKind[]; readonly prefix: string },
): Promise<readonly Suggestion[]> {
  const found = names.map(async (name) => {
    const values = await issues.facetValues(scope, 'user', `${name}:${prefix}`, SUGGESTIONS_MAX)
    return values.map(({ value, count }) => ({ text: value.slice(name.length + 1), count }))
  })
  const texts = new Map<string, Suggestion>()
  for (const suggestion of (await Promise.all(found)).flat())
    if (!texts.has(suggestion.text)) texts.set(suggestion.text, suggestion)
  return [...texts.values()]
}
