import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { aSegment } from '#testing/builders/requests.ts'
import { NOW } from '#testing/builders/times.ts'
import { SlotAdditions } from './slots.ts'
import { addMove, addSegment, watchOf } from './watch.ts'

const ROW = {
  ...{ id: 1, orgId: orgId(1), isPreset: false, createdBy: 'Rosa', createdById: null, createdMs: 0 },
  ...{ changedBy: 'Rosa', changedMs: 0, mute: null },
}

/** Requests and failures that a rule has counted once a failed document turned out to be a route handler. */
function counted(kind: RequestKind | null, failedAfter = 1): readonly unknown[] {
  const draft = aMetricRule({ measure: { of: 'failure-rate', route: null, kind } })
  const watch = watchOf([{ ...ROW, ...draft }], SHOP, false)
  assert.ok(watch !== null)
  const additions = new SlotAdditions()
  const segment = aSegment({ end: 'failed', kind: 'document' })
  addSegment(additions, watch, segment)
  const to = { ...segment, kind: 'route-handler' } as const
  const failed = { before: 1, after: failedAfter }
  addMove(additions, watch, { move: { from: segment, to, weight: 1, failed }, atMs: NOW })
  return additions.all().map(({ count, failed: of }) => [count, of])
}

describe('a request that moves', () => {
  it('is taken from the rules on what it was, and counted for those on what it is', () => {
    assert.deepEqual(counted('document'), [[0, 0]])
    assert.deepEqual(counted('route-handler'), [[1, 1]])
    assert.deepEqual(counted('prefetch'), [])
  })

  it('stays with the rules on both, and fails there no more where it was aborted', () => {
    assert.deepEqual(counted(null), [[1, 1]])
    assert.deepEqual(counted(null, 0), [[1, 0]])
  })
})
