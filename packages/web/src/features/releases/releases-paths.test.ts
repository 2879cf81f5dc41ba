import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paths } from '#parts/paths.ts'
import { encodedPath } from './paths.ts'

test('a version’s address is one, whether it is typed as it reads or as links spell it', () => {
  for (const version of ['web@1.10.0+5', '100%', 'a b'])
    for (const typed of [`/shop/releases/${version}`, paths.release('shop', version)])
      assert.equal(encodedPath(typed), paths.release('shop', version), typed)
})
