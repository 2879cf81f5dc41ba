import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

const named = (type: string, change: Readonly<Record<string, unknown>> = {}) =>
  anError({
    exception: {
      values: [{ type, value: 'boom', mechanism: { type: 'generic', handled: type !== 'Unhandled' } }],
    },
    ...change,
  })

describe('searching issues over the web API', () => {
  let shop: Shop
  let titles: (query: string, rest?: string) => Promise<readonly string[]>

  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    titles = async (query, rest = '') => {
      const answer = await call(
        shop.token,
        `GET /organizations/acme/issues/?query=${encodeURIComponent(query)}${rest}`,
      )
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return (answer.body as readonly { title: string }[])
        .map(({ title }) => title.replace(': boom', ''))
        .sort()
    }
    await send(
      shop,
      shop.dsn,
      named('Alpha', {
        environment: 'production',
        tags: { plan: 'gold', city: 'São Paulo', platform: 'console' },
        user: { id: 42, email: 'Ann@Example.com' },
      }),
    )
    await send(
      shop,
      shop.dsn,
      named('Beta', { environment: 'staging', level: 'warning', release: 'shop@2.0.0', platform: 'python' }),
    )
    await send(
      shop,
      shop.dsn,
      named('Unhandled', { environment: 'preview', user: { email: 'eve@example.com' } }),
    )
    await send(shop, shop.vaultDsn, named('Vaulted', { tags: { plan: 'free' } }))
    // More values of one key than facets keep apart.
    for (let n = 0; n < 205; n++)
      await send(shop, shop.dsn, named('Many', { tags: { order: `o-${n}` }, environment: 'dev' }))
    const member = await call(shop.token, 'PUT /organizations/acme/issues/SHOP-1/', {
      assignedTo: 'member@acme.test',
    })
    assert.equal(member.status, 200, JSON.stringify(member.body))
    assert.equal(
      (await call(shop.token, 'PUT /organizations/acme/issues/SHOP-2/', { status: 'resolved' })).status,
      200,
    )
  })
  after(() => shop.close())

  const ALL = ['Alpha', 'Beta', 'Many', 'Unhandled', 'Vaulted']
  const table: readonly [query: string, expected: readonly string[]][] = [
    ['', ALL],
    ['is:unresolved', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['is:resolved', ['Beta']],
    ['!is:resolved', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['is:archived', []],
    ['is:new', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['is:for_review', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['is:unresolved !is:new', []],
    ['is:assigned', ['Alpha']],
    ['is:unassigned', ['Beta', 'Many', 'Unhandled', 'Vaulted']],
    ['assigned:member@acme.test', ['Alpha']],
    ['!assigned:member@acme.test', ['Beta', 'Many', 'Unhandled', 'Vaulted']],
    ['assigned:none', ['Beta', 'Many', 'Unhandled', 'Vaulted']],
    ['is:unhandled', ['Unhandled']],
    ['is:linked', []],
    ['!is:linked', ALL],
    ['is:unlinked', ALL],
    ['!is:unlinked', []],
    ['level:warning', ['Beta']],
    ['!level:warning', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['level:warning level:error', ALL],
    ['project:vault', ['Vaulted']],
    ['!project:vault', ['Alpha', 'Beta', 'Many', 'Unhandled']],
    ['environment:staging', ['Beta']],
    ['release:shop@2.0.0', ['Beta']],
    ['release:shop@*', ALL],
    ['!release:shop@2.0.0', ['Alpha', 'Many', 'Unhandled', 'Vaulted']],
    ['plan:gold', ['Alpha', 'Beta', 'Unhandled']],
    ['city:"São Paulo"', ['Alpha']],
    ['has:city', ['Alpha']],
    ['!has:city', ['Beta', 'Many', 'Unhandled', 'Vaulted']],
    ['nosuchkey:x', []],
    ['order:o-204', ['Many']],
    ['order:o-0', ['Many']],
    ['order:nope', []],
    ['user.email:eve@example.com', ['Unhandled']],
    ['user:ann@example.com', ['Alpha']],
    ['user:42', ['Alpha']],
    ['user:id:42', ['Alpha']],
    ['user.id:42', ['Alpha']],
    ['user.email:ann@example.com', ['Alpha']],
    ['user.email:*n*@example.com', ['Alpha']],
    ['user.id:ann@example.com', []],
    ['has:user.email', ALL],
    ['!has:user.id', ['Unhandled']],
    ['!has:user', []],
    ['error.type:beta', ['Beta']],
    ['error.type:*a', ['Alpha', 'Beta']],
    ['!error.type:*a error.value:boom', ['Many', 'Unhandled', 'Vaulted']],
    ['platform:python', ['Beta']],
    ['tags[platform]:console', ['Alpha']],
    ['firstRelease:shop@2.0.0', ['Beta']],
    ['first_release:*@2*', ['Beta']],
    ['has:firstRelease', ALL],
    ['events:>100', ['Many']],
    ['times_seen:>=150', ['Many']],
    ['!events:>1', ['Alpha', 'Beta', 'Unhandled', 'Vaulted']],
    ['users:>1', []],
    ['request_kind:route-handler', ALL],
    ['category:server', ALL],
    ['errata.category:skew', []],
    ['!kind:route*', []],
    ['kind:browser', []],
    ['environment:*e*v*', ['Many', 'Unhandled']],
    ['plan:*ree', ['Vaulted']],
    ['order:*-204', ['Many']],
    ['b*boom', ['Beta']],
    ['shop-2', ['Beta']],
    ['alph', ['Alpha']],
    ['!alpha', ['Beta', 'Many', 'Unhandled', 'Vaulted']],
    ['"Beta: boom"', ['Beta']],
    ['Beta: boom', ['Beta']],
    ["' or 1=1 --", []],
    ['%', []],
  ]
  for (const [query, expected] of table) {
    it(`answers ${JSON.stringify(query)}`, async () => {
      assert.deepEqual(await titles(query), expected)
    })
  }

  it('takes several environments as any of them', async () => {
    assert.deepEqual(await titles('', '&environment=staging'), ['Beta'])
    assert.deepEqual(await titles('', '&environment=staging&environment=preview'), ['Beta', 'Unhandled'])
    assert.deepEqual(await titles('', '&environment=staging&environment=nowhere'), ['Beta'])
  })

  it('takes projects by slug and id, and -1 as all', async () => {
    assert.deepEqual(await titles('', '&project=vault'), ['Vaulted'])
    assert.deepEqual(await titles('', `&project=${shop.vault.id}&project=shop`), ALL)
    assert.deepEqual(await titles('', '&project=-1'), ALL)
  })

  it('assigned:me is whoever asks', async () => {
    const call = callerOf(shop)
    const path = 'GET /organizations/acme/issues/?query=assigned:me'
    const mine = await call(shop.people.member, path)
    assert.equal((mine.body as readonly unknown[]).length, 1)
    assert.equal((await call(shop.people.owner, path)).status, 200)
    const ofTeams = path.replace(':me', ':my_teams')
    assert.deepEqual((await call(shop.people.member, ofTeams)).body, [])
    const team = (await shop.queries.teams(await shop.people.member.scope())).at(0)
    assert.ok(team !== undefined)
    const beta = `PUT /organizations/acme/issues/?query=error.type:Beta`
    assert.equal((await call(shop.people.owner, beta, { assignedTo: `#${team.slug}` })).status, 200)
    assert.equal(((await call(shop.people.member, ofTeams)).body as readonly unknown[]).length, 1)
    assert.equal((await call(shop.people.owner, beta, { assignedTo: '' })).status, 200)
    const token = await call(shop.token, path)
    assert.equal(token.status, 400)
    assert.match((token.body as { detail: string }).detail, /needs a person/)
  })

  it('takes alternatives, lists and what the events alone know, inside of alternatives too', async () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['error.type:Alpha OR error.type:Vaulted', ['Alpha', 'Vaulted']],
      ['environment:[staging, preview]', ['Beta', 'Unhandled']],
      ['!environment:[staging, preview, dev] !is:resolved', ['Alpha', 'Vaulted']],
      ['user.email:ann@example.com OR level:warning', ['Alpha', 'Beta']],
      ['(user.email:eve@* OR tags[order]:o-7) !error.type:Alpha', ['Many', 'Unhandled']],
      ['user.email:nobody@example.com OR platform:python', ['Beta']],
      ['!is:new error.type:[Alpha, Beta]', ['Beta']],
      ['stack.function:nothing OR issue:[SHOP-1, VAULT-1]', ['Alpha', 'Vaulted']],
      ['error.unhandled:true', ['Unhandled']],
      ['error.handled:1 error.mechanism:gen* plan:gold', ['Alpha', 'Beta']],
      ['assigned:[none, member@acme.test] plan:gold', ['Alpha', 'Beta', 'Unhandled']],
      ['assigned_or_suggested:none is:unresolved !environment:dev', ['Unhandled', 'Vaulted']],
      ['firstSeen:-1h !error.type:Many', ['Alpha', 'Beta', 'Unhandled', 'Vaulted']],
      ['age:>1h', []],
      ['firstSeen:<-7d OR times_seen:>100', ['Many']],
      ['timestamp:+1h', []],
      ['(timestamp:-1h level:warning)', ['Beta']],
    ]
    for (const [query, expected] of cases) {
      assert.deepEqual(await titles(query), expected, query)
    }
  })

  it('says in words what it did not understand, as 400 with a code', async () => {
    for (const query of [
      '"open',
      'is:lost',
      'firstSeen:yesterday',
      'release:',
      'project:nope',
      'assigned:nobody@x.y',
      'assigned:#nobody',
      '(is:new OR project:nope)',
      '!issue:SHOP-1',
    ]) {
      const answer = await callerOf(shop)(
        shop.token,
        `GET /organizations/acme/issues/?query=${encodeURIComponent(query)}`,
      )
      assert.equal(answer.status, 400, query)
      const { code, detail } = answer.body as { code: string; detail: string }
      assert.equal(code, 'query_invalid', query)
      assert.ok(detail.length > 10)
    }
  })

  it('no query text ever answers 5xx', async () => {
    const call = callerOf(shop)
    const piece = fc.constantFrom(
      '"',
      '*',
      '%',
      '_',
      "'",
      ':',
      '!',
      '(',
      ')',
      'AND',
      'NEAR',
      '^',
      '-',
      '\u0000',
      '\ud83d',
      'is:new',
      'plan:',
      'has:',
      'a',
      '1234567',
      'Digest: ',
      '@E1',
      'tags[',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (typed) => {
        // What a URL can carry: a lone surrogate cannot be encoded.
        const query = encodeURIComponent(typed.toWellFormed())
        for (const path of ['/organizations/acme/issues/', '/organizations/acme/issues/SHOP-1/events/']) {
          const { status } = await call(shop.token, `GET ${path}?query=${query}`)
          assert.ok(status === 200 || status === 400, `${status} for ${JSON.stringify(typed)}`)
        }
      }),
      { numRuns: 150 },
    )
  })
})
