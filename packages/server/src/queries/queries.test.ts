import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { asking, FACTS, openShop, PASSWORD, type Shop, send, URL_HERE, unwrap } from '#testing/worlds/api.ts'
import type { IssueListParams } from './types.ts'

const HOUR_MS = 3_600_000
const RANGE = { startMs: NOW - 24 * HOUR_MS, endMs: NOW + HOUR_MS }
const LIST: IssueListParams = {
  query: '',
  projects: [],
  environments: [],
  range: RANGE,
  sort: 'date',
  limit: 25,
  cursor: null,
}
const DIGEST = '2741933020'

describe('the issue list of the screen', () => {
  let shop: Shop
  let scope: ReadScope
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    await send(shop, shop.dsn, anError())
    await send(
      shop,
      shop.dsn,
      anError({ exception: { values: [{ type: 'Other', value: 'x' }] }, environment: 'staging' }),
    )
    await send(shop, shop.dsn, anError({ event_id: 'c'.repeat(32) }))
    await send(shop, shop.dsn, anError({ event_id: 'c'.repeat(32) }))
  })
  after(() => shop.close())

  it('has tabs, menus, sums and what was not stored', async () => {
    const list = await shop.queries.issueList(scope, { ...LIST, tab: 'unresolved' })
    assert.equal(list.total, 2)
    assert.deepEqual(list.tabs, { review: 2, unresolved: 2, archived: 0, all: 2 })
    assert.equal(list.eventsInRange, 3)
    assert.equal(list.notStored, 1, 'the duplicate')
    assert.deepEqual([...list.environments].sort(), ['production', 'staging'])
    assert.deepEqual(
      list.projects.map(({ slug }) => slug),
      ['shop', 'vault'],
    )
    assert.ok(list.members.some(({ email }) => email === 'member@acme.test'))
  })

  it('takes a state of the search before the tab', async () => {
    unwrap(
      await shop.commands.run('resolveIssues', asking(await shop.people.owner.viewer(), scope), {
        selection: { refs: ['SHOP-2'] },
      }),
    )
    const list = await shop.queries.issueList(scope, { ...LIST, query: 'is:resolved', tab: 'unresolved' })
    assert.deepEqual(
      list.rows.map(({ shortId }) => shortId),
      ['SHOP-2'],
    )
    assert.deepEqual(list.tabs, { review: 1, unresolved: 1, archived: 0, all: 2 })
    assert.deepEqual(list.tokens, [{ key: 'is', value: 'resolved', negated: false }])
    assert.equal(list.namesState, true)
    const ofTab = await shop.queries.issueList(scope, { ...LIST, query: 'is:unassigned', tab: 'unresolved' })
    assert.equal(ofTab.namesState, false)
  })

  it('is empty and says why when it did not understand', async () => {
    const list = await shop.queries.issueList(scope, { ...LIST, query: 'is:lost' })
    assert.deepEqual([list.rows.length, list.total, list.problems.length], [0, 0, 1])
  })

  it('counts what searches find, and reads no event for it', async () => {
    const { query: _, ...place } = LIST
    const queries = ['', 'is:resolved', 'stack.function:none', 'is:lost']
    const totals = await shop.queries.searchTotals(scope, { queries, place })
    assert.deepEqual(totals, [(await shop.queries.issueList(scope, LIST)).total, 1, null, null])
  })
})

