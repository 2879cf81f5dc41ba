import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleDraft } from '@errata/server/queries'
import { warningText } from './warning-text.ts'

function aRule(thresholds: { readonly critical: number | null; readonly warning: number | null }): RuleDraft {
  return {
    ...{ name: 'Crash-free', isOn: true, projects: null, everyMinutes: 60, isQuiet: false, notify: [] },
    ...{ kind: 'metric', if: { match: 'all', conditions: [] } },
    when: {
      ...{ measure: { of: 'crash-free', what: 'sessions' }, windowMinutes: 1_440, direction: 'below' },
      ...{ resolved: null, atLeast: 20, timesLastWeek: null, ...thresholds },
    },
  }
}

test('a rule with two thresholds says from where on it warns', () => {
  assert.equal(warningText(aRule({ critical: 95, warning: 99 })), 'warning below 99 % for 1 d')
})

test('a rule with one threshold has said it', () => {
  assert.equal(warningText(aRule({ critical: null, warning: 99 })), null)
  assert.equal(warningText(aRule({ critical: 95, warning: null })), null)
})

test('a rule of issues has no threshold', () => {
  const {
    name,
    isOn,
    projects,
    everyMinutes,
    isQuiet,
    notify,
    if: conditions,
  } = aRule({ critical: 95, warning: 99 })
  const shared = { name, isOn, projects, everyMinutes, isQuiet, notify, if: conditions }
  assert.equal(warningText({ ...shared, kind: 'issue', when: [{ on: 'new' }] }), null)
})
