import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { asking, openShop, type Shop, send } from '#testing/worlds/api.ts'
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

  const completed = async (key: string | null, prefix: string) =>
    (await shop.queries.searchSuggestions(scope, { key, prefix })).map(({ text }) => text)

  it('completes what is typed', async () => {
    assert.deepEqual(await completed(null, 'env'), ['environment'])
    assert.deepEqual(await completed('is', 'un'), ['unresolved', 'unassigned', 'unhandled', 'unlinked'])
    assert.deepEqual(await completed('environment', 'st'), ['staging'])
    assert.deepEqual(await completed('project', 'va'), ['vault'])
    assert.deepEqual(await completed('assigned', 'mem'), ['member@acme.test'])
    assert.ok((await completed('has', '')).includes('plan'))
    assert.deepEqual(await completed('nosuchkey', '%'), [])
  })

  it('completes among events what events can be asked for', async () => {
    const ofEvents = async (prefix: string) =>
      (await shop.queries.searchSuggestions(scope, { key: null, prefix, of: 'events' })).map(
        ({ text }) => text,
      )
    assert.deepEqual(await ofEvents('env'), ['environment'])
    assert.deepEqual(
      [await completed(null, 'assi'), await ofEvents('assi')].map((keys) => keys.length > 0),
      [true, false],
    )
    assert.deepEqual(await ofEvents('error.t'), ['error.type'])
  })

  it('completes fields by all their names, and their values from where these are', async () => {
    assert.deepEqual(await completed(null, 'requ'), ['kind'])
    assert.deepEqual(await completed(null, 'times_'), ['events'])
    assert.ok(!(await completed(null, 'request_k')).includes('request_kind'))
    assert.deepEqual(await completed('request_kind', 'pa'), ['page-data'])
    assert.deepEqual(await completed('error.type', 'type'), ['TypeError'])
    assert.deepEqual(await completed('platform', ''), ['node'])
    assert.deepEqual(await completed('user', '7'), ['7'])
    assert.deepEqual(await completed('user.id', ''), ['7'])
    assert.deepEqual(await completed('events', '>1'), ['>10', '>100', '>1000'])
  })

  it('completes a name by any part of it where that is asked for, those that begin with it first', async () => {
    const within = async (key: string, prefix: string) =>
      (await shop.queries.searchSuggestions(scope, { key, prefix, within: true })).map(({ text }) => text)
    assert.deepEqual(await within('project', 'aul'), ['vault'])
    assert.deepEqual(await completed('project', 'aul'), [])
    assert.deepEqual(await within('environment', 'i'), ['production', 'staging'])
    assert.deepEqual(await within('environment', 't'), ['production', 'staging'])
    assert.deepEqual(await within('environment', 'st'), ['staging'])
    assert.deepEqual(await within('release', 'LATES'), ['latest'])
    assert.deepEqual(await within('release', 'ATES'), ['latest'])
    assert.deepEqual(await within('release', 'none'), [])
    assert.deepEqual(await within('is', 'solved'), [], 'a word of the search is known by its beginning')
  })

  it('says how many events or issues have a value', async () => {
    const counted = async (key: string, prefix: string) =>
      (await shop.queries.searchSuggestions(scope, { key, prefix })).map(({ text, count, of }) => [
        text,
        count,
        of,
      ])
    assert.deepEqual(await counted('error.type', 'typ'), [['TypeError', 1, 'issues']])
    assert.deepEqual(await counted('level', 'err'), [['error', 2, undefined]])
    assert.deepEqual(await counted('user.id', ''), [['7', 2, undefined]])
    assert.deepEqual(await counted('project', 'sho'), [['shop', 1, 'issues']])
    assert.deepEqual(await counted('plan', ''), [['gold', 2, undefined]])
    assert.deepEqual(await counted('has', 'pla'), [['plan', 2, undefined]])
  })

  it('says how many events carry a key, and what events alone say of theirs', async () => {
    const counted = async (key: string | null, prefix: string, projects: readonly string[] = []) =>
      (await shop.queries.searchSuggestions(scope, { key, prefix, projects })).map(({ text, count }) => [
        text,
        count,
      ])
    assert.deepEqual(await counted(null, 'pla'), [
      ['platform', null],
      ['plan', 2],
    ])
    assert.deepEqual(await counted(null, 'environ'), [['environment', 2]])
    assert.deepEqual(await counted(null, 'environ', ['vault']), [['environment', 0]])
    assert.deepEqual(await counted('plan', '', ['vault']), [])
    assert.deepEqual(await counted('sdk.name', 'SENTRY'), [['sentry.javascript.node', 2]])
    assert.deepEqual(await counted('sdk.name', '', ['vault']), [])
    assert.deepEqual(await counted('assigned', 'm'), [
      ['me', null],
      ['my_teams', null],
      ['manager@acme.test', null],
      ['member@acme.test', null],
    ])
  })

  it('completes releases and environments with the events that they have', async () => {
    for (const release of ['shop@1.2.0+7', 'shop@1.10.0+8', 'shop@1.10.0+8', 'nightly'])
      await send(shop, shop.dsn, anError({ release }))
    const { queries } = shop
    const suggested = async (key: string, prefix = '') =>
      (await queries.searchSuggestions(scope, { key, prefix })).map(({ text, count }) => [text, count])
    assert.deepEqual(await suggested('release', 'l'), [['latest', 1]])
    assert.deepEqual(await suggested('first_release', 'shop@1.1'), [['shop@1.10.0+8', 2]])
    assert.deepEqual(await suggested('release', '>=1.1'), [['>=1.10.0', null]])
    assert.deepEqual(await suggested('release.version', '1.2'), [['1.2.0', 1]])
    assert.deepEqual(await suggested('release.package'), [['shop', 5]])
    assert.deepEqual(await suggested('release.build'), [
      ['8', 2],
      ['7', 1],
    ])
    assert.deepEqual(await suggested('release.build', '>7'), [['>7', null]])
    assert.deepEqual(await suggested('release.stage', 'ad'), [['adopted', 6]])
    assert.deepEqual(await suggested('environment', 'st'), [['staging', 1]])
  })

  it('leaves hidden environments out of suggestions and of the menu, not of what is found', async () => {
    const owner = asking(await shop.people.owner.viewer(), scope)
    const project = shop.shop.id
    const hide = (isHidden: boolean) =>
      shop.commands.run('hideEnvironment', owner, { project, name: 'staging', isHidden })
    const shown = async () => (await shop.queries.issueList(scope, LIST)).environments
    assert.ok((await shown()).includes('staging'))
    assert.ok((await hide(true)).ok)
    assert.deepEqual(await completed('environment', 'st'), [])
    assert.ok(!(await shown()).includes('staging'))
    const total = async (params: Partial<IssueListParams>) =>
      (await shop.queries.issueList(scope, { ...LIST, ...params })).total
    assert.deepEqual([await total({}), await total({ environments: ['staging'] })], [1, 1])
    assert.ok((await hide(false)).ok)
    assert.deepEqual(await completed('environment', 'st'), ['staging'])
  })

  it('offers the text of what no event has as a tag, and the person of an email', async () => {
    const offered = async (query: string) => {
      const { offers } = await shop.queries.issueList(scope, { ...LIST, query })
      return offers.map((one) => [one.as, one.query])
    }
    assert.deepEqual(await offered('redis:timeout is:unresolved'), [
      ['text', '"redis:timeout" is:unresolved'],
    ])
    assert.deepEqual(await offered('Unexpected "token'), [['text', '"Unexpected \\"token"']])
    assert.deepEqual(await offered('expected a == b, got !a (of 2)'), [
      ['text', '"expected a == b, got !a (of 2)"'],
    ])
    assert.deepEqual(await offered('{"code":42,"detail":"not (yet)"}'), [
      ['text', '"{\\"code\\":42,\\"detail\\":\\"not (yet)\\"}"'],
    ])
    assert.deepEqual(await offered('"nothing at all"'), [])
    assert.deepEqual(await offered('!redis:timeout'), [])
    assert.deepEqual(await offered('plan:gold'), [])
    assert.deepEqual(await offered(' Ann@Example.com '), [['email', 'user.email:Ann@Example.com']])
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
    for (const query of [
      ...['user:7', 'user.email:*@EXAMPLE.com', 'kind:*', 'total*function', 'level:error', '!boom'],
      ...['error.type:typeerror', 'platform:node', 'stack.function:*', 'timestamp:-1d', 'has:stack.filename'],
      ...[
        'level:warning OR (user:7 level:[error, fatal])',
        '!level:[warning, info] error.unhandled:[yes, no]',
      ],
    ]) {
      assert.deepEqual(await found(query), { total: all, problems: [] }, query)
    }
    assert.deepEqual(await found('user.email:7'), { total: 0, problems: [] })
    const cannot = (key: string) => `“${key}:” can’t be searched among events.`
    assert.deepEqual((await found('boom events:>1'))?.problems, [
      { message: cannot('events'), start: 5, end: 14 },
    ])
    assert.deepEqual((await found('a OR firstSeen:[-1d, -2d]'))?.problems.at(0), {
      ...{ message: cannot('firstSeen'), start: 5, end: 25 },
    })
    assert.deepEqual(
      (await found('boom OR'))?.problems.map(({ start, end }) => [start, end]),
      [[5, 7]],
    )
    for (const query of ['error.type:RangeError', '!total', 'timestamp:+1d', '!stack.function:*'])
      assert.deepEqual(await found(query), { total: 0, problems: [] }, query)
  })
})