describe('one issue and its events', () => {
  let shop: Shop
  let scope: ReadScope
  const ids: string[] = []
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    for (const minutes of [90, 20, 5]) {
      ids.push(
        await send(
          shop,
          shop.dsn,
          anError({ timestamp: NOW / 1000 - minutes * 60, tags: { digest: DIGEST, nth: String(minutes) } }),
        ),
      )
    }
  })
  after(() => shop.close())

  it('tells how often it happens now', async () => {
    const view = await shop.queries.issue(scope, 'SHOP-1', { ...RANGE, stepMs: HOUR_MS })
    assert.deepEqual([view?.eventsLastDay, view?.eventsLastTenMinutes], [3, 1])
    assert.equal(
      view?.trend.counts.reduce((sum, count) => sum + count, 0),
      3,
    )
    assert.deepEqual(
      view?.digests.map(({ digest }) => digest),
      [DIGEST],
    )
    assert.deepEqual(view?.members.map(({ email }) => email).sort(), [
      'guest@acme.test',
      'manager@acme.test',
      'member@acme.test',
      'owner@acme.test',
      'viewer@acme.test',
    ])
    const vault = shop.vault.id
    await send(shop, shop.vaultDsn, anError())
    const closed = await shop.queries.issue(scope, 'VAULT-1', { ...RANGE, stepMs: HOUR_MS })
    assert.equal(closed?.project.id, vault)
    assert.deepEqual(
      closed?.members.map(({ email }) => email).sort(),
      ['manager@acme.test', 'owner@acme.test'],
      'whom it can be assigned to',
    )
  })

  it('has each event with payload, grouping, digests and neighbours', async () => {
    const [oldest = '', middle = '', newest = ''] = ids
    const view = await shop.queries.issueEvent(scope, 'SHOP-1', middle)
    assert.equal(view?.event.exception?.values[0]?.type, 'TypeError')
    assert.ok((view?.grouping.length ?? 0) > 0)
    assert.deepEqual(view?.digests, [DIGEST])
    assert.deepEqual(
      [view?.neighbours.previous, view?.neighbours.next, view?.neighbours.first, view?.neighbours.latest],
      [oldest, newest, oldest, newest],
    )
    assert.deepEqual([view?.neighbours.position, view?.neighbours.total], [2, 3])
    for (const [which, id] of [
      ['latest', newest],
      ['recommended', newest],
      ['oldest', oldest],
    ] as const) {
      assert.equal((await shop.queries.issueEvent(scope, 'SHOP-1', which))?.row.eventId, id)
    }
    assert.equal(await shop.queries.issueEvent(scope, 'SHOP-1', 'sideways'), null)
  })

  it('pages and filters the events', async () => {
    const { queries } = shop
    const first = await queries.issueEvents(scope, 'SHOP-1', { query: '', limit: 2, cursor: null })
    assert.deepEqual([first?.rows.length, first?.total], [2, 3])
    const rest = await queries.issueEvents(scope, 'SHOP-1', {
      query: '',
      limit: 2,
      cursor: first?.nextCursor ?? null,
    })
    assert.deepEqual([rest?.rows.map(({ eventId }) => eventId), rest?.nextCursor], [[ids[0]], null])
    const found = await queries.issueEvents(scope, 'SHOP-1', { query: 'nth:20', limit: 25, cursor: null })
    assert.deepEqual([found?.rows.map(({ eventId }) => eventId), found?.total], [[ids[1]], 1])
    const wrong = await queries.issueEvents(scope, 'SHOP-1', {
      query: 'is:unresolved',
      limit: 25,
      cursor: null,
    })
    assert.deepEqual([wrong?.rows.length, wrong?.problems.length], [0, 1])
  })
})

