import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RuleDraft } from '#model/alert-rule.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { countsOtherwise, refuseCounting, refuseRules, withoutChannel } from './rule-changes.ts'

const MOST = max('alertCountingRulesMax')
const [SHOP, BLOG] = [projectId(1), projectId(2)]
const of = (projects: RuleDraft['projects'], change: Partial<Pick<RuleDraft, 'isOn'>> = {}) =>
  aMetricRule({}, { projects, ...change })
const many = (count: number, projects: RuleDraft['projects']) =>
  Array.from({ length: count }, () => of(projects))
const refuses = (others: readonly RuleDraft[], draft: RuleDraft) => refuseCounting(others, draft) !== null

describe('rules of an organisation', () => {
  it('are refused beyond the most', () => {
    const most = max('alertRulesPerOrgMax')
    assert.deepEqual(
      [refuseRules(most - 1), refuseRules(most)?.code, refuseRules(most + 1)?.code],
      [null, 'conflict', 'conflict'],
    )
  })

  it('that count for themselves are refused beyond the most of a project', () => {
    assert.equal(refuses(many(MOST - 1, [SHOP]), of([SHOP])), false)
    assert.equal(refuses(many(MOST, [SHOP]), of([SHOP])), true)
    assert.equal(refuses(many(MOST, [SHOP]), of([BLOG])), false)
    assert.equal(refuses([...many(MOST - 1, [SHOP]), of(null)], of([SHOP])), true, 'those of all count')
    const lists = [
      [SHOP, BLOG],
      [BLOG, SHOP],
    ] as const
    for (const projects of lists)
      assert.equal(refuses(many(MOST, [SHOP]), of(projects)), true, 'the busiest of several')
    assert.equal(refuses([...many(MOST, [SHOP]), of([BLOG])], of(null)), true, 'the busiest of all')
  })

  it('count once for a project that they name twice, and not at all while they are off or count nothing', () => {
    assert.equal(refuses(many(MOST / 2, [SHOP, SHOP]), of([SHOP])), false)
    const off = many(MOST, [SHOP]).map((rule) => ({ ...rule, isOn: false }))
    assert.equal(refuses(off, of([SHOP])), false)
    assert.equal(refuses(many(MOST, [SHOP]), of([SHOP], { isOn: false })), false)
    assert.equal(refuses(many(MOST, [SHOP]), anIssueRule({ on: 'new' }, { projects: [SHOP] })), false)
  })

  it('begin to count anew with another question, and with nothing else', () => {
    const rule = of([SHOP])
    assert.equal(countsOtherwise(rule, { ...rule, name: 'Other', everyMinutes: 5, notify: [] }), false)
    const others = [
      { ...rule, isOn: false },
      { ...rule, projects: [BLOG] },
      { ...rule, if: { ...rule.if, match: 'any' as const } },
      aMetricRule({ windowMinutes: 10 }, { projects: [SHOP] }),
    ]
    for (const other of others) assert.equal(countsOtherwise(rule, other), true)
  })

  it('lose the receiver that is gone, and are left alone without it', () => {
    const to = (channelId: number) =>
      ({ target: { to: 'channel', channelId }, fromLevel: 'warning' }) as const
    const rule = { ...of(null), notify: [to(1), to(2)] }
    assert.deepEqual(withoutChannel(rule, 1)?.notify, [to(2)])
    assert.equal(withoutChannel(rule, 3), null)
  })
})
