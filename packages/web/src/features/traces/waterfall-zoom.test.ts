import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SpanColumns } from './span-columns.ts'
import { treeOf } from './span-tree.ts'
import { clampView, foldedAtFirst, scaledView, waterfallRows, zoomedAxis } from './waterfall.ts'
import { REPEATS_MIN, repeatsId, repeatsOf } from './waterfall-repeats.ts'

/** A parent with so many queries below it, of which those named fail. */
function queries(count: number, failed: readonly number[] = []): SpanColumns {
  const places = Array.from({ length: count + 1 }, (_, place) => place)
  return {
    ...{ texts: ['http.server', 'GET /', 'db', 'SELECT 1'], id: places.map((place) => `s${place}`) },
    depth: places.map((place) => (place === 0 ? 0 : 1)),
    op: places.map((place) => (place === 0 ? 0 : 2)),
    name: places.map((place) => (place === 0 ? 1 : 3)),
    startMs: places,
    tookMs: places.map(() => 1),
    ownMs: places.map(() => 1),
    ...{ services: ['shop'], service: places.map(() => 0), sides: places.map(() => 's').join('') },
    ...{ critical: [], failed, behind200: [], orphans: [], kinds: {}, notes: {}, lcpMs: {} },
  }
}

/** Spans by their depth and name, in the order of a tree. */
function named(spans: readonly (readonly [depth: number, name: string])[], more: Partial<SpanColumns> = {}) {
  return {
    ...queries(spans.length - 1),
    ...{ texts: ['op', ...spans.map(([, name]) => name)], depth: spans.map(([depth]) => depth) },
    ...{ op: spans.map(() => 0), name: spans.map((_, place) => place + 1) },
    ...more,
  }
}

const six = <T>(of: (nth: number) => T): readonly T[] => [0, 1, 2, 3, 4, 5].map(of)

describe('spans that say the same', () => {
  const repeatsIn = (
    columns: SpanColumns,
    errors: ReadonlyMap<string | null, readonly number[]> = new Map(),
  ) => [...repeatsOf(columns, treeOf(columns), errors)]
  const rowsOf = (columns: SpanColumns, folded: ReadonlySet<string> = new Set()) =>
    waterfallRows(columns, treeOf(columns), { folded, find: '', errorSpans: [] }).map((row) => {
      if (row.kind === 'repeats') return `${row.isOpen ? '-' : '+'}${row.others.length}`
      return row.kind === 'span' ? (columns.texts[columns.name[row.place] ?? -1] ?? '') : row.kind
    })

  test('are one line from five on, and all of them once it is opened', () => {
    assert.equal(rowsOf(queries(REPEATS_MIN - 1)).length, REPEATS_MIN)
    assert.deepEqual(rowsOf(queries(REPEATS_MIN)), ['GET /', 'SELECT 1', `+${REPEATS_MIN - 1}`])
    const open = new Set([repeatsId('s1')])
    const all = ['GET /', 'SELECT 1', `-${REPEATS_MIN - 1}`, ...Array(REPEATS_MIN - 1).fill('SELECT 1')]
    assert.deepEqual(rowsOf(queries(REPEATS_MIN), open), all)
  })

  test('never hide one that failed or has an error, itself or below it', () => {
    const columns = queries(12, [6])
    const others = [2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
    assert.deepEqual(repeatsIn(columns), [[1, others]])
    assert.deepEqual(repeatsIn(columns, new Map([['s3', [0]]])), [[1, others.filter((place) => place !== 3)]])
    const below = named(
      [
        [0, 'GET /'],
        ...six(
          () =>
            [
              [1, 'load'],
              [2, 'SELECT'],
            ] as const,
        ).flat(),
      ],
      {
        failed: [4],
      },
    )
    assert.deepEqual(repeatsIn(below), [[1, [5, 7, 9, 11]]])
  })

  test('are found between others, and with whatever differs in them by a value alone', () => {
    const columns = named([
      [0, 'GET /'],
      ...six(
        (nth) =>
          [
            [1, `SELECT ${nth}`],
            [1, `cache.get 'order ${'x'.repeat(nth)}'`],
          ] as const,
      ).flat(),
      [1, 'SELECT orders'],
    ])
    assert.deepEqual(rowsOf(columns), [
      'GET /',
      'SELECT 0',
      '+5',
      "cache.get 'order '",
      '+5',
      'SELECT orders',
    ])
    const open = rowsOf(columns, new Set([repeatsId('s1')]))
    assert.deepEqual(open.slice(0, 6), ['GET /', 'SELECT 0', '-5', "cache.get 'order '", '+5', 'SELECT 1'])
  })

  test('are alike with all that is below them, which stands above their line', () => {
    const load = (below: string) =>
      [
        [1, 'load'],
        [2, below],
      ] as const
    const columns = named([[0, 'GET /'], ...six(() => load('SELECT')).flat(), ...load('UPDATE'), [0, 'next']])
    assert.deepEqual(rowsOf(columns), ['GET /', 'load', 'SELECT', '+5', 'load', 'UPDATE', 'next'])
    assert.deepEqual(rowsOf(columns, new Set(['s1'])), ['GET /', 'load', '+5', 'load', 'UPDATE', 'next'])
    const answered = named([[0, 'GET /'], ...six(() => [1, 'call'] as const)], { notes: { 3: '404' } })
    assert.deepEqual(repeatsIn(answered), [[1, [2, 4, 5, 6]]])
  })

  test('begin open where one of them is chosen, and closed where the first is', () => {
    const columns = queries(6)
    const first = (chosen: string) => [...foldedAtFirst(columns, treeOf(columns), { chosen, errorSpans: [] })]
    assert.deepEqual(first('s2'), [repeatsId('s1')])
    assert.deepEqual(first('s1'), [])
  })
})

describe('the part of a trace that is in view', () => {
  test('is drawn on an axis of its own', () => {
    assert.equal(zoomedAxis(1_000, null).zoom, null)
    const { zoom, ticks, spanMs } = zoomedAxis(1_000, { startMs: 285, endMs: 570 })
    assert.deepEqual([spanMs, zoom], [1_140, { x: '-100%', width: '400%' }])
    assert.ok(ticks.every((tick) => tick >= 250 && tick <= 600) && ticks.length > 3, ticks.join())
  })

  test('is halved and doubled around its middle, within the trace', () => {
    assert.deepEqual(scaledView(1_000, null, 0.5), { startMs: 250, endMs: 750 })
    assert.deepEqual(scaledView(1_000, { startMs: 0, endMs: 400 }, 2), { startMs: 0, endMs: 800 })
    assert.equal(scaledView(1_000, { startMs: 100, endMs: 700 }, 2), null)
  })

  test('has room around a stretch, whichever way it was dragged', () => {
    assert.deepEqual(clampView(1_000, 300, 200), { startMs: 190, endMs: 310 })
    assert.equal(clampView(1_000, 0, 1_000), null)
  })
})