describe('digests and pasted text', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    await send(shop, shop.dsn, anError({ tags: { digest: DIGEST } }))
    await send(shop, shop.vaultDsn, anError({ tags: { digest: DIGEST }, release: 'vault@9' }))
  })
  after(() => shop.close())

  it('leads from the number to the exception behind it', async () => {
    const { answers } = await shop.queries.digestLookup(
      await shop.people.member.viewer(),
      `Digest: ${DIGEST}`,
    )
    const [answer] = answers
    assert.ok(answer?.seen)
    assert.deepEqual(
      answer.matches.map(({ issue, organisation }) => [issue.shortId, organisation]),
      [['SHOP-1', 'acme']],
    )
    assert.equal(answer.event?.event.exception?.values[0]?.type, 'TypeError')
    const owner = await shop.queries.digestLookup(await shop.people.owner.viewer(), DIGEST)
    assert.ok(owner.answers[0]?.seen)
    assert.equal(owner.answers[0].matches.length, 2, 'an owner reads the vault too')
  })

  it('says of an unknown number what is known, from real numbers', async () => {
    const { answers } = await shop.queries.digestLookup(await shop.people.owner.viewer(), '1357924680')
    const [answer] = answers
    assert.ok(answer !== undefined && !answer.seen)
    assert.ok(
      answer.hints.some(
        ({ project, text }) => project === 'shop' && /last sent an error \d+ min ago/.test(text),
      ),
      JSON.stringify(answer.hints),
    )
    const rival = await shop.queries.digestLookup(await shop.people.rival.viewer(), DIGEST)
    assert.ok(rival.answers[0] !== undefined && !rival.answers[0].seen)
    assert.deepEqual(
      rival.answers[0].hints.map(({ kind, organisation, project }) => [kind, organisation, project]),
      [['no_events', 'rival', 'shop']],
    )
  })

  it('says when the server is silent while browsers speak', async () => {
    shop.clock.advance(3 * 24 * HOUR_MS)
    await send(
      shop,
      shop.dsn,
      anError({
        timestamp: shop.clock.now() / 1000,
        platform: 'javascript',
        sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
        exception: { values: [{ type: 'InBrowser', value: 'x' }] },
        contexts: {},
      }),
    )
    const { answers } = await shop.queries.digestLookup((await fresh(shop)).viewer, '1357924680')
    const [answer] = answers
    assert.ok(answer !== undefined && !answer.seen)
    const hint = answer.hints.find(({ project }) => project === 'shop')
    assert.equal(hint?.kind, 'server_silent', JSON.stringify(answer.hints))
    assert.match(hint.text, /The server of shop last sent an error 3 d ago/)
  })

  it('knows where a pasted text leads', async () => {
    const { viewer } = await fresh(shop)
    const eventId = await send(shop, shop.dsn, anError({ timestamp: shop.clock.now() / 1000 }))
    const { queries } = shop
    assert.deepEqual(await queries.paste(viewer, ` ${eventId} `), [
      { kind: 'event', eventId, organisation: 'acme', shortId: 'SHOP-1' },
    ])
    const trace = 'cafe'.repeat(8)
    await send(shop, shop.dsn, anError({ contexts: { trace: { trace_id: trace, span_id: 'b'.repeat(16) } } }))
    assert.deepEqual(await queries.paste(viewer, trace), [
      { kind: 'trace', traceId: trace, organisation: 'acme' },
    ])
    assert.deepEqual(await queries.paste(await shop.people.rival.viewer(), trace), [])
    const [issue] = await queries.paste(viewer, 'shop-1')
    assert.deepEqual([issue?.kind, issue?.organisation], ['issue', 'acme'])
    const digests = await queries.paste(viewer, DIGEST)
    assert.deepEqual(digests.map((target) => target.kind === 'digest' && target.issue?.shortId).sort(), [
      'SHOP-1',
      'VAULT-1',
    ])
    assert.deepEqual(await queries.paste(viewer, '1357924680'), [
      { kind: 'digest', digest: '1357924680', issue: null, organisation: null },
    ])
    assert.deepEqual(await queries.paste(viewer, 'just words'), [])
    assert.deepEqual(await queries.paste(await shop.people.rival.viewer(), eventId), [])
  })
})

/** Signs in again: sessions end while tests move the clock. */
async function fresh(shop: Shop) {
  const { cookie } = unwrap(
    await shop.commands.signIn(FACTS, { email: 'owner@acme.test', password: PASSWORD }),
  )
  const viewer = await shop.access.authenticateSession(cookie, shop.clock.now())
  if (viewer === null) throw new Error('not signed in')
  return { viewer }
}

