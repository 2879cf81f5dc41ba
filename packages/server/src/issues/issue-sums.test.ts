import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { NOW } from '#testing/builders/times.ts'
import {
  addedBy,
  hoursMayGo,
  NO_SUMS,
  newestOf,
  newestPayload,
  oldestHourKept,
  windowAfter,
  withSums,
} from './issue-sums.ts'

describe('the sums of an issue', () => {
  it('keep the earliest and the latest release, and add what is counted', () => {
    const one = {
      firstRelease: { release: 'b', atMs: 5 },
      lastRelease: { release: 'b', atMs: 5 },
      ...{ kinds: new Map([['action', 1]]), routes: new Map([['/a', 1]]) },
    }
    const other = {
      firstRelease: { release: 'a', atMs: 3 },
      lastRelease: { release: 'a', atMs: 5 },
      ...{ kinds: new Map([['action', 2]]), routes: new Map([['/b', 4]]) },
    }
    const sums = withSums(withSums(NO_SUMS, [one]), [other, NO_SUMS])
    assert.deepEqual([sums.firstRelease?.release, sums.lastRelease?.release], ['a', 'a'])
    assert.deepEqual([...sums.kinds], [['action', 3]])
    assert.deepEqual(
      [...sums.routes],
      [
        ['/a', 1],
        ['/b', 4],
      ],
    )
  })

  it('keep the routes that were seen first, as many as are counted apart', () => {
    const routes = (from: number) =>
      new Map(Array.from({ length: max('routesPerGroupMax') }, (_, at) => [`/${from + at}`, 1]))
    const sums = withSums({ ...NO_SUMS, routes: routes(0) }, [{ ...NO_SUMS, routes: routes(1) }])
    assert.deepEqual([...sums.routes.keys()], [...routes(0).keys()])
    assert.deepEqual([sums.routes.get('/0'), sums.routes.get('/1')], [1, 2])
  })
})

describe('what a batch adds', () => {
  it('counts up, and spans from the first to the last event', () => {
    const one = { eventCount: 2, mirrorCount: 1, payloadCount: 2, firstMs: 5, lastMs: 9 }
    const other = { eventCount: 3, mirrorCount: 0, payloadCount: 1, firstMs: 6, lastMs: 7 }
    assert.deepEqual(addedBy([one, other]), {
      ...{ eventCount: 5, mirrorCount: 1, payloadCount: 3, firstMs: 5, lastMs: 9 },
    })
  })

  it('names the issue by its newest event, of those at the same time the one stored last', () => {
    const delta = (atMs: number, release: string) => ({
      newest: { atMs, release, eventId: anEventId(release), traceId: null },
    })
    const [old, fresh, same] = [delta(1, 'old'), delta(2, 'fresh'), delta(2, 'same')]
    assert.equal(newestOf([fresh, old]), fresh)
    assert.equal(newestOf([fresh, same, old]), same)
  })

  it('replaces the newest payload by one as new, and never by none', () => {
    const [before, after] = [3, 4].map((atMs) => ({ atMs, eventId: anEventId(`${atMs}`) }))
    assert.ok(before !== undefined && after !== undefined)
    assert.equal(newestPayload(before, after), after)
    assert.equal(newestPayload(after, before), after)
    assert.equal(newestPayload(before, null), before)
    assert.equal(newestPayload(null, before), before)
  })
})

describe('the newest hour of receipt', () => {
  it('counts what comes late as its own, and begins anew with a newer hour', () => {
    const before = { hour: 7, events: 3 }
    assert.deepEqual(
      windowAfter(before, [
        { hour: 7, events: 1 },
        { hour: 6, events: 2 },
      ]),
      {
        ...{ hour: 7, events: 6 },
      },
    )
    assert.deepEqual(
      windowAfter(before, [
        { hour: 7, events: 1 },
        { hour: 8, events: 2 },
      ]),
      {
        ...{ hour: 8, events: 2 },
      },
    )
  })
})

describe('hours of a group', () => {
  it('go once a day, those that are older than events are kept', () => {
    const midnight = NOW - (NOW % DAY_MS)
    assert.ok(hoursMayGo({ lastSeenMs: midnight - 1 }, { lastMs: midnight }))
    assert.ok(!hoursMayGo({ lastSeenMs: midnight }, { lastMs: midnight + DAY_MS - 1 }))
    assert.equal(oldestHourKept(NOW), NOW / HOUR_MS - max('hourBucketsDaysMax') * 24)
  })
})
