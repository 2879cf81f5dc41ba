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
  readonly optional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

/**
 * Builds for other platforms that the registry which wrote the lock file did not have; the number may only fall.
 * Whoever has the public registry takes it down with `npm view NAME@VERSION dist.integrity`.
 */
const WITHOUT_CHECKSUM_MAX = 22

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
)
const outside = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

describe('the lock file', () => {
  it('has a checksum of every package from outside', () => {
    const without = outside.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
    const installedHere = without.filter(
      ([, { optional, os, cpu }]) => optional !== true || (os ?? cpu) === undefined,
    )
    assert.deepEqual(
      installedHere.map(([path]) => path),
      [],
    )
    assert.ok(without.length <= WITHOUT_CHECKSUM_MAX, `${without.length} packages have no checksum`)
  })

  it('names no host', () => {
    assert.ok(outside.length > 300)
    assert.deepEqual(
      outside.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    )
  })
})
