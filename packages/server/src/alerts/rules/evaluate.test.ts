import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueRule } from '#model/alert-rule.ts'
import { anIssueRule, aRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import type { Candidate } from './alert-store.ts'
import { stretchOf } from './evaluate.ts'
import { STEP_COSTS } from './turn-work.ts'

const rules = (count: number): readonly IssueRule[] =>
  Array.from({ length: count }, (_, at) => {
    const rule = aRule(anIssueRule({ on: 'new' }), { id: at + 1 })
    return rule.kind === 'issue' ? rule : assert.fail('an issue rule')
  })
const candidate = (id: number, change: Partial<Candidate> = {}): Candidate => ({
  ...{
    id,
    projectId: projectId(1),
    issueId: issueId(id),
    moment: 'touched',
    atMs: NOW,
    progress: null,
    ...change,
  },
})
const planned = (waiting: readonly Candidate[], count: number) =>
  stretchOf(waiting, () => rules(count)).map((one) => [one.candidate.id, one.rules.length, one.isCut])
const MOST = max('alertTurnStepsMax') / 4

describe('a stretch of what waits', () => {
  it('takes a part of the steps of a turn, and stops in the midst of rules', () => {
    assert.deepEqual(planned([candidate(1), candidate(2)], MOST - 1), [
      [1, MOST - 1, false],
      [2, 1, true],
    ])
    assert.deepEqual(planned([candidate(1), candidate(2)], MOST), [[1, MOST, false]])
    assert.deepEqual(planned([candidate(1)], MOST + 1), [[1, MOST, true]])
  })

  it('counts what preset rules look at, and ends before the same issue is theirs again', () => {
    const few = MOST / STEP_COSTS.preset
    const begun = Array.from({ length: few + 1 }, (_, at) => candidate(at + 1, { moment: 'new' }))
    assert.equal(planned(begun, 0).length, few)
    const looked = begun.map((one) => ({ ...one, progress: { after: 0, escalation: null } }))
    assert.equal(planned(looked, 0).length, few + 1)
    const same = { issueId: issueId(9) }
    const twice = [candidate(1, { ...same, moment: 'new' }), candidate(2, { ...same, moment: 'touched' })]
    const third = candidate(3, { ...same, moment: 'regressed' })
    assert.deepEqual(
      planned([...twice, third], 0).map(([id]) => id),
      [1, 2],
    )
  })

  it('goes on behind the rule that looked last', () => {
    const [one] = stretchOf([candidate(1, { progress: { after: 2, escalation: null } })], () => rules(3))
    assert.deepEqual(
      one?.rules.map(({ id }) => id),
      [3],
    )
  })

  it('leaves out rules that were made after what they would tell', () => {
    const made = [NOW - 1, NOW, NOW + 1].map((createdMs, at) => {
      const rule = aRule(anIssueRule({ on: 'new' }), { id: at + 1, createdMs })
      return rule.kind === 'issue' ? rule : assert.fail('an issue rule')
    })
    const [one] = stretchOf([candidate(1, { moment: 'new', atMs: NOW })], () => made)
    assert.deepEqual(
      one?.rules.map(({ id }) => id),
      [1, 2],
    )
  })

  it('ends before an issue that was resolved in it', () => {
    const same = { issueId: issueId(9) }
    const waiting = [
      candidate(1, { ...same, moment: 'resolved' }),
      candidate(2),
      candidate(3, { ...same, moment: 'regressed' }),
    ]
    assert.deepEqual(
      planned(waiting, 1).map(([id]) => id),
      [1, 2],
    )
    assert.deepEqual(
      planned(waiting.slice(2), 1).map(([id]) => id),
      [3],
    )
  })
})
