import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadOf } from './tag-spread.ts'

const seen = { firstSeenMs: 0, lastSeenMs: 0 }

function tag(values: Readonly<Record<string, number>>) {
  const all = Object.entries(values).map(([value, count]) => ({ value, count, ...seen }))
  return { values: all, total: all.reduce((sum, { count }) => sum + count, 0) }
}

test('values that are spread as everywhere differ by nothing', () => {
  assert.equal(spreadOf(tag({ a: 50, b: 50 }), tag({ a: 500, b: 500 })), 0)
})

test('a value that is rare elsewhere and frequent here differs most', () => {
  const all = tag({ safari: 10, chrome: 990 })
  const rare = spreadOf(tag({ safari: 90 }), all) ?? 0
  const usual = spreadOf(tag({ chrome: 90 }), all) ?? 0
  assert.ok(rare > 0.85 && usual < 0.05, `${rare} ${usual}`)
})

test('what is not told apart counts as one value', () => {
  const few = { values: tag({ a: 10 }).values, total: 100 }
  assert.equal(spreadOf(few, { values: tag({ a: 100 }).values, total: 1_000 }), 0)
})

test('one event says less than a hundred', () => {
  const all = tag({ a: 1, b: 999 })
  const [one, many] = [spreadOf(tag({ a: 1 }), all) ?? 0, spreadOf(tag({ a: 100 }), all) ?? 0]
  assert.ok(one < many / 5, `${one} ${many}`)
})

test('of a key that nothing is known of everywhere there is nothing to compare', () => {
  assert.equal(spreadOf(tag({ a: 1 }), { values: [], total: 0 }), null)
})
