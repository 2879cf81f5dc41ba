import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleDraft } from '@errata/server/queries'
import { draftOf, newRule, ruleFields } from './rule-form.ts'

const COMMON = {
  ...{ name: 'A rule', isOn: true, projects: null, everyMinutes: 60, isQuiet: false },
  notify: [
    { target: { to: 'members' }, fromLevel: 'warning' },
    { target: { to: 'channel', channelId: 3 }, fromLevel: 'critical' },
  ],
} as const

const RULES: readonly RuleDraft[] = [
  {
    ...COMMON,
    kind: 'issue',
    when: [
      { on: 'new' },
      { on: 'frequency', of: 'users', atLeast: 25, withinMinutes: 60 },
      { on: 'increase', of: 'events', times: 3, atLeast: 5, withinMinutes: 30 },
      { on: 'digest', atLeast: 3, withinMinutes: 1_440 },
      { on: 'activity', what: ['comment', 'assignment'] },
    ],
    if: {
      match: 'any',
      conditions: [
        { is: 'level', how: 'at most', level: 'warning' },
        { is: 'environment', value: 'production' },
        { is: 'tag', key: 'plan', how: 'is not', value: 'free' },
        { is: 'handled', value: false },
        { is: 'age', than: 'older', minutes: 90 },
        { is: 'assignee', userId: null },
      ],
    },
  },
  ...(
    [
      { of: 'events' },
      { of: 'silence' },
      { of: 'failure-rate', route: '/checkout', kind: 'action' },
      { of: 'apdex', thresholdMs: 250, route: null, kind: null },
      { of: 'duration', percentile: 99, route: '/search', kind: null },
      { of: 'crash-free', what: 'users' },
      { of: 'outcomes', outcomes: ['rate_limited', 'invalid'] },
    ] as const
  ).map(
    (measure): RuleDraft => ({
      ...COMMON,
      kind: 'metric',
      when: {
        ...{ measure, windowMinutes: 60, direction: 'above', critical: 10, warning: null, resolved: 2 },
        ...{ atLeast: 50, timesLastWeek: 2 },
      },
      if: { match: 'all', conditions: [{ is: 'release', value: 'latest' }] },
    }),
  ),
]

for (const rule of RULES)
  test(`a rule comes back from its form as it was: ${JSON.stringify(rule.when).slice(0, 60)}`, () => {
    assert.deepEqual(draftOf(ruleFields(rule)), rule)
  })

test('rows that nobody filled in are left out', () => {
  const fields = { ...newRule('issue'), name: 'x', receivers: [{ to: '', from: 'warning' }] }
  assert.deepEqual(draftOf(fields), {
    ...{ kind: 'issue', name: 'x', isOn: true, isQuiet: true, everyMinutes: 60, projects: null },
    ...{ if: { match: 'all', conditions: [] }, notify: [], when: [{ on: 'new' }] },
  })
})
