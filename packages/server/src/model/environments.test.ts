import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareEnvironments, environmentsByName, moveName } from './environments.ts'

const env = (
  name: string,
  change: { readonly position?: number; readonly isHidden?: boolean; readonly eventCount?: number } = {},
) => ({
  ...{ name, isHidden: false, position: null, eventCount: 1, lastSeenMs: 5 },
  ...change,
})

test('those with a place come first, then those with more events, then by name', () => {
  const all = [
    env('b'),
    env('a'),
    env('busy', { eventCount: 9 }),
    env('second', { position: 1 }),
    env('first', { position: 0 }),
  ]
  const names = all.sort(compareEnvironments).map(({ name }) => name)
  assert.deepEqual(names, ['first', 'second', 'busy', 'a', 'b'])
})

test('a name of several projects is one, hidden where all hide it', () => {
  const [first, ...others] = environmentsByName([
    env('production', { isHidden: true, eventCount: 2, position: 4 }),
    env('staging', { isHidden: true }),
    { ...env('production', { eventCount: 3 }), lastSeenMs: 9 },
  ])
  assert.deepEqual(first, { name: 'production', isHidden: false, position: 4, eventCount: 5, lastSeenMs: 9 })
  assert.deepEqual(others, [env('staging', { isHidden: true })])
})

test('a step up or down moves one, and nothing beyond the ends', () => {
  const names = ['a', 'b', 'c']
  assert.deepEqual(moveName(names, 'c', 'up'), ['a', 'c', 'b'])
  assert.deepEqual(moveName(names, 'a', 'down'), ['b', 'a', 'c'])
  assert.deepEqual(moveName(names, 'a', 'up'), names)
  assert.deepEqual(moveName(names, 'c', 'down'), names)
  assert.deepEqual(moveName(names, 'd', 'up'), names)
})
