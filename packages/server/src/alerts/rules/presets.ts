/**
 * Rules that every organisation begins with. A project's own alerts tell of new and returned issues already, so that of
 * these only what they do not cover is on: nobody hears of one thing twice.
 */
import type { RuleDraft } from '#model/alert-rule.ts'

const BASE = {
  projects: null,
  if: { match: 'all', conditions: [] },
  notify: [{ target: { to: 'members' }, fromLevel: 'warning' }],
  everyMinutes: 60,
  isQuiet: true,
} as const

export const PRESET_RULES: readonly RuleDraft[] = [
  { ...BASE, name: 'Regressed issue', isOn: false, kind: 'issue', when: [{ on: 'regressed' }] },
  {
    ...BASE,
    name: 'New issue seen by many',
    isOn: false,
    kind: 'issue',
    when: [{ on: 'frequency', of: 'users', atLeast: 25, withinMinutes: 60 }],
    if: { match: 'all', conditions: [{ is: 'age', than: 'newer', minutes: 1_440 }] },
    everyMinutes: 1_440,
  },
  {
    ...BASE,
    name: 'Escalating',
    isOn: true,
    kind: 'issue',
    when: [{ on: 'escalating' }],
    everyMinutes: 1_440,
  },
  {
    ...BASE,
    name: 'Events are dropped',
    isOn: true,
    kind: 'metric',
    when: {
      measure: { of: 'outcomes', outcomes: ['rate_limited', 'invalid'] },
      windowMinutes: 60,
      direction: 'above',
      critical: null,
      warning: 1_000,
      resolved: 100,
      atLeast: 0,
      timesLastWeek: null,
    },
    everyMinutes: 0,
  },
]
