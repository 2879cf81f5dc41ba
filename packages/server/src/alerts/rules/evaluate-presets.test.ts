import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isForPresets, kindOf } from './evaluate-presets.ts'

describe('preset rules', () => {
  it('look once at what is new or came back', () => {
    const looks = (moment: Parameters<typeof kindOf>[0]) => isForPresets({ moment, progress: null })
    assert.deepEqual([looks('new'), looks('regressed')], [true, true])
    for (const moment of ['resolved', 'comment', 'assignment', 'digest', 'touched', 'escalating'] as const)
      assert.equal(looks(moment), false, moment)
    assert.equal(isForPresets({ moment: 'new', progress: { after: 0, escalation: null } }), false)
  })

  it('tell what regressed from what was in the archive', () => {
    for (const returned of ['regressed', 'unarchived'] as const) {
      assert.equal(kindOf('new', returned), 'new')
      assert.equal(kindOf('regressed', returned), returned)
    }
    assert.equal(kindOf('new', undefined), 'new')
    assert.equal(kindOf('regressed', undefined), 'regressed')
  })
})
