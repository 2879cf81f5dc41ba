/** What completes a search while it is typed. */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { environmentsByName } from '#model/environments.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { IssueField, IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Suggestion } from '../types.ts'
import { type Completion, fieldOf, type PersonNameKind, SEARCH_FIELDS } from './fields.ts'
import { filterFor } from './filter.ts'
import { releaseSuggestions } from './release-suggestions.ts'

export interface SuggestionParts {
  readonly accounts: Pick<AccountsRead, 'members'>
  readonly projects: Pick<ProjectsRead, 'projects' | 'environments'>
  readonly releases: Pick<ReleasesRead, 'releasesOfProjects'>
  readonly issues: Pick<IssuesRead, 'facetValues' | 'facetKeys' | 'list'>
  readonly clock: Clock
}

const SUGGESTIONS_MAX = 20

/** Keys for `key` null, otherwise values of the key, those that begin with `prefix`. */
export async function suggestions(
  parts: SuggestionParts,
  scope: ReadScope,
  { key, prefix: typed }: { readonly key: string | null; readonly prefix: string },
): Promise<readonly Suggestion[]> {
  const prefix = typed.slice(0, max('tagValueCharsMax'))
  if (key === null) return (await keysOf(parts, scope, prefix)).map(uncounted)
  const completion: Completion = fieldOf(key)?.completion ?? { from: 'tag', tag: key }
  const values = await valuesOf(parts, scope, { completion, prefix })
  const wanted = prefix.toLowerCase()
  return values.filter(({ text }) => text.toLowerCase().startsWith(wanted)).slice(0, SUGGESTIONS_MAX)
}

function uncounted(text: string): Suggestion {
  return { text, count: null }
}

/** Fields first; a tag that a field stands for is reached by the field's name. */
async function keysOf(parts: SuggestionParts, scope: ReadScope, prefix: string): Promise<readonly string[]> {
  const fields = SEARCH_FIELDS.filter(
    ({ name, aliases, filter }) =>
      filter.by !== 'nothing' && beginningWith(prefix, [name, ...aliases]).length > 0,
  )
  const tags = await parts.issues.facetKeys(scope, prefix, SUGGESTIONS_MAX)
  return [...fields.map(({ name }) => name), ...tags.filter((tag) => fieldOf(tag) === null)].slice(
    0,
    SUGGESTIONS_MAX,
  )
}

function beginningWith(prefix: string, words: readonly string[]): readonly string[] {
  const wanted = prefix.toLowerCase()
  return words.filter((word) => word.toLowerCase().startsWith(wanted)).slice(0, SUGGESTIONS_MAX)
}

interface Asked<C extends Completion> {
  readonly completion: C
  readonly prefix: string
}

/** Those that no count stands beside. */
type Words = Exclude<Completion, { readonly from: 'releases' | 'environments' }>

async function valuesOf(
  parts: SuggestionParts,
  scope: ReadScope,
  { completion, prefix }: Asked<Completion>,
): Promise<readonly Suggestion[]> {
  if (completion.from === 'releases') {
    const releases = await parts.releases.releasesOfProjects(scope, null)
    return releaseSuggestions(releases, { part: completion.part, prefix, nowMs: parts.clock.now() })
  }
  if (completion.from === 'environments') {
    const all = await parts.projects.environments(scope, { projects: null, of: 'events' })
    const shown = environmentsByName(all).filter(({ isHidden }) => !isHidden)
    return shown.map(({ name, eventCount }) => ({ text: name, count: eventCount }))
  }
  return (await wordsOf(parts, scope, { completion, prefix })).map(uncounted)
}

async function wordsOf(
  parts: SuggestionParts,
  scope: ReadScope,
  { completion, prefix }: Asked<Words>,
): Promise<readonly string[]> {
  const { accounts, projects, issues } = parts
  switch (completion.from) {
    case 'words':
      return completion.words
    case 'tag':
      return issues.facetValues(scope, completion.tag, prefix, SUGGESTIONS_MAX)
    case 'keys':
      return issues.facetKeys(scope, prefix, SUGGESTIONS_MAX)
    case 'projects':
      return (await projects.projects(scope)).map(({ slug }) => slug)
    case 'members':
      return ['me', 'none', ...(await accounts.members(scope)).map(({ email }) => email)]
    case 'people':
      return peopleOf(issues, scope, { names: completion.names, prefix })
    case 'issues':
      return fieldValues(parts, scope, { field: completion.field, prefix })
    case 'nowhere':
      return []
  }
}

/** The counted name of each person, `id:42`, without what it is: the field says so, or it makes no difference. */
async function peopleOf(
  issues: SuggestionParts['issues'],
  scope: ReadScope,
  { names, prefix }: { readonly names: readonly PersonNameKind[]; readonly prefix: string },
): Promise<readonly string[]> {
  const found = names.map(async (name) => {
    const values = await issues.facetValues(scope, 'user', `${name}:${prefix}`, SUGGESTIONS_MAX)
    return values.map((value) => value.slice(name.length + 1))
  })
  return [...new Set((await Promise.all(found)).flat())]
}

/** What the newest issues have. */
async function fieldValues(
  { issues, clock }: SuggestionParts,
  scope: ReadScope,
  { field, prefix }: { readonly field: IssueField; readonly prefix: string },
): Promise<readonly string[]> {
  // A star that was typed is none here: no value that is suggested begins with one.
  const value = `${prefix.replaceAll('*', '')}*`
  const filter = filterFor({ fields: [{ field, value, negated: false }] }, clock.now())
  const page = { sort: 'date', limit: max('pageRowsMax'), cursor: null } as const
  const { rows } = await issues.list(scope, filter, page)
  return [...new Set(rows.flatMap((row) => row[field] ?? []))].filter((text) => text !== '')
}
