/** Tags that a search asks for and that no event has, with what may have been meant. */
import { byWord } from '#base/by-word.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { UnknownTag } from '../types.ts'
import { fieldOf, SEARCH_FIELDS, tokenFilter } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import type { SearchTerms } from './parse.ts'
import { singleTerms } from './terms.ts'

/** Words of other products' searches. */
const MEANT: Readonly<Record<string, string>> = byWord({
  env: 'environment',
  status: 'is',
  state: 'is',
  count: 'events',
  seen: 'lastSeen',
  suggested: 'assigned_or_suggested',
  file: 'stack.filename',
})

/** Keys of the scope that are compared with an unknown one. */
const KEYS_COMPARED_MAX = 500

export async function unknownTags(
  issues: Pick<IssuesRead, 'facetKeys' | 'facetsLack'>,
  scope: ReadScope,
  terms: SearchTerms,
): Promise<readonly UnknownTag[]> {
  const asked = singleTerms(terms).flatMap((token) => {
    const { key } = token
    // A field of the search is known, though no event may have one yet.
    const isField = key !== null && token.isTag !== true && fieldOf(key) !== null
    return key === null || isField || tokenFilter(token).by !== 'tag' ? [] : [key]
  })
  const isUnknown = await Promise.all(asked.map((key) => hasNoEvent(issues, scope, key)))
  const unknown = [...new Set(asked.filter((_, index) => isUnknown[index]))]
  if (unknown.length === 0) return []
  const keys = [
    ...SEARCH_FIELDS.filter(({ filter }) => filter.by !== 'nothing').map(({ name }) => name),
    ...(await issues.facetKeys(scope, '', KEYS_COMPARED_MAX)),
  ]
  return unknown.map((key) => ({ key, nearest: MEANT[key.toLowerCase()] ?? nearestWord(key, keys) }))
}

async function hasNoEvent(
  issues: Pick<IssuesRead, 'facetKeys' | 'facetsLack'>,
  scope: ReadScope,
  key: string,
): Promise<boolean> {
  const [first] = await issues.facetKeys(scope, key, 1)
  // Where groups left keys out, the events may have it.
  return first !== key && !(await issues.facetsLack(scope, key))
}
