import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SpanColumns } from './span-columns.ts'
import { treeOf } from './span-tree.ts'
import {
  axisOf,
  durationTickText,
  foldedAtFirst,
  nextMatch,
  ownStretches,
  rowKey,
  stepFrom,
  type WaterfallRow,
  type WaterfallTimes,
  waterfallRows,
  zoomedAxis,
} from './waterfall.ts'
import { orderedRows, serviceId } from './waterfall-orders.ts'

/** A request with two children, the second with one, and a tree beside it. */
const SPANS: readonly (readonly [
  id: string,
  depth: number,
  name: string,
  startMs: number,
  tookMs: number,
])[] = [
  ['a', 0, 'GET /orders', 0, 100],
  ['b', 1, 'session', 10, 20],
  ['c', 1, 'OrderPage', 40, 40],
  ['d', 2, 'SELECT orders', 50, 10],
  ['e', 0, 'GET /cart', 120, 30],
]

function columnsOf(spans: typeof SPANS, more: Partial<SpanColumns> = {}): SpanColumns {
  return {
    texts: ['op', ...spans.map(([, , name]) => name)],
    id: spans.map(([id]) => id),
    depth: spans.map(([, depth]) => depth),
    op: spans.map(() => 0),
    name: spans.map((_, place) => place + 1),
    startMs: spans.map(([, , , startMs]) => startMs),
    tookMs: spans.map(([, , , , tookMs]) => tookMs),
    ownMs: spans.map(() => 0),
    sides: 's'.repeat(spans.length),
    ...{ services: ['shop'], service: spans.map(() => 0) },
    ...{ critical: [], failed: [], behind200: [], orphans: [], kinds: {}, notes: {}, lcpMs: {} },
    ...more,
  }
}

const COLUMNS = columnsOf(SPANS)
const TREE = treeOf(COLUMNS)
const NOTHING = { folded: new Set<string>(), find: '', errorSpans: [] }

/** Rows in short: the id of a span, `!` and the place of an error, a service and its spans, `lcp`. */
function shown(rows: readonly WaterfallRow[], columns = COLUMNS): readonly (string | undefined)[] {
  return rows.map((row) => {
    if (row.kind === 'repeats') return `+${row.others.length}`
    if (row.kind === 'service') return `${columns.services[row.service]} ${row.spans}`
    return row.kind === 'span' ? columns.id[row.place] : row.kind === 'error' ? `!${row.at}` : 'lcp'
  })
}

describe('other orders than the tree', () => {
  const columns = columnsOf(SPANS, {
    ...{ startMs: [0, 60, 40, 50, 20], services: ['shop', 'stock'], service: [0, 0, 1, 1, 0] },
    lcpMs: { 4: 90 },
  })
  const of = (order: 'flat' | 'service', choice: Partial<typeof NOTHING> & { folded?: Set<string> } = {}) =>
    orderedRows(order, columns, {
      tree: TREE,
      choice: { ...NOTHING, errorSpans: ['d', null], ...choice },
    })

  it('shows all by their start, with errors and paints at their spans', () => {
    assert.deepEqual(shown(of('flat'), columns), ['a', 'e', 'lcp', 'c', 'd', '!0', 'b', '!1'])
    assert.deepEqual(shown(of('flat', { find: 'select' }), columns), ['d', '!0', '!1'])
    assert.ok(of('flat', { folded: new Set(['a']) }).length === 8)
  })

  it('shows services by their first span, each with its own, folded or not', () => {
    const all = ['shop 3', 'a', 'e', 'lcp', 'b', 'stock 2', 'c', 'd', '!0', '!1']
    assert.deepEqual(shown(of('service'), columns), all)
    const folded = new Set([serviceId(0)])
    assert.deepEqual(shown(of('service', { folded }), columns), ['shop 3', 'stock 2', 'c', 'd', '!0', '!1'])
    assert.deepEqual(shown(of('service', { folded, find: 'cart' }), columns), ['shop 1', 'e', 'lcp', '!1'])
  })
})

