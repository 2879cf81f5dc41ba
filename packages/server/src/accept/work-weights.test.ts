import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyId } from '#base/ids.ts'
import { WorkWeights } from './work-weights.ts'

const LIGHT = keyId(1)
const HEAVY = keyId(2)

function weights() {
  return new WorkWeights({ keysMax: 2, weightMax: 64 })
}

describe('the weight of a key', () => {
  it('is how many times its bytes are the work of the average, at least once and at most as often as bounded', () => {
    const known = weights()
    known.note([
      { keyId: LIGHT, form: 'plain', bytes: 900, ms: 90 },
      { keyId: HEAVY, form: 'plain', bytes: 100, ms: 910 },
    ])
    assert.equal(known.of(LIGHT), 1)
    assert.equal(known.of(HEAVY), 9.1)
    known.note([{ keyId: LIGHT, form: 'plain', bytes: 1_000_000, ms: 100 }])
    assert.equal(known.of(HEAVY), 64)
  })

  it('compares compressed bodies with compressed ones', () => {
    const known = weights()
    known.note([
      { keyId: LIGHT, form: 'plain', bytes: 1_000, ms: 10 },
      { keyId: HEAVY, form: 'compressed', bytes: 100, ms: 10 },
    ])
    assert.deepEqual([known.of(LIGHT), known.of(HEAVY)], [1, 1])
  })

  it('is 1 for a key beyond those followed, and for one of which little is known', () => {
    const known = weights()
    known.note([
      { keyId: LIGHT, form: 'plain', bytes: 10_000, ms: 10 },
      { keyId: HEAVY, form: 'plain', bytes: 1, ms: 4 },
      { keyId: keyId(3), form: 'plain', bytes: 1, ms: 400 },
    ])
    assert.deepEqual([known.of(HEAVY), known.of(keyId(3)), known.of(keyId(4))], [1, 1, 1])
  })

  it('is forgotten, and makes room for another key', () => {
    const known = weights()
    known.note([
      { keyId: LIGHT, form: 'plain', bytes: 1_000, ms: 10 },
      { keyId: HEAVY, form: 'plain', bytes: 10, ms: 50 },
    ])
    assert.ok(known.of(HEAVY) > 1)
    known.pass(100)
    assert.equal(known.of(HEAVY), 1)
    known.note([
      { keyId: LIGHT, form: 'plain', bytes: 1_000, ms: 10 },
      { keyId: keyId(3), form: 'plain', bytes: 10, ms: 50 },
    ])
    assert.ok(known.of(keyId(3)) > 1)
  })
})
