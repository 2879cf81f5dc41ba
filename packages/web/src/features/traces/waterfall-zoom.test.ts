import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SpanColumns } from './span-columns.ts'
import {
  clampView,
  REPEATS_MIN,
  repeatRuns,
  repeatsId,
  scaledView,
  treeOf,
  waterfallRows,
  zoomedAxis,
} from './waterfall.ts'

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
    ...{ critical: [], failed, behind200: [], kinds: {}, notes: {}, lcpMs: {} },
  }
}

describe('spans that say the same', () => {
  const kindsOf = (columns: SpanColumns, folded: ReadonlySet<string> = new Set()) =>
    waterfallRows(columns, treeOf(columns), { folded, find: '', errorSpans: [] }).map((row) =>
      row.kind === 'repeats' ? `+${row.count}` : row.kind,
    )

  test('are one line from five on, and all of them once it is opened', () => {
    assert.deepEqual(kindsOf(queries(REPEATS_MIN - 1)), ['span', ...Array(REPEATS_MIN - 1).fill('span')])
    assert.deepEqual(kindsOf(queries(REPEATS_MIN)), ['span', 'span', `+${REPEATS_MIN - 1}`])
    const open = new Set([repeatsId('s1')])
    assert.equal(kindsOf(queries(REPEATS_MIN), open).length, REPEATS_MIN + 1)
  })

  test('never hide one that failed or has an error', () => {
    const columns = queries(12, [6])
    assert.deepEqual(
      [...repeatRuns(columns, treeOf(columns), new Map())],
      [
        [1, 5],
        [7, 6],
      ],
    )
    const none = repeatRuns(columns, treeOf(columns), new Map([['s3', [0]]]))
    assert.deepEqual([...none], [[7, 6]])
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
