import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertRule } from '@errata/server/queries'
import { isReadableRule } from './readable-rule.ts'

const STORED = {
  ...{ id: 1, orgId: 1, isPreset: false, createdBy: 'Ada', createdById: 1, createdMs: 0, changedBy: 'Ada' },
  ...{
    changedMs: 0,
    mute: null,
    name: 'A rule',
    isOn: true,
    projects: null,
    everyMinutes: 60,
    isQuiet: false,
  },
  ...{ notify: [{ target: { to: 'members' }, fromLevel: 'warning' }], if: { match: 'all', conditions: [] } },
}
const ISSUE = { ...STORED, kind: 'issue', when: [{ on: 'new' }] }
const METRIC = {
  ...{ ...STORED, kind: 'metric' },
  when: {
    ...{ measure: { of: 'events' }, windowMinutes: 5, direction: 'above', critical: 10, warning: null },
    ...{ resolved: null, atLeast: 0, timesLastWeek: null },
  },
}
const read = (stored: object) => isReadableRule(stored as AlertRule) // stored by whoever

describe('a stored rule', () => {
  it('is shown by a form where every part of it has words', () => {
    assert.ok(read(ISSUE))
    assert.ok(read(METRIC))
    assert.ok(read({ ...ISSUE, if: { match: 'any', conditions: [{ is: 'handled', value: true }] } }))
  })

  for (const [what, stored] of [
    ['a moment of a later version', { ...ISSUE, when: [{ on: 'new' }, { on: 'moonrise' }] }],
    ['no moments', { ...ISSUE, when: undefined }],
    ['a measure of a later version', { ...METRIC, when: { ...METRIC.when, measure: { of: 'moons' } } }],
    ['no measure', { ...METRIC, when: {} }],
    ['a condition of a later version', { ...ISSUE, if: { match: 'all', conditions: [{ is: 'moonlit' }] } }],
    ['no conditions', { ...ISSUE, if: undefined }],
    ['nobody to notify', { ...ISSUE, notify: null }],
    ['a kind of a later version', { ...ISSUE, kind: 'uptime' }],
  ] as const)
    it(`is shown as text where it has ${what}`, () => assert.equal(read(stored), false))
})
