/** What completes a search while it is typed. */
import { LEVELS } from '#model/event.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { IS_VALUES, SEARCH_KEYS } from './parse.ts'

export interface SuggestionParts {
  readonly accounts: Pick<AccountsRead, 'members'>
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly issues: Pick<IssuesRead, 'facetValues' | 'facetKeys'>
}

const SUGGESTIONS_MAX = 20

/** Keys for `key` null, otherwise values of the key, those that begin with `prefix`. */
export async function suggestions(
  parts: SuggestionParts,
  scope: ReadScope,
  { key, prefix }: { readonly key: string | null; readonly prefix: string },
): Promise<readonly string[]> {
  const wanted = prefix.toLowerCase().slice(0, 200)
  const values = await valuesOf(parts, scope, { key, prefix: prefix.slice(0, 200) })
  return values.filter((value) => value.toLowerCase().startsWith(wanted)).slice(0, SUGGESTIONS_MAX)
}

async function valuesOf(
  { accounts, projects, issues }: SuggestionParts,
  scope: ReadScope,
  { key, prefix }: { readonly key: string | null; readonly prefix: string },
): Promise<readonly string[]> {
  switch (key) {
    case null:
      return [...new Set([...SEARCH_KEYS, ...(await issues.facetKeys(scope, prefix, SUGGESTIONS_MAX))])]
    case 'has':
      return issues.facetKeys(scope, prefix, SUGGESTIONS_MAX)
    case 'is':
      return IS_VALUES
    case 'level':
      return LEVELS
    case 'project':
      return (await projects.projects(scope)).map(({ slug }) => slug)
    case 'assigned':
      return ['me', 'none', ...(await accounts.members(scope)).map(({ email }) => email)]
    default:
      return issues.facetValues(scope, key, prefix, SUGGESTIONS_MAX)
  }
}
