/** Saved searches, field for field as Sentry has them. */
import * as v from 'valibot'
import type { IssueSort } from '#model/search-words.ts'
import type { SavedSearch } from '#ports/searches.ts'
import { SAVED_SEARCH } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { picks } from './pick.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const SORTS: readonly IssueSort[] = ['date', 'new', 'freq', 'user']
const SORT_RULE = `One of ${SORTS.join(', ')}.`
const TYPE_RULE = '0: searches of issues are the only ones.'
const VISIBILITY_RULE = 'One of owner, organization.'
const SEARCH = v.object({
  /** Type of search: issues only. */
  type: v.optional(v.literal(0, TYPE_RULE)),
  name: v.string('A name.'),
  query: v.string('A search.'),
  sort: v.optional(v.nullable(v.picklist(SORTS, SORT_RULE))),
  visibility: v.optional(v.picklist(['owner', 'organization'], VISIBILITY_RULE)),
})

export const SEARCH_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/searches/',
    permission: 'issue.read',
    what: 'saved searches: shared ones, and those of whoever asks',
    answer: v.array(SAVED_SEARCH),
    async run(call) {
      const { searches, pinned } = await readKnownSearches(call)
      return answerOk(searches.map((search) => searchShape(search, pinned)))
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/searches/',
    permission: 'search.write',
    what: 'saves a search; `visibility` organization shares it',
    body: SEARCH,
    answer: SAVED_SEARCH,
    async run(call) {
      const search = readSearchBody(await call.json())
      return answerCreated(
        searchShape(grantedOrThrow(await call.commands.run('createSearch', call, search)), null),
      )
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/searches/{search}/',
    permission: 'issue.read',
    what: 'one saved search',
    answer: SAVED_SEARCH,
    async run(call) {
      const { searches, pinned } = await readKnownSearches(call)
      const search = existing(searches.find(({ id }) => String(id) === call.params.search))
      return answerOk(searchShape(search, pinned))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/organizations/{org}/searches/{search}/',
    permission: 'search.write',
    what: 'changes a saved search',
    body: SEARCH,
    answer: SAVED_SEARCH,
    async run(call) {
      const change = { ...readSearchBody(await call.json()), id: searchId(call) }
      const { pinned } = await readKnownSearches(call)
      return answerOk(
        searchShape(grantedOrThrow(await call.commands.run('changeSearch', call, change)), pinned),
      )
    },
  }),
  {
    method: 'DELETE',
    pattern: '/organizations/{org}/searches/{search}/',
    permission: 'search.write',
    what: 'deletes a saved search',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteSearch', call, searchId(call)))
      return gone
    },
  },
]

async function readKnownSearches({ queries, scope }: OrgCall) {
  const [searches, { defaultSearch }] = await Promise.all([
    queries.savedSearches(scope),
    queries.listPreferences(scope),
  ])
  return { searches, pinned: defaultSearch }
}

function readSearchBody(body: unknown) {
  const { name, query, sort, visibility } = readBody(SEARCH, body)
  if (query.trim() === '') throw badField('query', 'A search.')
  return { name, query, sort: sort ?? ('date' as const), isShared: visibility === 'organization' }
}

/** Reads a search's id; text that is not a number finds none. */
function searchId({ params }: OrgCall): number {
  return /^\d{1,15}$/.test(params.search ?? '') ? Number(params.search) : 0
}

/** `isGlobal`: of every installation, which no search here is. */
const searchShape = picks(SAVED_SEARCH).from<SavedSearch, number | null>({
  id: ({ id }) => String(id),
  type: () => 0,
  visibility: ({ isShared }) => (isShared ? 'organization' : 'owner'),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
  isGlobal: () => false,
  isPinned: ({ id }, pinned) => id === pinned,
})
