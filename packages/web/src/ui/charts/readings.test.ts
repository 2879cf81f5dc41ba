import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cellSteps } from './cell-steps.ts'
import type { ChartPlot, ChartX } from './chart-types.ts'
import { cursorRange, rowAt } from './cursor-range.ts'
import { flagsIn, hasAny, readingsOf, releaseAt, slotAt, slotBounds, slotText } from './readings.ts'
import { countScale, durationLogScale } from './scales.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 20, 8)
const time: ChartX = { kind: 'time', startMs: START, stepMs: HOUR, count: 4, isRunning: true }
const log: ChartX = { kind: 'log', fromMs: 10, toMs: 1_000, count: 4 }

test('a line along the top of its own area is read once', () => {
  const views = { name: 'Page views', tone: 'bar', values: [3, 4, 5, 6] } as const
  const plot: ChartPlot = {
    ...{ height: 40, y: countScale(6) },
    series: [
      { ...views, as: 'area' },
      { ...views, as: 'line' },
    ],
  }
  assert.deepEqual(
    readingsOf(plot, { x: time, slot: 1 }).map(({ name, text }) => [name, text]),
    [['Page views', '4']],
  )
})

test('a line at zero has something to tell, a bar of zero has not', () => {
  const plotOf = (as: 'line' | 'bar'): ChartPlot => ({
    ...{ height: 40, y: countScale(1) },
    series: [{ name: 'p75', tone: 'ink', as, values: [0, null, 1, null] }],
  })
  const told = (as: 'line' | 'bar') => [0, 1, 2].map((slot) => hasAny(plotOf(as), time, slot))
  assert.deepEqual(told('line'), [true, false, true])
  assert.deepEqual(told('bar'), [false, false, true])
})

describe('a slot', () => {
  test('is found by a time or a duration, its ends included and excluded', () => {
    assert.deepEqual(
      [slotAt(time, START), slotAt(time, START + HOUR - 1), slotAt(time, START + HOUR)],
      [0, 0, 1],
    )
    assert.deepEqual([slotAt(time, START - 1), slotAt(time, START + 4 * HOUR)], [null, null])
    assert.deepEqual([slotAt(log, 10), slotAt(log, 101), slotAt(log, 1_001)], [0, 2, null])
    assert.deepEqual(slotBounds(log, 0).map(Math.round), [10, 32])
  })

  test('says from when to when, that it is running, and whole days by their date', () => {
    assert.equal(slotText(time, 1, 'utc'), '20 Nov, 09:00 to 10:00')
    assert.equal(slotText(time, 3, 'utc'), '20 Nov, 11:00 to 12:00, still running')
    const day = 24 * HOUR
    const days: ChartX = { kind: 'time', startMs: Date.UTC(2026, 10, 20), stepMs: day, count: 2 }
    assert.equal(slotText(days, 1, 'utc'), '21 Nov (UTC)')
    const late: ChartX = { kind: 'time', startMs: START, stepMs: day, count: 2 }
    assert.equal(slotText(late, 0, 'utc'), '20 Nov, 08:00 to 21 Nov, 08:00')
  })

  test('names the newest release that began before its end', () => {
    const mark = (label: string, atMs: number) => ({ atMs, kind: 'release' as const, name: label, label })
    const marks = [mark('2', START + 90 * 60_000), mark('1', START)]
    assert.deepEqual(
      [1, 2, 3].map((hours) => releaseAt(marks, START + hours * HOUR)),
      ['1', '2', '2'],
    )
    assert.equal(releaseAt(marks, START), null)
  })
})

