import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelMarks, spreadLabels } from './label-places.ts'
import { areaPath, linePath } from './paths.ts'
import { countScale, durationLogScale, durationScale, valueScale } from './scales.ts'
import { timeTicks } from './time-ticks.ts'

describe('an axis of values', () => {
  test('counts whole things, names three values at least and holds the peak', () => {
    for (const peak of [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 19, 36, 99, 100, 101, 999, 12_345, 1_284_410]) {
      const { ticks } = countScale(peak)
      assert.ok(ticks.length >= 3 && ticks.length <= 5, `${peak}: ${ticks.map(({ text }) => text).join()}`)
      assert.ok(
        ticks.every(({ value }) => Number.isInteger(value)),
        String(peak),
      )
      const top = ticks.at(-1)?.value ?? 0
      assert.ok(top >= peak && (peak < 3 || top <= peak * 2.5), `${peak} below ${top}`)
      assert.equal(ticks[0]?.value, 0)
    }
  })

  test('of durations goes up by round lengths of time', () => {
    assert.deepEqual(
      durationScale(190).ticks.map(({ text }) => text),
      ['0', '100 ms', '200 ms'],
    )
    assert.deepEqual(
      durationScale(5_400).ticks.map(({ text }) => text),
      ['0', '2 s', '4 s', '6 s'],
    )
    for (let peak = 0.5; peak < 1e7; peak *= 1.7) {
      const { ticks } = durationScale(peak)
      assert.ok(ticks.length >= 3 && ticks.length <= 5, `${peak}: ${ticks.length}`)
      assert.ok((ticks.at(-1)?.value ?? 0) >= peak)
    }
  })

  test('writes hours, days and millions short enough for its side', () => {
    const texts = ({ ticks }: { readonly ticks: readonly { readonly text: string }[] }) =>
      ticks.map(({ text }) => text)
    assert.deepEqual(texts(durationScale(86_400_000)), ['0', '12 h', '24 h'])
    assert.deepEqual(texts(durationScale(9 * 86_400_000)), ['0', '5 d', '10 d'])
    assert.deepEqual(texts(durationLogScale(1_000, 10_000_000)), ['1 s', '10 s', '60 s', '10 min', '2 h'])
    assert.deepEqual(texts(countScale(2_600_000_000)), ['0', '1,000 M', '2,000 M', '3,000 M'])
    for (const [from, to] of [
      [1, 1e9],
      [30_000, 60_000],
      [59_000, 61_000],
      [3_000_000, 90_000_000],
      [0.1, 1e10],
    ] as const) {
      const log = durationLogScale(from, to)
      const places = log.ticks.map(({ value }) => log.place(value))
      assert.ok(places.length >= 3 && places.length <= 9, `${from} to ${to}: ${texts(log).join()}`)
      assert.ok(
        places.every((place, at) => at === 0 || place - (places[at - 1] ?? 0) >= 0.09),
        `${from} to ${to}: ${texts(log).join()}`,
      )
      assert.ok(
        texts(log).every((text) => text.length <= 8),
        texts(log).join(),
      )
    }
  })

  test('clamps what lies beyond it', () => {
    const y = countScale(10)
    assert.deepEqual([y.place(-5), y.place(0), y.place(1e9)], [0, 0, 1])
    const log = durationLogScale(10, 1_000)
    assert.deepEqual([log.place(1), log.place(100), log.place(1e9)], [0, 0.5, 1])
    assert.equal(Math.round(log.valueAt(0.5)), 100)
    assert.ok(log.ticks.length >= 3)
  })

  test('has a middle where it was given too few names', () => {
    const { ticks } = valueScale({ base: 0, top: 1, text: (value) => `${value * 100} %`, ticks: [] })
    assert.deepEqual(
      ticks.map(({ text }) => text),
      ['0 %', '50 %', '100 %'],
    )
  })
})

