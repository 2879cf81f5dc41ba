import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId, orgId } from '#base/ids.ts'
import type { AlertRule, IssueWhen, RuleCondition, RuleDraft } from '#model/alert-rule.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { aSegment } from '#testing/builders/requests.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { countsForItself } from './counted-conditions.ts'
import { SlotAdditions } from './slots.ts'
import { tagComparison } from './tag-comparison.ts'
import { addBehindToSlots, addGroup, addSegment, factsOf, type ProjectWatch, watchOf } from './watch.ts'

const ROW = {
  ...{ orgId: orgId(1), isPreset: false, createdBy: 'Rosa', createdById: null, createdMs: 0 },
  ...{ changedBy: 'Rosa', changedMs: 0, mute: null },
}
const numbered = (drafts: readonly RuleDraft[]): readonly AlertRule[] =>
  drafts.map((draft, at) => ({ ...ROW, ...draft, id: at + 1 }))
const watched = (...drafts: readonly RuleDraft[]): ProjectWatch =>
  watchOf(numbered(drafts), SHOP, false) ?? assert.fail('nothing is watched')

/** Five events of one group: three of production, two people. */
function aDelta(): GroupDelta {
  const events = ['production', 'production', 'production', 'staging', 'staging'].map((environment, at) =>
    anEvent({
      ...{ projectId: SHOP, group: 'a', user: `id:${at % 2}`, timestampMs: NOW },
      tags: { environment, plan: at === 0 ? 'free' : 'paid' },
    }),
  )
  const [part] = aBatch(1, events).parts
  return (part?.type === 'groups' ? part.groups[0] : undefined) ?? assert.fail('no group')
}

/** Counts of the group: key, width, events and people. */
function counted(...drafts: readonly RuleDraft[]): readonly unknown[] {
  const additions = new SlotAdditions()
  addGroup(additions, watched(...drafts), { issueId: issueId(7), delta: aDelta() })
  return additions.all().map(({ key, width, count, users }) => [key, width, count, users.size])
}

const frequency = (withinMinutes: number, of: 'events' | 'users' = 'events'): IssueWhen => ({
  ...{ on: 'frequency', of, atLeast: 1, withinMinutes },
})
const increase: IssueWhen = { on: 'increase', of: 'events', times: 2, atLeast: 1, withinMinutes: 60 }
const tag = (key: string, value: string, how: 'is' | 'is not' = 'is'): RuleCondition => ({
  ...{ is: 'tag', key, how, value },
})
const all = (...conditions: readonly RuleCondition[]) => ({ if: { match: 'all', conditions } }) as const

describe('a group is counted', () => {
  it('once for all rules without conditions on events, with people where one asks for them', () => {
    const rules = [frequency(5), frequency(60, 'users'), frequency(10)].map((when) => anIssueRule(when))
    assert.deepEqual(counted(...rules), [['i7', 1, 5, 2]])
    assert.deepEqual(counted(anIssueRule(frequency(5))), [['i7', 1, 5, 0]])
  })

  it('as long as the window before an increase reaches', () => {
    assert.deepEqual(counted(anIssueRule(increase)), [['i7', 15, 5, 0]])
  })

  it('for a rule by itself with conditions on events, of which the least counts', () => {
    const both = all({ is: 'environment', value: 'production' }, tag('plan', 'paid'))
    assert.deepEqual(counted(anIssueRule(frequency(5), both)), [['r1i7', 1, 3, 0]])
    assert.deepEqual(counted(aMetricRule({}, all(tag('plan', 'paid', 'is not')))), [['m1', 1, 1, 0]])
    assert.deepEqual(counted(aMetricRule({}, all(tag('plan', 'none')))), [])
    assert.deepEqual(counted(aMetricRule({ measure: { of: 'users' } })), [['m1', 1, 5, 2]])
  })
})

