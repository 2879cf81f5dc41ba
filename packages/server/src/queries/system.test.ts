import assert from 'node:assert/strict'
import { it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, unwrap } from '#testing/worlds/api.ts'

const DAY_MS = 86_400_000

it('what the journal lost is told for as long as it is counted, apart from what was refused', async (t) => {
  const shop = await openShop()
  t.after(() => shop.close())
  const scope = await shop.people.owner.scope()
  const operator = await shop.people.owner.viewer()
  const seen = async () => {
    const { lostFromJournal, refusedWithoutProject } = unwrap(await shop.queries.system(operator))
    return { lost: lostFromJournal, refused: refusedWithoutProject.map(({ reason }) => reason) }
  }
  const outcomes = (['journal_damaged', 'unknown_key'] as const).map((reason): CountedOutcome => {
    const nobodys = { projectId: null, keyId: null, category: 'default' }
    return { ...nobodys, outcome: 'invalid', reason, quantity: 5, atMs: NOW }
  })
  assert.deepEqual(await seen(), { lost: null, refused: [] })
  await shop.control.applyBatch(aBatch(1, [], { outcomes }))
  const lost = { quantity: 5, lastMs: NOW }
  assert.deepEqual(await seen(), { lost, refused: ['unknown_key'] })
  shop.clock.advance(2 * DAY_MS)
  assert.deepEqual(await seen(), { lost, refused: [] })
  shop.clock.advance((max('outcomeDaysMax') - 3) * DAY_MS)
  assert.deepEqual(await seen(), { lost, refused: [] })
  shop.clock.advance(2 * DAY_MS)
  assert.deepEqual(await seen(), { lost: null, refused: [] })

  const range = { startMs: NOW - DAY_MS, endMs: NOW + DAY_MS }
  const view = await shop.queries.outcomes(scope, { range, project: null, key: null })
  assert.deepEqual(view.reasons, [])
})