describe('names on a chart', () => {
  const apart = (places: readonly number[]) =>
    places.toSorted((a, b) => a - b).every((y, at, all) => at === 0 || y - (all[at - 1] ?? 0) >= 13)

  test('stand at their lines, and none on another', () => {
    const within = { top: 10, bottom: 110 }
    assert.deepEqual(spreadLabels([100, 20], within), [100, 20])
    for (const wanted of [[50, 50], [50, 55, 52], [110, 110, 110], [10, 10, 10, 10], [0, 200], []]) {
      const places = spreadLabels(wanted, within)
      assert.ok(apart(places), `${wanted.join()}: ${places.join()}`)
      assert.ok(places.every((y) => y >= 10 && y <= 110))
    }
    // The order of the lines is that of their names.
    const [low, high] = spreadLabels([60, 58], within)
    assert.ok((high ?? 0) < (low ?? 0))
  })

  test('of marks have a second line, and where that is taken are left out, the oldest first', () => {
    const marks = [10, 12, 14, 60].map((atMs) => ({ atMs, kind: 'release' }))
    assert.deepEqual(
      labelMarks(marks, (at) => at).map(({ at, label, row }) => [at, label, row]),
      [
        [10, 'none', 0],
        [12, 'wide', 1],
        [14, 'wide', 0],
        [60, 'shown', 0],
      ],
    )
    assert.deepEqual(
      labelMarks(marks, (at) => at + 1_000),
      [],
    )
  })

  test('of marks near the end stand before their lines, and keep clear of those before them', () => {
    const placed = (...places: readonly number[]) =>
      labelMarks(
        places.map((atMs) => ({ atMs, kind: 'release', label: `at ${atMs}` })),
        (at) => at,
      ).map(({ label, row, isBefore }) => [label === 'none' ? null : row, isBefore])
    assert.deepEqual(placed(80, 81), [
      [1, false],
      [0, true],
    ])
    // 67 to 80, and 70 to 83.
    assert.deepEqual(placed(67, 83), [
      [1, false],
      [0, true],
    ])
    assert.deepEqual(placed(67, 93), [
      [0, false],
      [0, true],
    ])
  })

  test('of flags take what room those of releases leave, however new they are', () => {
    const kinds = [
      [30, 'flag'],
      [50, 'release'],
      [51, 'flag'],
      [52, 'flag'],
      [63, 'flag'],
    ] as const
    const marks = kinds.map(([atMs, kind]) => ({ atMs, kind, label: atMs < 60 ? 'one' : 'other' }))
    assert.deepEqual(
      labelMarks(marks, (at) => at).map(({ at, label, row }) => [at, label, row]),
      [
        [30, 'wide', 0],
        [50, 'shown', 0],
        [51, 'none', 0],
        [52, 'none', 0],
        [63, 'wide', 1],
      ],
    )
  })

  test('of several projects at one time are named once', () => {
    const marks = [
      { atMs: 20, label: '1.2.0' },
      { atMs: 49, label: '1.3.0' },
      { atMs: 49.5, label: '1.3.0' },
      { atMs: 50, label: '1.3.0' },
    ].map((mark) => ({ ...mark, kind: 'release' }))
    assert.deepEqual(
      labelMarks(marks, (at) => at).map(({ label }) => label !== 'none'),
      [true, true, false, true],
    )
  })

  test('of percentiles have a line each, however close they are', () => {
    const marks = [10, 10, 11, 90].map((atMs) => ({ atMs, kind: 'percentile' }))
    const placed = labelMarks(marks, (at) => at)
    assert.deepEqual(
      placed.map(({ label, row }) => [label, row]),
      [0, 1, 2, 3].map((row) => ['shown', row]),
    )
  })
})

describe('an axis of time', () => {
  test('names full hours, quarters and minutes, three at least', () => {
    const startMs = Date.UTC(2026, 10, 28, 0, 7)
    const at = (lengthMs: number) =>
      timeTicks({ startMs, endMs: startMs + lengthMs }, 'utc').map((part) =>
        new Date(Math.round(startMs + part * lengthMs)).toISOString().slice(11, 19),
      )
    assert.deepEqual(at(24 * 3_600_000), ['04:00:00', '08:00:00', '12:00:00', '16:00:00', '20:00:00'])
    assert.deepEqual(at(3_600_000).slice(0, 2), ['00:10:00', '00:20:00'])
    for (let length = 10_000; length < 48 * 3_600_000; length *= 1.9) {
      const ticks = at(length)
      assert.ok(ticks.length >= 3 && ticks.length <= 6, `${length}: ${ticks.join()}`)
    }
  })
})

test('a line breaks where nothing is known, and shows what stands alone', () => {
  const at = { step: 20, y: (value: number) => 10 - value }
  assert.equal(linePath([0, 10, null, 5, null], at), 'M10 10l20-10M70 5h0')
  assert.equal(linePath([], at), '')
  assert.equal(linePath([3], at), 'M10 7h0')
})

test('a line of many steps ends where its last value stands: what is rounded adds no error', () => {
  const values = Array.from({ length: 100 }, (_, slot) => slot / 30)
  const path = linePath(values, { step: 10 / 3, y: (value) => 20 - value })
  const steps = [...path.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number))
  const [x, y] = [0, 1].map((axis) =>
    steps.filter((_, at) => at % 2 === axis).reduce((sum, step) => sum + step, 0),
  )
  assert.deepEqual([x?.toFixed(1), y?.toFixed(1)], ['331.7', '16.7'])
})

test('an area reaches from edge to edge of what is known, and is not there where it has no height', () => {
  const at = { width: 40, y: (value: number) => 10 - value }
  assert.equal(areaPath({ from: [0, 0], to: [5, 5], ...at }), 'M0 5l10 0l20 0l10 0l0 5l-40 0z')
  assert.equal(
    areaPath({ from: [0, 2], to: [5, 5], ...at }),
    'M0 5l10 0l20 0l10 0l0 3l-10 0l-20 2l-10 0z',
    'a base that rises is followed',
  )
  assert.equal(areaPath({ from: [5, 5], to: [5, 5], ...at }), '')
  assert.equal(areaPath({ from: [0, 0], to: [null, null], ...at }), '')
})
