import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PatientQuestion } from './patient-question.ts'

const NEVER_MS = 60_000

describe('a question to a part that may be stuck', () => {
  it('has the answer, or why there is none', async () => {
    const answers = [() => Promise.resolve(7), () => Promise.reject(new Error('the thread has ended'))]
    const question = new PatientQuestion(() => answers.shift()?.() ?? Promise.resolve(8), NEVER_MS)
    assert.deepEqual(await question.answer(), { isKnown: true, value: 7 })
    assert.deepEqual(await question.answer(), { isKnown: false, why: 'the thread has ended' })
    assert.deepEqual(await question.answer(), { isKnown: true, value: 8 })
  })

  it('is given up after its time, and not asked again before the first has come back', async () => {
    const first = Promise.withResolvers<number>()
    let asked = 0
    const question = new PatientQuestion(() => {
      asked++
      return asked === 1 ? first.promise : Promise.resolve(2)
    }, 1)
    const unknown = { isKnown: false, why: 'no answer within 0.001 s' }
    assert.deepEqual(await question.answer(), unknown)
    assert.deepEqual(await question.answer(), unknown)
    assert.equal(asked, 1)
    first.resolve(1)
    await first.promise
    await new Promise(setImmediate)
    const { isKnown } = await question.answer()
    assert.deepEqual([isKnown, asked], [true, 2])
  })
})
