import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { asking, openShop, type Shop, sendEnvelope, unwrap } from '#testing/worlds/api.ts'

const OLD = 'shop@1.0.0'
const NEW = 'shop@1.1.0'
const ROUTE = '/orders/[id]'

describe('what got slower with a release', () => {
  let shop: Shop
  let traces = 0

  const requests = async (
    count: number,
    of: { at: number; ms: number; release: string; route?: string; answer?: number },
  ) => {
    const { route = ROUTE, answer = 200 } = of
    const spans = Array.from({ length: count }, () =>
      aSpan({
        ...{ trace: (++traces).toString(16).padStart(32, 'e'), id: 'a', segment: 'a', isSegment: true },
        ...{ at: of.at, ms: of.ms },
        attributes: {
          ...{ 'sentry.segment.name': `GET ${route}`, 'sentry.release': of.release, 'next.rsc': false },
          ...{ 'http.route': route, 'http.request.method': 'GET', 'http.response.status_code': answer },
        },
      }),
    )
    await sendEnvelope(shop, shop.dsn, spanEnvelope(spans))
  }

  before(async () => {
    shop = await openShop()
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const put = async (version: string, atMs: number, commits: readonly object[] = []) => {
      const body = { dateReleased: new Date(atMs).toISOString(), commits }
      unwrap(await shop.commands.run('createRelease', owner, { version, projects: ['shop'], body }))
    }
    await put(OLD, NOW - 60 * HOUR)
    await put(NEW, NOW - 5 * HOUR, [
      { id: 'c2', message: 'Bump ui', patch_set: [{ path: 'package.json', type: 'M' }] },
      { id: 'c1', message: 'Show totals', patch_set: [{ path: 'app/orders/[id]/page.tsx', type: 'M' }] },
    ])
    await requests(40, { at: -2 * HOUR, ms: 400, release: NEW })
    await requests(40, { at: -59 * HOUR, ms: 100, release: OLD })
    // Enough of the newer release alone.
    await requests(35, { at: -2 * HOUR, ms: 100, release: NEW, route: '/cart', answer: 500 })
    await requests(3, { at: -59 * HOUR, ms: 100, release: OLD, route: '/cart' })
    await requests(4, { at: -2 * HOUR, ms: 100, release: NEW, route: '/rare', answer: 500 })
    // Beyond the age that the newer one has: not compared.
    await requests(200, { at: -30 * HOUR, ms: 900, release: OLD })
  })
  after(() => shop.close())

  const slower = async (version: string) =>
    shop.queries.slowerRoutes(await shop.people.owner.scope(), { version })
  const atAge = async (version: string) => shop.queries.releaseAtAge(await shop.people.owner.scope(), version)

  it('is compared with the release before when it was as old, and names the commit that touched the route', async () => {
    const found = await slower(NEW)
    assert.deepEqual([found?.before, found?.ageMs, found?.compared.kinds], [OLD, 5 * HOUR, 1])
    const [route] = found?.routes ?? []
    assert.deepEqual([route?.route, route?.kind, route?.what], [ROUTE, 'document', 'slower'])
    assert.ok((route?.was.p75Ms ?? 0) < 110 && (route?.now.p75Ms ?? 0) > 390)
    assert.deepEqual([route?.likely?.commit.id, route?.likely?.path], ['c1', 'app/orders/[id]/page.tsx'])
  })

  it('is counted the same where nobody asks which routes it is', async () => {
    const found = await slower(NEW)
    assert.deepEqual(await atAge(NEW), {
      ...{ ageMs: found?.ageMs, before: found?.before, own: found?.own, ofBefore: found?.ofBefore },
      worse: 1,
    })
    assert.equal(found?.routes.length, 1)
    assert.equal(await atAge(OLD), null, 'there is none before it')
    assert.equal(await atAge('shop@9.9.9'), null)
  })

  it('is told apart from what fails with too few requests before to compare', async () => {
    const found = await slower(NEW)
    const shares = [found?.compared, found?.tooFew].map((sums) => [sums?.kinds, sums?.now, sums?.was])
    assert.deepEqual(shares, [
      [1, { count: 40, failed: 0 }, { count: 40, failed: 0 }],
      [2, { count: 39, failed: 39 }, { count: 3, failed: 0 }],
    ])
    assert.deepEqual(
      found?.failing.map(({ route, now, was }) => [route, now.failed, was?.count]),
      [['/cart', 35, 3]],
    )
    assert.deepEqual(
      [found?.own, found?.ofBefore],
      [
        { count: 79, failed: 39 },
        { count: 43, failed: 0 },
      ],
    )
  })

  it('is nothing for the first release, and for none', async () => {
    assert.deepEqual((await slower(OLD))?.before, null)
    assert.equal(await slower('shop@9.9.9'), null)
  })

  it('stands beside issues at the same age', async () => {
    const scope = await shop.people.owner.scope()
    const head = await shop.queries.releaseHead(scope, NEW)
    assert.deepEqual(
      [head?.before?.version, head?.after, head?.atAge.ageMs, head?.atAge.before],
      [OLD, null, 5 * HOUR, { begun: 0, regressed: 0 }],
    )
    assert.equal((await shop.queries.releaseHead(scope, OLD))?.atAge.ageMs, 60 * HOUR)
  })
})
