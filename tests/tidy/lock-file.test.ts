/** What is installed is what was chosen: the lock file has a checksum of every package and names no host. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from './sources.ts'

interface LockedPackage {
  readonly link?: true
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

/**
 * Builds for other platforms that the registry which wrote the lock file did not have: none may join them. Whoever has
 * the public registry takes one down with `npm view NAME@VERSION dist.integrity`, and off this list.
 */
const WITHOUT_CHECKSUM: readonly string[] = [
  '@biomejs/cli-android-arm64@2.6.8',
  '@biomejs/cli-android-x64@2.6.8',
  '@biomejs/cli-darwin-arm64@2.6.8',
  '@biomejs/cli-darwin-x64@2.6.8',
  '@biomejs/cli-linux-arm64-musl@2.6.8',
  '@biomejs/cli-linux-x64-musl@2.6.8',
  '@biomejs/cli-win32-arm64@2.6.8',
  '@biomejs/cli-win32-x64@2.6.8',
  '@duckdb/node-bindings-darwin-arm64@1.5.6-r.1',
  '@duckdb/node-bindings-darwin-x64@1.5.6-r.1',
  '@duckdb/node-bindings-linux-arm64@1.5.6-r.1',
  '@duckdb/node-bindings-linux-arm64-musl@1.5.6-r.1',
  '@duckdb/node-bindings-win32-arm64@1.5.6-r.1',
  '@duckdb/node-bindings-win32-x64@1.5.6-r.1',
  '@tailwindcss/oxide-android-arm64@4.3.5',
  '@tailwindcss/oxide-darwin-arm64@4.3.5',
  '@tailwindcss/oxide-darwin-x64@4.3.5',
  '@tailwindcss/oxide-freebsd-x64@4.3.5',
  '@tailwindcss/oxide-linux-arm-gnueabihf@4.3.5',
  '@tailwindcss/oxide-wasm32-wasi@4.3.5',
  '@tailwindcss/oxide-win32-arm64-msvc@4.3.5',
  '@tailwindcss/oxide-win32-x64-msvc@4.3.5',
]

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
    const named = without.map(([path, { version }]) => `${path.replace(/.*node_modules\//, '')}@${version}`)
    assert.deepEqual(named.sort(), WITHOUT_CHECKSUM.toSorted())
  })

  it('names no host', () => {
    assert.ok(outside.length > 300)
    assert.deepEqual(
      outside.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    )
  })
})
