/** Contract of deploy skew: each stale click counts once, whoever tells of it and in whatever order. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { GroupHash } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { StaleClickSeen, StaleSum } from '#ports/skew.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch, aRequestsBatch } from '../../builders/control-batch.ts'
import { aHash, anEventId } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { aStaleClick, aStaleRequest, NEW, OLD } from '../../builders/stale-click.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

const SKEW = { title: 'Stale tabs failed after a deploy', category: 'skew' } as const

export function skewContract(open: ControlFactory): void {
  describe('Deploy skew', () => {
    const { stores, world, clock } = openForEachTest(open)
    let seq: number
    beforeEach(() => {
      seq = 1
    })

    const click = (change: Parameters<typeof aStaleClick>[0] = {}) =>
      aStaleClick({ projectId: world.shop, ...change })
    const request = (change: Parameters<typeof aStaleRequest>[0] = {}) =>
      aStaleRequest({ projectId: world.shop, ...change })
    const send = (...stale: readonly StaleClickSeen[]) =>
      stores.write.applyBatch(aRequestsBatch(seq++, { stale }))
    const sums = (scope = world.scope) =>
      stores.read.staleSums(scope, { projects: null, startMs: NOW - 100 * DAY, endMs: NOW + 100 * DAY })
    const countOf = ({ slots }: StaleSum) => slots.reduce((sum, { count }) => sum + count, 0)
    const count = async () => (await sums()).reduce((sum, one) => sum + countOf(one), 0)
    const one = async () => {
      const all = await sums()
      assert.equal(all.length, 1)
      const [found] = all
      assert.ok(found !== undefined)
      return found
    }

    it('are found from the slot on in which a series was clicked last', async () => {
      await send(click({ atMs: NOW }))
      const slotMs = max('staleSlotMs')
      const startMs = Math.floor(NOW / slotMs) * slotMs
      const from = (ms: number) =>
        stores.read.staleSums(world.scope, { projects: null, startMs: ms, endMs: NOW + DAY })
      const counts = await Promise.all([startMs - 1, startMs, NOW, startMs + slotMs].map(from))
      assert.deepEqual(
        counts.map((found) => found.map(countOf)),
        [[1], [1], [1], []],
      )
    })

    for (const [order, halves] of [
      ['browser first', [click, request]],
      ['server first', [request, click]],
    ] as const) {
      for (const isTogether of [true, false]) {
        it(`counts a click once, ${order}, ${isTogether ? 'in one batch' : 'in two'}`, async () => {
          const seen = halves.map((half) => half())
          if (isTogether) await send(...seen)
          else for (const half of seen) await send(half)
          const { release, fromRelease, route, failure, example, slots } = await one()
          assert.deepEqual([release, fromRelease, route, failure], [NEW, OLD, '/cart', 'action'])
          assert.deepEqual([await count(), slots[0]?.users.state.length], [1, 8])
          assert.deepEqual([example.httpStatus, example.eventId], [404, click().eventId])
        })
      }
    }

    it('changes nothing by a batch that comes again', async () => {
      const batch = aRequestsBatch(seq++, { stale: [click()] })
      await stores.write.applyBatch(batch)
      await stores.write.applyBatch(batch)
      assert.equal(await count(), 1)
    })

    it('counts what comes of the same span again once, days later as well', async () => {
      await send(request())
      await send(request({ receivedMs: NOW + DAY }))
      assert.equal(await count(), 1)
    })

    it('counts two clicks in one trace apart, each with its own half', async () => {
      const later = { atMs: NOW + 5_000 }
      await send(click(), click(later), request(later), request())
      assert.equal(await count(), 2)
    })

    it('counts another project, subject and kind apart', async () => {
      await send(click(), click({ projectId: world.blog }), click({ subject: 'another' }))
      await send(click({ failure: 'chunk', subject: '/assets/a-1.js' }))
      assert.equal(await count(), 4)
    })

    it('joins halves of different traces by subject within seconds, and each with one', async () => {
      const file = { failure: 'chunk', subject: '/assets/a-BxT3f9.js' } as const
      await send(click({ ...file, user: 1n }), click({ ...file, name: 'b', user: 2n }))
      await send(request({ ...file, name: 'c' }), request({ ...file, name: 'd', atMs: NOW + 900 }))
      assert.equal(await count(), 2)
      await send(request({ ...file, name: 'e', atMs: NOW + max('staleTogetherMs') + 2_000 }))
      assert.equal(await count(), 3)
    })

    it('takes no crawler for the server’s half of a click', async () => {
      const file = { failure: 'chunk', subject: '/assets/a-BxT3f9.js' } as const
      await send(click(file), request({ ...file, failure: 'crawler', traceId: null }))
      assert.deepEqual((await sums()).map(({ failure }) => failure).sort(), ['chunk', 'crawler'])
    })

    it('does not take two people for one', async () => {
      await send(click({ user: 1n }), request({ name: 'b', user: 2n }))
      assert.equal(await count(), 2)
    })

    it('keeps times, and counts by ten minutes', async () => {
      await send(click({ name: 'a', user: 1n }), click({ name: 'b', user: 2n, atMs: NOW + HOUR }))
      const { firstMs, lastMs, slots } = await one()
      assert.deepEqual([firstMs, lastMs, slots[1]?.users.state.length], [NOW, NOW + HOUR, 8])
      assert.deepEqual(
        slots.map((slot) => slot.count),
        [1, 1],
      )
      assert.equal((slots[1]?.startMs ?? 0) - (slots[0]?.startMs ?? 0), HOUR)
    })

    it('shows whoever asks their own projects alone', async () => {
      await send(click())
      assert.deepEqual(await sums(world.otherScope), [])
    })

    it('is gone with its project', async () => {
      await send(click())
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await sums(), [])
    })

    it('is forgotten with the days that the project keeps', async () => {
      await send(click())
      clock.advance(max('retentionDaysDefault') * DAY + DAY)
      await send(click({ name: 'new', atMs: clock.now(), receivedMs: clock.now() }))
      await removeAllAged(stores, clock)
      const all = await stores.read.staleSums(world.scope, {
        projects: null,
        startMs: 0,
        endMs: clock.now() + DAY,
      })
      assert.deepEqual(
        all.map(({ firstMs, slots }) => [firstMs > NOW || slots.length, slots.length]),
        [[1, 1]],
      )
    })

    describe('issues', () => {
      /** An event of the group, and the half of a click that it tells of. */
      const tell = (group: string, half: StaleClickSeen) => tellOf(aHash(group), half)
      const tellOf = (group: GroupHash, half: StaleClickSeen) => {
        const release = half.release ?? ''
        const event = {
          projectId: half.projectId,
          groupHash: group,
          release,
          requestKind: 'browser',
          facts: SKEW,
        } as const
        const [part] = aBatch(seq, [anEvent(event)]).parts
        assert.ok(part !== undefined)
        const { parts } = aRequestsBatch(seq, { stale: [{ ...half, group }] })
        return stores.write.applyBatch(aBatch(seq++, [], { parts: [part, ...parts] }))
      }
      const list = async (scope = world.scope) => {
        const range = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
        const page = { sort: 'new', limit: 100, cursor: null } as const
        return (await stores.read.list(scope, aFilter(range), page)).rows
      }
      const only = async (scope = world.scope) => {
        const issues = await list(scope)
        assert.equal(issues.length, 1, JSON.stringify(issues.map(({ title }) => title)))
        const [issue] = issues
        assert.ok(issue !== undefined)
        return issue
      }
      const sound = async () => assert.deepEqual(await stores.read.contradictions(10), [])

      for (const isServerFirst of [true, false]) {
        it(`are one for a deploy, ${isServerFirst ? 'the server' : 'the tab'} first, across projects`, async () => {
          const tab = () => tell('tab', click({ projectId: world.blog }))
          const server = () => tell('server', request({ source: 'event', eventId: anEventId('s') }))
          for (const half of isServerFirst ? [server, tab] : [tab, server]) {
            await half()
            clock.advance(5 * 60_000)
          }
          const issue = await only()
          const owner = isServerFirst ? world.shop : world.blog
          assert.deepEqual([issue.projectId, issue.eventCount], [owner, 2])
          assert.equal(await count(), 1)
          // The page's project has the click, and no event of another.
          const [sum, ...others] = await sums()
          assert.equal(others.length, 0)
          assert.deepEqual([sum?.projectId, sum?.release, sum?.fromRelease], [world.blog, NEW, OLD])
          assert.equal(sum?.example.eventId, click().eventId)
          assert.deepEqual(await sums(world.shopScope), [])
          await sound()
        })
      }

      it('are one for tabs of several builds that one release answered, told by spans alone', async () => {
        for (const [at, name] of ['a', 'b', 'c'].entries()) {
          const release = `web@0.${at}.0`
          const times = { atMs: NOW + at * HOUR, receivedMs: NOW + at * HOUR }
          await send(request({ name, ...times }))
          const told = await tell(`tab ${name}`, click({ name, release, ...times }))
          assert.equal(told.newIssues, at === 0 ? 1 : 0, 'nobody is told of an issue that is no new one')
        }
        const issue = await only()
        assert.equal(issue.eventCount, 3)
        const halves = (await stores.read.mirrorsOf(world.scope, issue.id)).folded
        assert.deepEqual(
          halves?.halves.map(({ match, confidence }) => [match, confidence]),
          [
            ['deploy', 'high'],
            ['deploy', 'high'],
          ],
        )
        await sound()
      })

      it('go by when deploys were told of, where no server says what it runs', async () => {
        const place = { orgId: world.org, readable: [world.shop], version: NEW }
        value(await stores.write.putRelease(place, { projects: [world.shop] }, anActor()))
        const deploy = {
          ...{ environment: 'production', name: null, url: null },
          ...{ startedMs: null, finishedMs: NOW - HOUR },
        }
        value(await stores.write.addDeploy(place, deploy, anActor()))
        const file = { failure: 'chunk', subject: '/assets/a-1.js' } as const
        await tell('tab a', click({ ...file, name: 'a', release: 'web@0.1.0' }))
        await tell('tab b', click({ ...file, name: 'b', release: 'web@0.2.0', atMs: NOW + HOUR }))
        assert.equal((await only()).eventCount, 2)
      })

      it('are apart for another deploy, environment and organisation, and where nothing names one', async () => {
        const answered = async (name: string, of: Partial<StaleClickSeen>, release: string) => {
          await send(request({ name, release, ...of }))
          await tell(name, click({ name, release: `from ${name}`, ...of }))
        }
        await answered('a', {}, NEW)
        await answered('b', {}, 'web@2')
        await answered('c', { environment: 'staging' }, NEW)
        await tell('d', click({ name: 'd', release: null }))
        await answered('e', { projectId: world.otherShop }, NEW)
        assert.equal((await list()).length, 4)
        assert.equal((await list(world.otherScope)).length, 1)
      })

      it('are one for each deploy that a tab outlived', async () => {
        const store = async (name: string, of: Partial<StaleClickSeen>) => {
          const half = click({ name, ...of })
          const [group = aHash('tab')] = await stores.write.staleGroups([{ ...half, group: aHash('tab') }])
          return { half, group }
        }
        const answered = async (name: string, release: string, hours: number) => {
          const times = { atMs: NOW + hours * HOUR, receivedMs: NOW + hours * HOUR }
          await send(request({ name, release, ...times }))
          const { half, group } = await store(name, times)
          await tellOf(group, half)
          return group
        }
        const first = await answered('a', NEW, 0)
        assert.equal(first, aHash('tab'))
        const second = await answered('b', 'web@2', 1)
        assert.notEqual(second, first)
        assert.equal(await answered('c', 'web@2', 2), second, 'one group for the same deploy')
        assert.equal(await answered('d', NEW, 3), first)
        assert.deepEqual((await list()).map(({ eventCount }) => eventCount).sort(), [2, 2])
        // Nobody answered it yet: what is known to run by then.
        assert.equal((await store('e', { atMs: NOW + 4 * HOUR })).group, second)
        await sound()
      })

      it('are called by their deploy in what is told of them too', async () => {
        await send(request({}))
        await tell('tab', click())
        const called = `Stale tabs failed after the deploy of ${NEW}`
        assert.equal((await only()).title, called)
        const nowMs = clock.now()
        await stores.write.evaluateDue(nowMs, { metrics: false, mail: true })
        const [entry] = await stores.read.noticeLog(world.scope, world.shop, { limit: 1, before: null })
        assert.equal(entry?.issue?.title, called)
        const asked = {
          channel: 'mail',
          nowMs,
          leaseMs: HOUR,
          lease: 'a lease',
          limit: 1,
          triesMax: 3,
        } as const
        const [delivery] = await stores.write.claimDeliveries(asked)
        assert.equal(delivery?.notice.issue?.title, called)
      })

      it('are apart for good once a person says so', async () => {
        await tell('server', request({ source: 'event', eventId: anEventId('s') }))
        await tell('tab', click())
        const issue = await only()
        const change = { orgId: world.org, projects: [world.shop], id: issue.id, groups: null }
        value(await stores.write.keepApart(change, anActor()))
        await tell('tab', click({ name: 'b', atMs: NOW + HOUR }))
        await send(request({ name: 'b', atMs: NOW + HOUR }))
        assert.deepEqual((await list()).map(({ eventCount }) => eventCount).sort(), [1, 2])
        await sound()
      })
    })

    it('knows when releases came to run', async () => {
      const place = { orgId: world.org, readable: [world.shop], version: NEW }
      const change = { projects: [world.shop], releasedMs: NOW - HOUR }
      value(await stores.write.putRelease(place, change, anActor()))
      const deploy = { environment: 'production', name: null, url: null, startedMs: null, finishedMs: NOW }
      value(await stores.write.addDeploy(place, deploy, anActor()))
      const of = { projectId: world.shop, version: NEW }
      assert.deepEqual(await stores.read.knownBuilds(world.scope, null), [
        { ...of, environment: 'production', atMs: NOW, isDeploy: true },
        { ...of, environment: '', atMs: NOW - HOUR, isDeploy: false },
      ])
      assert.deepEqual(await stores.read.knownBuilds(world.scope, [world.blog]), [])
    })

    it('knows a release from when anything named it, not from its first error', async () => {
      const place = { orgId: world.org, readable: [world.shop], version: NEW }
      value(await stores.write.putRelease(place, { projects: [world.shop] }, anActor()))
      const event = anEvent({ projectId: world.shop, timestampMs: NOW + HOUR, tags: { release: NEW } })
      await stores.write.applyBatch(aBatch(seq++, [event]))
      const builds = await stores.read.knownBuilds(world.scope, null)
      assert.deepEqual([...new Set(builds.map(({ atMs }) => atMs))], [NOW])
    })
  })
}
