import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anOutcome } from '#testing/builders/outcome.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import {
  BUCKET_MS,
  isChosenByClients,
  mayKeepPlace,
  minuteSums,
  otherPlace,
  outcomeSums,
  settledOutcomes,
} from './batch-outcomes.ts'

const [shop, gone] = [projectId(1), projectId(2)]
const isKnown = (project: number) => project === shop

describe('outcomes of a batch', () => {
  it('of a project that is gone belong to none, and each of its events is refused once', () => {
    const batch = aBatch(1, [anEvent({ projectId: gone }), anEvent({ projectId: gone })], {
      outcomes: [
        anOutcome({ projectId: gone }),
        anOutcome({ projectId: gone, outcome: 'filtered' }),
        anOutcome({ projectId: shop }),
      ],
    })
    const settled = settledOutcomes(batch, { nowMs: NOW, isKnown })
    assert.deepEqual(
      settled.map(({ outcome, projectId: of, quantity }) => [outcome, of, quantity]),
      [
        ['invalid', null, 1],
        ['filtered', null, 1],
        ['accepted', shop, 1],
        ['invalid', null, 1],
      ],
    )
  })

  it('without a time get the one at which they are stored', () => {
    const [outcome] = settledOutcomes(aBatch(1, [], { outcomes: [anOutcome({ atMs: 0 })] }), {
      nowMs: NOW,
      isKnown,
    })
    assert.equal(outcome?.atMs, NOW)
  })

  it('are summed by 15 minutes and reason, with the newest example', () => {
    const sums = outcomeSums([
      anOutcome({ atMs: NOW + 5, example: 'newer' }),
      anOutcome({ atMs: NOW, quantity: 2, example: 'older' }),
      anOutcome({ atMs: NOW + 9 }),
      anOutcome({ atMs: NOW + BUCKET_MS }),
      anOutcome({ reason: 'r'.repeat(300) }),
    ])
    assert.deepEqual(
      sums.map(({ quantity, example, firstMs, lastMs }) => [quantity, example, firstMs, lastMs]),
      [
        [4, 'newer', NOW, NOW + 9],
        [1, null, NOW + BUCKET_MS, NOW + BUCKET_MS],
        [1, null, NOW, NOW],
      ],
    )
    assert.equal(sums[2]?.reason.length, 200)
  })

  it('are summed by minute over all projects', () => {
    const minutes = minuteSums([
      anOutcome({ atMs: NOW + 1, projectId: shop }),
      anOutcome({ atMs: NOW + 59_999 }),
      anOutcome({ atMs: NOW + 60_000 }),
    ])
    assert.deepEqual(
      minutes.map(({ quantity }) => quantity),
      [2, 1],
    )
  })

  it('that clients name themselves are bounded, and counted as other beyond', () => {
    const [sum] = outcomeSums([anOutcome({ outcome: 'client_discard', reason: 'made up', category: 'odd' })])
    assert.ok(sum !== undefined && isChosenByClients(sum))
    assert.ok(
      mayKeepPlace(max('outcomeRowsPerBucketMax') - 1) && !mayKeepPlace(max('outcomeRowsPerBucketMax')),
    )
    const { category, reason, keyId } = otherPlace(sum)
    assert.deepEqual([category, reason, keyId], ['default', 'other', 0])
    assert.equal(otherPlace({ ...sum, reason: '' }).reason, '')
    const [own] = outcomeSums([anOutcome({ outcome: 'filtered' })])
    assert.ok(own !== undefined && !isChosenByClients(own))
  })
})