test('a slot names the flags that were changed in it, when and by whom', () => {
  const mark = (label: string, atMs: number) => ({
    ...{ atMs, kind: 'flag' as const, label, name: `${label} was changed by Ada` },
  })
  const release = { atMs: START + HOUR, kind: 'release' as const, label: '1', name: '1' }
  const marks = [
    mark('early', START + HOUR - 1),
    mark('first', START + HOUR),
    mark('last', START + 2 * HOUR - 1),
  ]
  const named = (x: ChartX, slot: number) => flagsIn([...marks, release], { x, slot, zone: 'utc' })
  assert.deepEqual(named(time, 1), [
    'first was changed by Ada, 20 Nov, 09:00',
    'last was changed by Ada, 20 Nov, 09:59',
  ])
  assert.deepEqual(named(time, 2), [])
  assert.deepEqual(named(log, 1), [])
  assert.equal(releaseAt(marks, START + 4 * HOUR), null)
})

test('what is not known reads "none", and zero reads as zero', () => {
  const plot: ChartPlot = {
    height: 100,
    y: countScale(5, 'per h'),
    series: [{ name: 'Events', as: 'bar', tone: 'bar', values: [5, null, 0] }],
  }
  const texts = [0, 1, 2].map((slot) => readingsOf(plot, { x: time, slot })[0]?.text)
  assert.deepEqual(texts, ['5 per h', 'none', '0 per h'])
})

describe('a heat map', () => {
  const rows = [
    { from: 10, to: 100 },
    { from: 100, to: 1_000 },
  ]
  const plot: ChartPlot = {
    height: 100,
    y: durationLogScale(10, 1_000),
    series: [],
    cells: {
      rows,
      counts: [
        [3, 1],
        [0, 0],
        [0, 2],
        [1, 1],
      ],
      unit: 'requests',
    },
  }

  test('says how many are in a cell and in its slot', () => {
    assert.deepEqual(
      readingsOf(plot, { x: time, slot: 0, row: 1 }).map(({ name, text }) => [name, text]),
      [
        ['100 ms to 1.00 s', '1'],
        ['All requests', '4'],
      ],
    )
  })

  test('is chosen from by slots and rows, in whichever direction, or by time alone', () => {
    const of = { x: time, plots: [plot] }
    const box = cursorRange(of, { from: { slot: 2, row: 1 }, to: { slot: 1, row: 0 } })
    assert.deepEqual(box, { from: START + HOUR, to: START + 3 * HOUR, low: 10, high: 1_000 })
    const span = cursorRange(of, { from: { slot: 0, row: null }, to: { slot: 0, row: null } })
    assert.deepEqual(span, { from: START, to: START + HOUR })
    assert.deepEqual([rowAt(of, 99), rowAt(of, 1), rowAt(of, -50), rowAt(of, 500)], [0, 1, 1, 0])
  })

  test('has as many steps as its numbers need, each above the one before', () => {
    for (const most of [1, 2, 3, 5, 28, 1_000, 1_284_410]) {
      const steps = cellSteps({ counts: [[most]] })
      assert.ok(steps.length >= 1 && steps.length <= 5)
      assert.ok(
        steps.every((step, at) => step <= most && step > (steps[at - 1] ?? 0)),
        `${most}: ${steps.join()}`,
      )
    }
  })
})

test('a slot has something to tell where a value is not zero, a cell counts, or a request began', () => {
  const of = { height: 100, y: countScale(10) }
  const bars: ChartPlot = {
    ...of,
    series: [{ name: 'a', as: 'bar', tone: 'bar', values: [0, 1, null, 2] }],
  }
  const rows = [{ from: 1, to: 10 }]
  const cells: ChartPlot = {
    ...{ ...of, series: [] },
    cells: { rows, counts: [[0], [1], [], [2]], unit: 'requests' },
  }
  const point = (atMs: number) => ({ key: String(atMs), atMs, value: 1, look: 'normal' as const })
  const points: ChartPlot = {
    ...{ ...of, series: [] },
    points: [point(START + HOUR), point(START + 4 * HOUR - 1)],
  }
  const found = [bars, cells, points].map((plot) => [0, 1, 2, 3].map((slot) => hasAny(plot, time, slot)))
  const told = [false, true, false, true]
  assert.deepEqual(found, [told, told, told])
})
