/** Contract of mirrors: both halves of a failure are one issue, in whichever order and projects they come. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import { anActor } from '../../builders/actor.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { scopeForTest } from '../../builders/scope.ts'
import type { EventShape } from '../../builders/stored-event.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

const TRACE = 'a'.repeat(32)
const WAIT = max('mirrorWaitMs')

export function mirrorsContract(open: ControlFactory): void {
  describe('mirrors', () => {
    const { stores, world, clock, reopen, send } = openForEachTest(open)

    type Sent = Partial<EventShape>
    const server = (change: Sent = {}): Sent => ({
      ...{ group: 'server', requestKind: 'document', route: '/orders/[id]', handled: false, traceId: TRACE },
      ...change,
    })
    const mirror = (change: Sent = {}): Sent => ({
      ...{ projectId: world.blog, group: 'mirror', isMirror: true, requestKind: 'browser', handled: false },
      ...{ route: '/orders/:id', traceId: null, user: 'id:browser' },
      ...change,
    })
    const list = async (scope = world.scope) => {
      const range = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
      return (await stores.read.list(scope, aFilter(range), { sort: 'new', limit: 100, cursor: null })).rows
    }
    const issueOf = async (group: string, project = world.blog) => {
      const issue = await stores.read.issueOfGroup(world.scope, project, aHash(group))
      assert.ok(issue, `no issue of ${group}`)
      return issue
    }
    const halvesOf = async (group = 'server', scope = world.scope) => {
      const issue = await issueOf(group, world.shop)
      const halves = (await stores.read.mirrorsOf(scope, issue.id)).folded
      assert.ok(halves)
      return halves
    }
    /** Once a store: a reader that has looked through its text index does not see it grow. */
    const soundStore = async () => assert.deepEqual(await stores.read.contradictions(10), [])

    const matches = [
      { by: 'digest', own: { digests: ['77'] }, confidence: 'high', distanceMs: null },
      { by: 'trace', own: { traceId: TRACE }, confidence: 'high', distanceMs: 0 },
      { by: 'route', own: {}, confidence: 'high', distanceMs: 0 },
    ] as const
    for (const { by, own, confidence, distanceMs } of matches) {
      for (const isServerFirst of [true, false]) {
        const order = isServerFirst ? 'after the server’s half' : 'before the server’s half'
        it(`fold by ${by}, ${order}, across projects, minutes apart`, async () => {
          const halves = [server({ digests: ['77'], user: 'id:server' }), mirror(own)]
          for (const half of isServerFirst ? halves : halves.reverse()) {
            await send(half)
            clock.advance(5 * 60_000)
          }
          const [issue, ...others] = await list()
          assert.equal(others.length, 0)
          assert.deepEqual(
            [issue?.projectId, issue?.title, issue?.eventCount, issue?.mirrorCount, issue?.users.count],
            [world.shop, 'Error: server', 2, 1, 2],
          )
          assert.deepEqual([issue?.route, issue?.kinds], ['/orders/[id]', [{ kind: 'document', count: 1 }]])
          const folded = await halvesOf()
          assert.deepEqual(
            folded.halves.map((half) => [half.projectSlug, half.match, half.confidence, half.distanceMs]),
            [['blog', by, confidence, distanceMs]],
          )
          assert.deepEqual([folded.total, folded.events, folded.eventsElsewhere], [1, 1, 0])
          assert.equal((await issueOf('mirror')).id, issue?.id)
          await soundStore()
        })
      }
    }

    it('wait without being an issue, and stand alone when their time is over, once', async () => {
      const applied = await send(mirror({ digests: ['77'] }))
      assert.equal(applied.newIssues, 0)
      assert.deepEqual(await list(), [])
      const counts = await stores.read.countByStatus(world.scope, aFilter({ startMs: 0, endMs: NOW + DAY }))
      assert.equal(counts.all, 0)
      assert.deepEqual(await stores.read.countByProject(world.scope), [])
      const waiting = await issueOf('mirror')
      assert.deepEqual([waiting.substatus, waiting.shortId], ['waiting', String(waiting.id)])
      assert.equal((await stores.read.digests(world.scope, [digest('77')]))[0]?.issueId, waiting.id)
      const lone = (await stores.read.mirrorsOf(world.scope, waiting.id)).lone
      assert.deepEqual(lone, { waitsUntilMs: NOW + WAIT, missing: 'silent', keptApart: null })
      assert.equal(await stores.write.nextJobMs([MIRRORS_JOB]), NOW + WAIT)
      assert.deepEqual(await stores.write.standAlone(NOW + WAIT - 1), { issues: 0, nextMs: NOW + WAIT })
      assert.deepEqual(await stores.write.standAlone(NOW + WAIT), { issues: 1, nextMs: null })
      assert.deepEqual(await stores.write.standAlone(NOW + WAIT), { issues: 0, nextMs: null })
      const [issue] = await list()
      assert.deepEqual(
        [issue?.id, issue?.shortId, issue?.substatus, issue?.eventCount],
        [waiting.id, 'BLOG-1', 'new', 1],
      )
      assert.equal((await stores.read.mirrorsOf(world.scope, waiting.id)).lone?.waitsUntilMs, null)
    })

    it('say what is missing', async () => {
      await send(
        server({ traceId: 'b'.repeat(32), route: '/elsewhere' }),
        mirror({ group: 'with digest', digests: ['5'] }),
        mirror({ group: 'with trace', traceId: TRACE }),
        mirror({ group: 'with nothing', route: null }),
        mirror({ group: 'of a router', traceId: TRACE, facts: { value: 'Unexpected Server Error' } }),
      )
      const missing = async (group: string) =>
        (await stores.read.mirrorsOf(world.scope, (await issueOf(group)).id)).lone?.missing
      assert.deepEqual(
        [await missing('with digest'), await missing('with trace'), await missing('with nothing')],
        ['digest_unseen', 'trace_unseen', 'unnamed'],
      )
      assert.equal(await missing('of a router'), 'maybe_deferred')
      assert.equal(
        (await stores.read.mirrorsOf(world.scope, (await issueOf('server', world.shop)).id)).lone,
        null,
        'the server’s own is no mirror',
      )
    })

    it('are changed by nobody while they wait', async () => {
      await send(mirror())
      const { id } = await issueOf('mirror')
      const change = { orgId: world.org, projects: world.scope.projects, ids: [id] }
      assert.deepEqual(value(await stores.write.resolve(change, anActor())), [])
      assert.equal((await issueOf('mirror')).substatus, 'waiting')
    })

    it('that stand alone are folded when the server’s half comes at last, comments and links too', async () => {
      await send(mirror({ digests: ['77'] }))
      await stores.write.standAlone(NOW + WAIT)
      const alone = await issueOf('mirror')
      const change = { orgId: world.org, projects: world.scope.projects, ids: [alone.id] }
      value(await stores.write.comment(change, { text: 'What is this?', mentions: [] }, anActor()))
      clock.advance(3 * WAIT)
      await send(server({ digests: ['77'] }))
      const [issue, ...others] = await list()
      assert.equal(others.length, 0)
      assert.deepEqual([issue?.projectId, issue?.commentCount], [world.shop, 1])
      assert.equal((await stores.read.issue(world.scope, alone.shortId))?.id, issue?.id)
      await soundStore()
    })

    it('without a digest that stand alone are one issue of what they say, not one a request', async () => {
      for (const n of ['1', '2', '3'])
        await send(mirror({ group: `mirror ${n}`, traceId: n.repeat(32), title: 'Unexpected Server Error' }))
      assert.deepEqual(await stores.write.standAlone(NOW + WAIT), { issues: 1, nextMs: null })
      const [issue, ...others] = await list()
      assert.deepEqual([issue?.eventCount, others.length], [3, 0])
      await send(server({ traceId: '2'.repeat(32) }))
      assert.deepEqual(
        (await list()).map(({ projectId, eventCount }) => [projectId, eventCount]).sort(),
        [
          [world.shop, 2],
          [world.blog, 2],
        ].sort(),
        'one of them was of this failure',
      )
      await soundStore()
    })

    it('are not folded where several failures of their route fit, nor where it is too long ago', async () => {
      const far = max('mirrorRouteWindowMs') + 1
      await send(mirror(), server({ group: 'long ago', timestampMs: NOW - far }))
      assert.equal((await list()).length, 1)
      await send(server({ group: 'near', timestampMs: NOW - 12_000 }))
      const [half] = (await halvesOf('near')).halves
      assert.deepEqual([half?.match, half?.confidence, half?.distanceMs], ['route', 'medium', 12_000])
      await send(server({ group: 'nearer', timestampMs: NOW - 30_000, traceId: 'c'.repeat(32) }))
      assert.deepEqual((await halvesOf('near')).total, 0, 'nothing tells which of the two it was')
      assert.equal((await issueOf('mirror')).projectId, world.blog)
      await soundStore()
    })

    it('of a trace go to the failure of their route, and never to one of a handler elsewhere', async () => {
      await send(
        mirror({ traceId: TRACE }),
        server({ group: 'api', requestKind: 'route-handler', route: '/api/cart' }),
      )
      assert.equal((await issueOf('mirror')).substatus, 'waiting')
      await send(server({ group: 'layout', route: '/' }), server({ group: 'page' }))
      assert.equal((await issueOf('mirror')).id, (await issueOf('page', world.shop)).id)
      assert.equal((await halvesOf('page')).halves[0]?.confidence, 'medium')
    })

    it('of a request of the page go to what answered it, never to the page itself', async () => {
      const failed = { traceId: TRACE, title: 'Error: HTTP Client Error with status code: 500' }
      await send(mirror(failed), server())
      assert.equal((await issueOf('mirror')).substatus, 'waiting')
      await send(server({ group: 'loader', requestKind: 'page-data', route: '/elsewhere' }))
      assert.equal((await issueOf('mirror')).id, (await issueOf('loader', world.shop)).id)
      await soundStore()
    })

    it('never cross organisations', async () => {
      await send(server({ digests: ['77'] }), mirror({ projectId: world.otherShop, digests: ['77'] }))
      assert.equal((await list()).length, 1)
      assert.equal((await list())[0]?.eventCount, 1)
      const foreign = await stores.read.issueOfGroup(world.otherScope, world.otherShop, aHash('mirror'))
      assert.equal(foreign?.substatus, 'waiting')
    })

    it('are counted for who may not read their project, and nothing else of them is told', async () => {
      await send(server({ digests: ['77'] }), mirror({ digests: ['77'], tags: { secret: 'of the blog' } }))
      const [issue] = await list(world.shopScope)
      assert.ok(issue)
      assert.deepEqual([issue.eventCount, issue.mirrorCount], [2, 1])
      const halves = (await stores.read.mirrorsOf(world.shopScope, issue.id)).folded
      assert.deepEqual(halves, { halves: [], total: 0, events: 0, eventsElsewhere: 1 })
      const groups = await stores.read.groups(world.shopScope, issue.id)
      assert.deepEqual(
        groups.map(({ projectId }) => projectId),
        [world.shop],
      )
      const tags = await stores.read.tags(world.shopScope, issue.id, 10)
      assert.ok(!JSON.stringify(tags).includes('of the blog'))
      const asked = aFilter({
        ...{ startMs: 0, endMs: NOW + DAY },
        tags: [{ key: 'secret', value: 'of the blog', negated: false }],
      })
      const page = { sort: 'date', limit: 10, cursor: null } as const
      assert.equal((await stores.read.list(world.shopScope, asked, page)).total, 0)
      assert.equal((await stores.read.list(world.scope, asked, page)).total, 1)
      const blog = scopeForTest({ orgId: world.org, projects: [world.blog] })
      assert.equal(await stores.read.issue(blog, String(issue.id)), null)
      assert.equal((await stores.read.mirrorsOf(blog, issue.id)).folded, null)
      assert.equal(await stores.read.issueOfGroup(blog, world.blog, aHash('mirror')), null)
    })

    it('are kept apart when a person says so, for good', async () => {
      await send(server({ digests: ['77'] }), mirror({ digests: ['77'] }))
      const { id, shortId } = await issueOf('server', world.shop)
      const change = { orgId: world.org, id, groups: null }
      const blind = await stores.write.keepApart({ ...change, projects: [world.shop] }, anActor())
      assert.equal(refusal(blind), 'not_found')
      const [own] = value(
        await stores.write.keepApart({ ...change, projects: world.scope.projects }, anActor(NOW + 1)),
      )
      await send(mirror({ digests: ['77'] }), server({ digests: ['77'] }))
      const apart = await issueOf('mirror')
      assert.deepEqual(
        [apart.id, apart.projectId, apart.eventCount, apart.users.count],
        [own, world.blog, 2, 1],
      )
      assert.deepEqual([apart.title, apart.shortId], ['Error: mirror', 'BLOG-1'])
      const left = await issueOf('server', world.shop)
      assert.deepEqual([left.eventCount, left.mirrorCount], [2, 0])
      const lone = (await stores.read.mirrorsOf(world.scope, apart.id)).lone
      assert.deepEqual([lone?.missing, lone?.keptApart?.atMs], ['kept_apart', NOW + 1])
      for (const [issue, other] of [
        [apart, shortId],
        [left, apart.shortId],
      ] as const) {
        const [newest] = await stores.read.activity(world.scope, issue.id, 1)
        assert.deepEqual([newest?.kind, newest?.detail.issue], ['kept_apart', other])
      }
      await soundStore()
    })

    it('stand alone when the server’s project is deleted, and go with their own', async () => {
      await send(server({ digests: ['77'] }), mirror({ digests: ['77'] }))
      await send(
        server({ group: 'other', projectId: world.blog, digests: ['88'], traceId: null, route: null }),
        mirror({ group: 'of other', projectId: world.shop, digests: ['88'] }),
      )
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      await soundStore()
      const issues = await list()
      assert.deepEqual(
        issues.map(({ title, eventCount, mirrorCount }) => [title, eventCount, mirrorCount]).sort(),
        [
          ['Error: mirror', 1, 1],
          ['Error: other', 1, 0],
        ],
      )
    })

    it('go with an issue that is deleted, except where its deleter may not read them', async () => {
      await send(server({ digests: ['77'] }), mirror({ digests: ['77'] }))
      const { id } = await issueOf('server', world.shop)
      const change = { orgId: world.org, projects: [world.shop], ids: [id] }
      value(await stores.write.deleteIssues(change, anActor()))
      assert.deepEqual(
        (await list()).map(({ title }) => title),
        ['Error: mirror'],
      )
      await soundStore()
    })

    it('never name an issue, and bring back one that was resolved', async () => {
      await send(server({ digests: ['77'] }), mirror({ digests: ['77'] }))
      const { id } = await issueOf('server', world.shop)
      const change = { orgId: world.org, projects: world.scope.projects, ids: [id] }
      value(await stores.write.resolve(change, anActor(NOW + 1)))
      const applied = await send(mirror({ digests: ['77'], timestampMs: NOW + 2 }))
      assert.equal(applied.regressedIssues, 1)
      const issue = await issueOf('server', world.shop)
      assert.deepEqual(
        [issue.title, issue.substatus, issue.lastSeenMs],
        ['Error: server', 'regressed', NOW + 2],
      )
    })

    it('end in the same issues and counts in every order and every cut of batches', async () => {
      const events = [
        server({ digests: ['1'], user: 'id:1' }),
        server({ group: 'second', digests: ['2'], traceId: 'd'.repeat(32), route: '/cart', user: 'id:2' }),
        server({ group: 'second', digests: ['3'], traceId: 'e'.repeat(32), route: '/cart' }),
        mirror({ group: 'by digest', digests: ['1'], user: 'id:3' }),
        mirror({ group: 'by digest', digests: ['1'], user: 'id:4' }),
        mirror({ group: 'by another', digests: ['3'] }),
        mirror({ group: 'by trace', traceId: 'd'.repeat(32), user: 'id:5' }),
        mirror({ group: 'by route', route: '/cart', user: 'id:6' }),
        mirror({ group: 'lost', traceId: 'f'.repeat(32), route: '/lost' }),
      ]
      const outcomes = new Set<string>()
      for (let seed = 1; seed <= 12; seed++) {
        await reopen()
        let state = seed
        const random = (below: number) => {
          state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
          return (state >>> 8) % below
        }
        const left = [...events]
        while (left.length > 0) {
          const batch = Array.from({ length: Math.min(left.length, 1 + random(4)) }, () =>
            left.splice(random(left.length), 1),
          ).flat()
          await send(...batch)
          if (random(5) === 0) await stores.write.standAlone(NOW + WAIT)
        }
        await stores.write.standAlone(NOW + WAIT)
        const issues = (await list()).map((issue) =>
          [issue.title, issue.eventCount, issue.mirrorCount, issue.users.count, issue.route].join(' '),
        )
        outcomes.add(JSON.stringify(issues.sort()))
        await soundStore()
      }
      assert.deepEqual(
        [...outcomes].map((one) => JSON.parse(one)),
        [['Error: lost 1 1 1 /lost', 'Error: second 5 3 4 /cart', 'Error: server 3 2 3 /orders/[id]']],
      )
    })
  })
}
