/** What is installed is what was chosen: the lock file has a checksum of every package and names no host. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from './sources.ts'

interface LockedPackage {
  readonly link?: true
  readonly integrity?: string
  readonly resolved?: string
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
)
const outside = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

describe('the lock file', () => {
  it('has a checksum of every package from outside', () => {
    const without = outside.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
    assert.deepEqual(
      without.map(([path]) => path),
      [],
    )
  })

  it('names no host', () => {
    assert.ok(outside.length > 300)
    assert.deepEqual(
      outside.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    )
  })
})