describe('what is watched', () => {
  const draft = (on: 'new' | 'regressed' | 'escalating' | 'resolved') => anIssueRule({ on })

  it('is every event where a moment needs it', () => {
    for (const on of ['new', 'regressed', 'resolved'] as const)
      assert.equal(watched(draft(on)).isEveryEventWatched, false)
    for (const rule of [draft('escalating'), anIssueRule(frequency(5)), anIssueRule(increase)])
      assert.equal(watched(rule).isEveryEventWatched, true)
  })

  it('is nothing for a rule that is off, and every event where an issue may escalate', () => {
    const off = watchOf(numbered([{ ...draft('escalating'), isOn: false }]), SHOP, false)
    assert.equal(off.isEveryEventWatched, false)
    assert.equal(watchOf([], SHOP, true).isEveryEventWatched, true)
  })

  it('keeps twenty values of a tag that a condition names', () => {
    const facets = Array.from({ length: 25 }, (_, at) => {
      return { key: 'plan', value: `plan ${at}`, count: 1, firstMs: NOW, lastMs: NOW }
    })
    const watch = watched(anIssueRule({ on: 'new' }, all(tag('plan', 'paid'))))
    const { tags } = factsOf({ ...aDelta(), facets }, watch)
    assert.deepEqual([Object.keys(tags), tags.plan?.length, tags.plan?.[0]], [['plan'], 20, 'plan 0'])
  })

  it('has rules on requests by their route, kind, environment and release', () => {
    const counts = (
      change: { readonly route?: string; readonly kind?: 'action' },
      condition?: RuleCondition,
    ) => {
      const measure = { of: 'failure-rate', route: null, kind: null, ...change } as const
      const additions = new SlotAdditions()
      const watch = watched(aMetricRule({ measure }, condition === undefined ? {} : all(condition)))
      addSegment(additions, watch, aSegment({ end: 'failed' }))
      addSegment(additions, watch, aSegment({ name: 'b' }))
      const { environment, release, route, kind } = aSegment()
      const place = { projectId: SHOP, environment, release, route, kind }
      addBehindToSlots(additions, watch, { change: { ...place, weight: 3 }, atMs: NOW })
      return additions.all().map(({ count, failed }) => [count, failed])
    }
    assert.deepEqual(counts({}), [[2, 4]])
    assert.deepEqual(counts({ route: '/orders/[id]' }), [[2, 4]])
    assert.deepEqual(counts({ route: '/other' }), [])
    assert.deepEqual(counts({ kind: 'action' }), [])
    assert.deepEqual(counts({}, { is: 'environment', value: 'production' }), [[2, 4]])
    assert.deepEqual(counts({}, { is: 'environment', value: 'staging' }), [])
    assert.deepEqual(counts({}, { is: 'release', value: 'web@1.0.0' }), [[2, 4]])
    assert.deepEqual(counts({}, { is: 'release', value: 'web@2.0.0' }), [])
  })
})

describe('a rule counts for itself', () => {
  const condition = { is: 'environment', value: 'production' } as const
  const table: readonly [string, RuleDraft, boolean][] = [
    ['of how often, with a condition on events', anIssueRule(frequency(5), all(condition)), true],
    [
      'of an increase, with one of several',
      anIssueRule(increase, all({ is: 'handled', value: true }, condition)),
      true,
    ],
    ['of moments alone', anIssueRule({ on: 'new' }, all(condition)), false],
    [
      'where any condition will do',
      anIssueRule(frequency(5), { if: { match: 'any', conditions: [condition] } }),
      false,
    ],
    ['with the latest release', anIssueRule(frequency(5), all({ is: 'release', value: 'latest' })), false],
    ['with another release', anIssueRule(frequency(5), all({ is: 'release', value: 'web@1' })), true],
    ['of users', aMetricRule({ measure: { of: 'users' } }), true],
    ['of requests', aMetricRule({ measure: { of: 'requests', route: null, kind: null } }), true],
    ['of silence', aMetricRule({ measure: { of: 'silence' } }), false],
  ]
  for (const [what, draft, is] of table) it(`${what}: ${is}`, () => assert.equal(countsForItself(draft), is))
})

describe('a tag', () => {
  const values = ['production', 'my production', 'production 2', 'other']
  const found = (how: Parameters<typeof tagComparison>[0]['how']) => {
    const { isNegated, holds } = tagComparison({ how, value: 'PRODUCTION' })
    return [isNegated, values.map((one) => (holds(one) || holds(one.toUpperCase()) ? 1 : 0)).join('')]
  }
  const table = [
    ['is', 'is not', '1000'],
    ['contains', 'does not contain', '1110'],
    ['starts with', 'does not start with', '1010'],
    ['ends with', 'does not end with', '1100'],
    ['is set', 'is not set', '1111'],
  ] as const
  for (const [how, negated, holds] of table)
    it(`${how}, or ${negated}, in any case`, () => {
      assert.deepEqual(
        [found(how), found(negated)],
        [
          [false, holds],
          [true, holds],
        ],
      )
    })
})
