import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { DigestDelta } from '#ports/ingest.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { digestAfter, mayOverflow } from './digest-sums.ts'

const delta = (change: Partial<DigestDelta> = {}): DigestDelta => ({
  ...{ digest: digest('123'), release: null, environment: null, route: null, requestKind: 'document' },
  ...{ eventId: anEventId('any'), traceId: null, count: 1, mirrorCount: 0, verified: null },
  ...{ hasPayload: true, firstMs: 5, lastMs: 5 },
  ...change,
})

describe('a digest that is seen again', () => {
  it('counts up and names the newest event that can be read', () => {
    const after = digestAfter(
      delta(),
      delta({ route: '/new', count: 2, mirrorCount: 1, firstMs: 4, lastMs: 9 }),
    )
    const { route, count, mirrorCount, firstMs, lastMs } = after
    assert.deepEqual([route, count, mirrorCount, firstMs, lastMs], ['/new', 3, 1, 4, 9])
    for (const change of [{ lastMs: 9, hasPayload: false }, { lastMs: 4 }])
      assert.equal(digestAfter(delta({ route: '/old' }), delta({ route: '/new', ...change })).route, '/old')
  })

  it('stays verified', () => {
    const verified = (a: boolean | null, b: boolean | null) =>
      digestAfter(delta({ verified: a }), delta({ verified: b })).verified
    assert.equal(verified(true, false), true)
    assert.equal(verified(false, null), false)
    assert.equal(verified(null, true), true)
    assert.equal(verified(null, null), null)
  })
})

describe('the digests of a group', () => {
  it('are looked through where there may be too many', () => {
    assert.ok(mayOverflow(1, { isNew: false }))
    assert.ok(!mayOverflow(0, { isNew: false }))
    assert.ok(!mayOverflow(max('digestsPerGroupMax'), { isNew: true }))
    assert.ok(mayOverflow(max('digestsPerGroupMax') + 1, { isNew: true }))
  })
})