describe('rows of a waterfall', () => {
  it('knows parents and children by depth alone', () => {
    assert.deepEqual(TREE.parents, [-1, 0, 0, 2, -1])
    assert.deepEqual(TREE.children, [[1, 2], [], [3], [], []])
  })

  it('hides what is below a folded span, however deep', () => {
    assert.deepEqual(shown(waterfallRows(COLUMNS, TREE, NOTHING)), ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(shown(waterfallRows(COLUMNS, TREE, { ...NOTHING, folded: new Set(['c']) })), [
      'a',
      'b',
      'c',
      'e',
    ])
    assert.deepEqual(shown(waterfallRows(COLUMNS, TREE, { ...NOTHING, folded: new Set(['a', 'c']) })), [
      'a',
      'e',
    ])
  })

  it('puts errors below their span, and those whose span never came at the end', () => {
    const errorSpans = ['c', null, 'never-came', 'c']
    const rows = waterfallRows(COLUMNS, TREE, { ...NOTHING, errorSpans })
    assert.deepEqual(shown(rows), ['a', 'b', 'c', '!0', '!3', 'd', 'e', '!1', '!2'])
    assert.deepEqual(
      rows.map(({ depth }) => depth),
      [0, 1, 1, 2, 2, 2, 0, 0, 0],
    )
    assert.deepEqual(
      shown(waterfallRows(columnsOf([]), treeOf(columnsOf([])), { ...NOTHING, errorSpans: [null] })),
      ['!0'],
    )
  })

  it('has a row for the largest paint that a page load measured, and none beside a span that is one', () => {
    const measured = columnsOf(SPANS, { lcpMs: { 0: 70 } })
    assert.deepEqual(shown(waterfallRows(measured, TREE, NOTHING)), ['a', 'lcp', 'b', 'c', 'd', 'e'])
    const own = columnsOf(SPANS, { lcpMs: { 1: 30 }, texts: ['ui.webvital.lcp', ...COLUMNS.texts.slice(1)] })
    assert.deepEqual(shown(waterfallRows(own, TREE, NOTHING)), ['a', 'b', 'c', 'd', 'e'])
  })

  it('finds by name or id, folded or not, and keeps what is above', () => {
    const find = (text: string) =>
      waterfallRows(COLUMNS, TREE, { ...NOTHING, folded: new Set(['a']), find: text })
    const rows = find('select')
    assert.deepEqual(shown(rows), ['a', 'c', 'd'])
    assert.deepEqual(
      rows.map((row) => row.kind === 'span' && row.isMatch),
      [false, false, true],
    )
    assert.deepEqual(shown(find('e')).at(-1), 'e')
    assert.deepEqual(shown(find('no such')), [])
    const match = nextMatch(rows, 'span-0')
    assert.equal(match === undefined ? null : rowKey(match), 'span-3')
    const round = nextMatch(rows, 'span-3')
    assert.equal(round === undefined ? null : rowKey(round), 'span-3')
  })

  it('steps from row to row and stops at the ends', () => {
    const rows = waterfallRows(COLUMNS, TREE, NOTHING)
    const step = (key: string, by: number) => {
      const row = stepFrom(rows, key, by)
      return row === undefined ? null : rowKey(row)
    }
    assert.equal(step('span-1', 1), 'span-2')
    assert.equal(step('span-0', -1), 'span-0')
    assert.equal(step('span-1', Number.POSITIVE_INFINITY), 'span-4')
    assert.equal(step('span-99', 1), 'span-0')
  })

  it('opens a trace of thousands with its outline, but what failed unfolded', () => {
    const first = (chosen: string | null) => ({ chosen, errorSpans: [] })
    /** No two are alike. */
    const word = (nth: number) => 'x'.repeat(nth)
    const many = (count: number) =>
      columnsOf([
        ['root', 0, '', 0, 1],
        ['calm', 1, '', 0, 1],
        ...Array.from({ length: count }, (_, nth) => [`c${nth}`, 2, word(nth), 0, 1] as const),
        ['bad', 1, '', 0, 1],
        ...Array.from({ length: count }, (_, nth) => [`b${nth}`, 2, word(nth), 0, 1] as const),
      ])
    const few = many(60)
    assert.deepEqual([...foldedAtFirst(few, treeOf(few), first(null))], [])
    const columns = { ...many(600), failed: [2 + 600 + 5] }
    assert.deepEqual([...foldedAtFirst(columns, treeOf(columns), first(null))], ['calm'])
    assert.deepEqual([...foldedAtFirst(columns, treeOf(columns), first('c7'))], [])
  })
})

const ticksOf = ({ ticks, stepMs }: Pick<WaterfallTimes, 'ticks' | 'stepMs'>) =>
  ticks.map((ms) => durationTickText(ms, stepMs))

describe('times of a waterfall', () => {
  it('knows when a span did something itself', () => {
    assert.deepEqual(ownStretches(COLUMNS, TREE, 0), [
      { fromMs: 0, toMs: 10 },
      { fromMs: 30, toMs: 40 },
      { fromMs: 80, toMs: 100 },
    ])
    assert.deepEqual(ownStretches(COLUMNS, TREE, 1), [])
    const beyond = columnsOf([
      ['a', 0, '', 0, 100],
      ['b', 1, '', 60, 100],
      ['c', 1, '', 0, 50],
      ['d', 1, '', 10, 20],
    ])
    assert.deepEqual(ownStretches(beyond, treeOf(beyond), 0), [{ fromMs: 50, toMs: 60 }])
  })

  it('has at most eight ticks at round times, and room behind the last bar', () => {
    for (const totalMs of [0, 0.4, 7, 99, 1_420, 61_000, 150_000, 3_600_000, 86_402_000]) {
      const { spanMs, ticks } = axisOf(totalMs)
      assert.ok(ticks.length >= 3 && ticks.length <= 8, `${totalMs}: ${ticks.length}`)
      assert.ok(spanMs > totalMs, String(totalMs))
    }
    assert.deepEqual(ticksOf(axisOf(1_420)), ['0', '250 ms', '500 ms', '750 ms', '1 s', '1.25 s', '1.5 s'])
    assert.deepEqual(ticksOf(axisOf(600_060)), ['0', '2 min', '4 min', '6 min', '8 min', '10 min'])
    assert.deepEqual(ticksOf(axisOf(150_000)), ['0', '30 s', '1 min', '90 s', '2 min', '2 min 30 s'])
    assert.deepEqual(ticksOf(axisOf(5_400_000)), [
      '0',
      '15 min',
      '30 min',
      '45 min',
      '1 h',
      '1 h 15 min',
      '1 h 30 min',
    ])
  })

  it('tells ticks apart, however near they are', () => {
    const at = (startMs: number, endMs: number) => ticksOf(zoomedAxis(200_000, { startMs, endMs }))
    assert.deepEqual(at(1_610, 1_611.4).slice(0, 5), [
      '1.61 s',
      '1.61025 s',
      '1.6105 s',
      '1.61075 s',
      '1.611 s',
    ])
    assert.deepEqual(at(120_000, 120_007), [
      '2 min 0 s',
      '2 min 0.001 s',
      '2 min 0.002 s',
      '2 min 0.003 s',
      '2 min 0.004 s',
      '2 min 0.005 s',
      '2 min 0.006 s',
      '2 min 0.007 s',
    ])
    assert.deepEqual(at(12.5, 12.6).length, new Set(at(12.5, 12.6)).size)
  })
})
