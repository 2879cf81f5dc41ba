import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from '#parts/address.ts'
import { queryPairs } from '#parts/paths.ts'
import { RELEASES, releasesQuery } from './releases-params.ts'

test('a search keeps the order and the filters that were chosen, but for the page', () => {
  const address = readAddress(RELEASES, new URLSearchParams('sort=semver&project=web&query=1.4&page=3'))
  assert.deepEqual(queryPairs({ ...releasesQuery(address), query: null }), [
    ['project', 'web'],
    ['sort', 'semver'],
  ])
})
