import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'
import type { IssueListParams } from '../types.ts'

const LIST: IssueListParams = {
  query: '',
  projects: [],
  environments: [],
  range: { startMs: NOW - 86_400_000, endMs: NOW + 1 },
  sort: 'date',
  limit: 25,
  cursor: null,
}

describe('the words of a search', () => {
  let shop: Shop
  let scope: ReadScope
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    await send(shop, shop.dsn, anError())
    await send(shop, shop.dsn, anError({ environment: 'staging' }))
  })
  after(() => shop.close())

  it('completes what is typed', async () => {
    const { queries } = shop
    assert.deepEqual(await queries.searchSuggestions(scope, null, 'env'), ['environment'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'is', 'un'), [
      'unresolved',
      'unassigned',
      'unhandled',
    ])
    assert.deepEqual(await queries.searchSuggestions(scope, 'environment', 'st'), ['staging'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'project', 'va'), ['vault'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'assigned', 'mem'), ['member@acme.test'])
    assert.ok((await queries.searchSuggestions(scope, 'has', '')).includes('plan'))
    assert.deepEqual(await queries.searchSuggestions(scope, 'nosuchkey', '%'), [])
  })

  it('completes fields by all their names, and their values from where these are', async () => {
    const { queries } = shop
    assert.deepEqual(await queries.searchSuggestions(scope, null, 'requ'), ['kind'])
    assert.deepEqual(await queries.searchSuggestions(scope, null, 'times'), ['events'])
    assert.ok(!(await queries.searchSuggestions(scope, null, 'request_k')).includes('request_kind'))
    assert.deepEqual(await queries.searchSuggestions(scope, 'request_kind', 'pa'), ['page-data'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'error.type', 'type'), ['TypeError'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'platform', ''), ['node'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'user', '7'), ['7'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'user.id', ''), ['7'])
    assert.deepEqual(await queries.searchSuggestions(scope, 'events', '>1'), ['>10', '>100', '>1000'])
  })

  it('names a tag that no event has, and what may have been meant', async () => {
    const unknown = async (query: string) => {
      const list = await shop.queries.issueList(scope, { ...LIST, query })
      assert.deepEqual(list.problems, [])
      return list.unknownTags
    }
    assert.deepEqual(await unknown('enviroment:production'), [{ key: 'enviroment', nearest: 'environment' }])
    assert.deepEqual(await unknown('!has:plna email:x'), [
      { key: 'plna', nearest: 'plan' },
      { key: 'email', nearest: 'user.email' },
    ])
    assert.deepEqual(await unknown('foo:bar level:error plan:x dist:1 trace:abc tags[events]:1'), [
      { key: 'foo', nearest: null },
      { key: 'dist', nearest: null },
      { key: 'events', nearest: 'events' },
    ])
    assert.deepEqual(await unknown('firstRelease:none kind:browser user:nobody route:/nowhere'), [])
  })

  it('searches an issue’s events by kind, people and stars, and says what they cannot be asked', async () => {
    const found = async (query: string) => {
      const answer = await shop.queries.issueEvents(scope, 'SHOP-1', { query, limit: 5, cursor: null })
      return answer === null ? null : { total: answer.total, problems: answer.problems }
    }
    const all = (await found(''))?.total
    for (const query of ['user:7', 'user.email:*@EXAMPLE.com', 'kind:*', 'total*function', 'level:error']) {
      assert.deepEqual(await found(query), { total: all, problems: [] }, query)
    }
    assert.deepEqual(await found('user.email:7'), { total: 0, problems: [] })
    assert.match((await found('events:>1'))?.problems[0] ?? '', /“events:” can’t be searched among events/)
    assert.match((await found('!boom'))?.problems[0] ?? '', /Negated text can’t/)
  })
})
