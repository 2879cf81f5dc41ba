import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { projectId } from '#base/ids.ts'
import type { Measure, MetricRule, MetricWhen } from '#model/alert-rule.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { aMetricRule, aRule } from '#testing/builders/alert-rule.ts'
import {
  lastWeekAsks,
  lastWeekValue,
  type MeasureOf,
  measureAsks,
  measuredOf,
  measureValue,
  type RuleFigures,
} from './measures.ts'

/** Half an hour behind an hour. */
const NOW = 500_000 * HOUR_MS + 30 * MINUTE_MS
const HOUR = 500_000
const PROJECTS = [projectId(1), projectId(2)]
const NONE: RuleFigures = { slots: [], outcomes: [], accepted: [], sessions: [], requestHours: [] }

function ruleOf(when: Partial<MetricWhen>): MetricRule {
  const rule = aRule(aMetricRule(when))
  return rule.kind === 'metric' ? rule : assert.fail('a metric rule')
}

const of = (measure: Measure, windowMinutes = 60): MeasureOf => ({
  ...{ rule: ruleOf({ measure, windowMinutes }), projects: PROJECTS, nowMs: NOW, release: null },
})
const requests = (name: 'requests' | 'failure-rate'): Measure => ({ of: name, route: '/a', kind: null })
const sums = (count: number, failed: number) => ({ count, failed, sketch: new DurationSketch() })

describe('a measure', () => {
  it('of lost items asks for the window that ends now', () => {
    const [asked] = measureAsks(of({ of: 'outcomes', outcomes: ['invalid'] }, 15)).outcomes ?? []
    assert.deepEqual(
      [asked?.startMs, asked?.endMs, asked?.outcomes, asked?.category],
      [NOW - 15 * MINUTE_MS, NOW, ['invalid'], null],
    )
    const { value, volume } = measureValue(of({ of: 'outcomes', outcomes: ['invalid'] }), {
      ...NONE,
      outcomes: [7],
    })
    assert.deepEqual([value, volume], [7, 7])
  })

  it('of sessions asks for whole hours with the one that has begun', () => {
    const hours = (windowMinutes: number) => {
      const [asked] = measureAsks(of({ of: 'crash-free', what: 'users' }, windowMinutes)).sessions ?? []
      return [asked?.startHour, asked?.endHour]
    }
    assert.deepEqual(
      [hours(60), hours(61), hours(120)],
      [
        [HOUR, HOUR + 1],
        [HOUR - 1, HOUR + 1],
        [HOUR - 1, HOUR + 1],
      ],
    )
  })

  it('of sessions or their people is a share, never below nothing, and unknown without any', () => {
    const free = (what: 'sessions' | 'users', all: number, crashed: number) => {
      const counts = {
        sessions: all,
        crashed,
        people: 2 * all,
        crashedPeople: crashed,
        errored: 0,
        unhandled: 0,
        abnormal: 0,
      }
      return measureValue(of({ of: 'crash-free', what }), { ...NONE, sessions: [counts] }).value
    }
    assert.deepEqual(
      [free('sessions', 4, 1), free('users', 4, 1), free('sessions', 1, 2), free('sessions', 0, 0)],
      [75, 87.5, 0, null],
    )
  })

  it('of silence is that of the project that said least, of those that ever said anything', () => {
    const silence = (...accepted: readonly (number | null)[]) =>
      measureValue(of({ of: 'silence' }), { ...NONE, accepted }).value
    const [soon, late] = [NOW - MINUTE_MS, NOW - 5 * MINUTE_MS]
    assert.deepEqual(
      [silence(soon, late), silence(late, soon), silence(null, soon), silence(null)],
      [5, 5, 1, null],
    )
  })

  it('of failures is a share of requests, at most all of them', () => {
    const rate = (count: number, failed: number) =>
      measuredOf(requests('failure-rate'), sums(count, failed)).value
    assert.deepEqual([rate(4, 1), rate(1, 2), rate(0, 0)], [25, 100, null])
  })

  it('of apdex counts what is quick whole, and what is bearable half', () => {
    const apdex = (...durations: readonly number[]) => {
      const sketch = new DurationSketch()
      for (const ms of durations) sketch.add(ms)
      return measuredOf(
        { of: 'apdex', thresholdMs: 100, route: null, kind: null },
        { count: 1, failed: 0, sketch },
      ).value
    }
    assert.deepEqual(
      [apdex(90), apdex(110), apdex(390), apdex(410), apdex(90, 410), apdex()],
      [1, 0.5, 0.5, 0, 0.5, null],
    )
  })
})

describe('the same hour last week', () => {
  const hours = (measure: Measure, windowMinutes: number) => {
    const [asked] = lastWeekAsks(of(measure, windowMinutes))?.requestHours ?? []
    return [asked?.startHour, asked?.endHour]
  }

  it('ends with the hour that began a week ago, and is as long as the window', () => {
    assert.deepEqual(hours(requests('requests'), 60), [HOUR - 168, HOUR - 167])
    assert.deepEqual(hours(requests('requests'), 5), [HOUR - 168, HOUR - 167])
    assert.deepEqual(hours(requests('requests'), 120), [HOUR - 169, HOUR - 167])
  })

  it('is in proportion to the window where something is counted, and not where it is a share', () => {
    const row = { hour: HOUR - 168, count: 60, failed: 15, sketch: new DurationSketch().toBytes() }
    const then = (name: 'requests' | 'failure-rate', windowMinutes: number) =>
      lastWeekValue(of(requests(name), windowMinutes), { ...NONE, requestHours: [[row]] })
    assert.deepEqual([then('requests', 60), then('requests', 5), then('failure-rate', 5)], [60, 5, 25])
    assert.equal(lastWeekValue(of({ of: 'events' }, 30), { ...NONE, outcomes: [60] }), 30)
  })

  it('is unknown of people and silence', () => {
    assert.deepEqual([lastWeekAsks(of({ of: 'users' })), lastWeekAsks(of({ of: 'silence' }))], [null, null])
    const [asked] = lastWeekAsks(of({ of: 'events' }))?.outcomes ?? []
    assert.deepEqual([asked?.outcomes, asked?.category], [['accepted'], 'error'])
  })
})
