import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releaseStages } from './release-stage.ts'

function stages(...releases: readonly (readonly [version: string, uses: number])[]) {
  const timed = releases.map(([version, uses], index) => ({ version, uses, atMs: index }))
  return Object.fromEntries(releaseStages(timed))
}

test('a tenth of all uses is adoption; what a later adopted one leaves behind is replaced', () => {
  assert.deepEqual(stages(['web@1.0', 2], ['web@1.1', 10], ['web@1.2', 87], ['web@1.3', 1]), {
    ...{ 'web@1.0': 'replaced', 'web@1.1': 'adopted' },
    ...{ 'web@1.2': 'adopted', 'web@1.3': 'low_adoption' },
  })
})

test('later is said by the order of releases, not by time', () => {
  assert.deepEqual(stages(['web@2.0', 100], ['web@1.9', 1]), { 'web@2.0': 'adopted', 'web@1.9': 'replaced' })
})

test('where nothing is used nothing is adopted', () => {
  assert.deepEqual(stages(['a', 0], ['b', 0]), { a: 'low_adoption', b: 'low_adoption' })
  assert.deepEqual(stages(), {})
})
