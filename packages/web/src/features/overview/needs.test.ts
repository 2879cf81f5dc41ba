import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertRows, mostPeopleFirst, type NeedRow, staleRows } from './needs.ts'

const stale = {
  clicks: 3,
  users: { count: 2, isExact: true },
  deploy: { id: 'd1', release: 'shop@2', atMs: 5 },
}

test('what fires stands first, critical before warning, then most people', () => {
  const firing = [
    { id: 1, name: 'Slow', level: 'warning' as const, sinceMs: 1, value: '191 ms' },
    { id: 2, name: 'Down', level: 'critical' as const, sinceMs: 2, value: null },
  ]
  const [own] = staleRows(stale, { org: 'shop', told: 0 })
  assert.ok(own !== undefined)
  const more: NeedRow = { ...own, key: 'more', users: { count: 3, isExact: true } }
  assert.deepEqual(
    mostPeopleFirst([own, more, ...alertRows(firing, 'shop')]).map(({ key }) => key),
    ['alert 2', 'alert 1', 'more', 'stale'],
  )
  assert.deepEqual(
    alertRows(firing, 'shop').map(({ title }) => title),
    ['Slow: 191 ms', 'Down'],
  )
})

test('clicks in stale tabs are told once: by their issue, where there is one', () => {
  assert.equal(staleRows(null, { org: 'shop', told: 0 }).length, 0)
  assert.equal(staleRows(stale, { org: 'shop', told: 1 }).length, 0)
  const [row] = staleRows(stale, { org: 'shop', told: 0 })
  assert.equal(row?.why, '3 clicks failed after shop@2; ends by itself as tabs reload')
})
