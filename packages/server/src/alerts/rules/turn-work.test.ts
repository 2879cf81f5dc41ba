import assert from 'node:assert/strict'
import { it } from 'node:test'
import { max } from '#limits/limits.ts'
import { TurnWork } from './turn-work.ts'

it('a turn has worked enough with as many steps as it may take', () => {
  const work = new TurnWork()
  work.add(max('alertTurnStepsMax') - 1)
  assert.equal(work.isEnough, false)
  work.add(1)
  assert.equal(work.isEnough, true)
})