describe('outcomes', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    await send(shop, shop.dsn, anError({ event_id: 'd'.repeat(32) }))
    await send(shop, shop.dsn, anError({ event_id: 'd'.repeat(32) }))
  })
  after(() => shop.close())

  it('balance: what was sent is the sum of what became of it', async () => {
    const scope = await shop.people.owner.scope()
    const view = await shop.queries.outcomes(scope, { range: RANGE, project: null, key: null })
    const sum = view.groups.reduce((total, group) => total + group.total, 0)
    assert.equal(sum, 2)
    for (const group of view.groups) {
      assert.equal(group.series.length, view.buckets.length)
      assert.equal(
        group.series.reduce((total, count) => total + count, 0),
        group.total,
      )
    }
    assert.deepEqual(
      view.reasons.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
      [['invalid', 'duplicate', 1]],
    )
    assert.match(view.reasons[0]?.what ?? '', /already stored/)
    assert.equal(view.intervalMs % (15 * 60_000), 0)
    const other = await shop.queries.outcomes(scope, { range: RANGE, project: 'vault', key: null })
    assert.deepEqual(other.groups, [])
    const unknown = await shop.queries.outcomes(scope, { range: RANGE, project: 'nope', key: null })
    assert.deepEqual(unknown.groups, [])
  })

  it('tell a waiting project what has happened', async () => {
    const scope = await shop.people.owner.scope()
    const view = await shop.queries.firstEvent(scope, 'shop')
    assert.equal(view?.dsn, shop.dsn)
    assert.equal(view?.relayUrl, `${URL_HERE}/monitoring?o=acme&p=shop`)
    assert.equal(view?.accepted, 1)
    assert.deepEqual(view?.firstIssue, { shortId: 'SHOP-1', eventId: 'd'.repeat(32) })
    assert.equal(view?.latestEvent?.eventId, 'd'.repeat(32))
    assert.equal(view?.refused[0]?.quantity, 1)
    assert.deepEqual(view?.leftOut, [])
    const waiting = await shop.queries.firstEvent(scope, 'vault')
    assert.deepEqual([waiting?.accepted, waiting?.firstIssue, waiting?.serverSeenMs], [0, null, null])
  })

  it('and the system are shown to the operator alone', async () => {
    const operator = await shop.people.owner.viewer()
    const view = unwrap(await shop.queries.system(operator))
    assert.equal(view.perMinute.length, 60)
    assert.equal(
      view.perMinute.reduce((sum, { accepted }) => sum + accepted, 0),
      1,
    )
    assert.equal(view.stored.events, 1)
    for (const person of [shop.people.manager, shop.people.rival]) {
      const refused = await shop.queries.system(await person.viewer())
      assert.ok(!refused.ok && refused.code === 'forbidden')
      assert.equal(await shop.queries.quarantined(await person.viewer(), 1), null)
    }
    assert.equal(await shop.queries.quarantined(operator, -1), null)
    assert.equal(await shop.queries.quarantined(operator, 1), null)
  })
})

describe('an issue past its cap of payloads', () => {
  let shop: Shop
  let scope: ReadScope
  const ids: string[] = []
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    const project = (await shop.queries.project(scope, 'shop')) ?? assert.fail('no project')
    const options = { ...project.options, payloadsPerIssueHour: 2 }
    const owner = await shop.people.owner.viewer()
    const change = { project: project.id, change: { options } }
    unwrap(await shop.commands.run('updateProject', asking(owner, scope), change))
    for (let number = 1; number <= 40; number++) {
      const more = {
        timestamp: NOW / 1000 - 100 + number,
        tags: { number: `${number}` },
        user: { id: `u${number}` },
      }
      ids.push(await send(shop, shop.dsn, anError({ ...more, environment: `env-${number}` })))
    }
  })
  after(() => shop.close())

  it('recommends its newest event with a payload, and answers every other from its row', async () => {
    const view = await shop.queries.issue(scope, 'SHOP-1', { ...RANGE, stepMs: HOUR_MS })
    const { eventCount = 0, payloadCount = 0 } = view?.issue ?? {}
    const views = await Promise.all(ids.map((id) => shop.queries.event(scope, 'shop', id)))
    const full = views.filter((each) => each?.payload === 'kept')
    assert.deepEqual([eventCount, payloadCount], [40, full.length])
    assert.ok(payloadCount >= 2 && payloadCount < 20)
    const recommended = await shop.queries.issueEvent(scope, 'SHOP-1', 'recommended')
    assert.equal(recommended?.row.eventId, full.at(-1)?.row.eventId)
    const latest = await shop.queries.issueEvent(scope, 'SHOP-1', 'latest')
    assert.equal(latest?.row.eventId, ids.at(-1))
    const bare = views.find((each) => each?.payload === 'not_kept')
    assert.ok(bare)
    assert.equal(bare.event.exception, undefined)
    assert.deepEqual(bare.event.user?.id, bare.row.user?.replace('id:', ''))
    assert.deepEqual(
      bare.problems.map(({ rule }) => rule),
      ['missing'],
    )
    assert.deepEqual(bare.grouping, [], 'what an event said is told by the event')
    const { number } = Object.fromEntries(bare.row.tags)
    const list = await shop.queries.issueEvents(scope, 'SHOP-1', {
      query: `number:${number}`,
      limit: 9,
      cursor: null,
    })
    assert.deepEqual(
      list?.rows.map(({ eventId }) => eventId),
      [bare.row.eventId],
    )
  })
})
