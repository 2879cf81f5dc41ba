import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '#base/durations.ts'
import type { MetricWhen, RuleState } from '#model/alert-rule.ts'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import { isChanged, isEnough, type Stepping, stepOf } from './evaluate-metrics.ts'
import { CALM } from './storms.ts'

const rule = (change: Partial<MetricWhen> = {}, everyMinutes = 60) => {
  const draft = aMetricRule(change, { everyMinutes })
  return draft.kind === 'metric' ? draft : assert.fail('a metric rule')
}
const before = (level: RuleState, change: Partial<Stepping['before']> = {}): Stepping['before'] => ({
  ...{
    ...CALM,
    level,
    sinceMs: 0,
    firingId: level === 'ok' ? null : 7,
    value: level === 'ok' ? null : 8,
    ...change,
  },
})
const stepTo = (level: RuleState, given: Partial<Stepping>) =>
  stepOf({ rule: rule(), before: before('ok'), value: 8, nowMs: NOW, ...given, level })
/** Which receivers are told: of warnings, of critical alone. */
const hearing = (step: ReturnType<typeof stepOf>) =>
  (['warning', 'critical'] as const).filter((fromLevel) => step.say?.to({ fromLevel }) ?? false)

describe('a metric rule', () => {
  it('concludes from as much as it asks for, of silence from anything', () => {
    const enough = (volume: number) => isEnough(rule({ atLeast: 5 }).when, { volume })
    assert.deepEqual([enough(4), enough(5), enough(6)], [false, true, true])
    assert.equal(isEnough(rule({ atLeast: 5, measure: { of: 'silence' } }).when, { volume: 0 }), true)
  })

  it('is a change with as many times of last week, below as many times less, and always without one', () => {
    const above = (value: number, then: number | null) =>
      isChanged({ timesLastWeek: 2, direction: 'above' }, value, then)
    const below = (value: number, then: number) =>
      isChanged({ timesLastWeek: 2, direction: 'below' }, value, then)
    assert.deepEqual([above(9, 5), above(10, 5), above(11, 5), above(1, null)], [false, true, true, true])
    assert.deepEqual([below(6, 10), below(5, 10), below(4, 10)], [false, true, true])
  })

  it('begins a firing, told to those that hear of its level', () => {
    const [warned, critical] = [stepTo('warning', {}), stepTo('critical', {})]
    assert.deepEqual(
      [warned.firing?.level, critical.firing?.level, warned.say?.moment, hearing(warned), hearing(critical)],
      ['warning', 'critical', 'fired', ['warning'], ['warning', 'critical']],
    )
    assert.equal(stepTo('ok', {}).say, null)
  })

  it('that gets worse tells everybody, and one that gets better those that hear of critical alone', () => {
    const worse = stepTo('critical', { before: before('warning') })
    assert.deepEqual(
      [worse.say?.moment, worse.change?.level, hearing(worse)],
      [...['fired', 'critical'], ['warning', 'critical']],
    )
    const better = stepTo('warning', { before: before('critical') })
    assert.deepEqual(
      [better.say?.moment, better.say?.level, hearing(better)],
      ['resolved', 'ok', ['critical']],
    )
  })

  it('that is over tells those that heard of it', () => {
    const over = (level: RuleState) => stepTo('ok', { before: before(level) })
    assert.deepEqual(
      [hearing(over('warning')), hearing(over('critical'))],
      [['warning'], ['warning', 'critical']],
    )
    assert.deepEqual([over('warning').change?.endedMs, over('warning').state.firingId], [NOW, null])
  })

  it('that lasts is told of again after its period, and never without one', () => {
    const told = (agoMs: number | null, everyMinutes = 60) =>
      stepTo('warning', {
        rule: rule({}, everyMinutes),
        before: before('warning', { toldMs: agoMs === null ? null : NOW - agoMs }),
      }).say?.moment
    const hour = 60 * MINUTE_MS
    assert.deepEqual([told(hour - 1), told(hour), told(hour + 1)], [undefined, 'still', 'still'])
    assert.deepEqual([told(10 * hour, 0), told(null)], [undefined, undefined])
  })

  it('keeps the worst value of a firing', () => {
    const extreme = (value: number) => stepTo('warning', { before: before('warning'), value }).change?.extreme
    assert.deepEqual([extreme(7), extreme(8), extreme(9)], [undefined, undefined, 9])
  })
})
