/**
 * Checks that the packages installed are the ones chosen: lock files have a checksum of every package and
 * name no host.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT, repositoryFiles } from './sources.ts'

interface LockedPackage {
  /** It lies within another package, whose checksum is its own. */
  readonly inBundle?: boolean
  readonly link?: true
  readonly integrity?: string
  readonly resolved?: string
}

const LOCK = 'package-lock.json'
/** Packages of this repository: the examples take the relay as it was built. */
const RELAY = 'file:../../packages/relay'
/** The product's own, and those of the apps that tests build. */
const locks = repositoryFiles().filter((path) => path === LOCK || path.endsWith(`/${LOCK}`))

function outsideOf(path: string): readonly (readonly [string, LockedPackage])[] {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(ROOT, path), 'utf8'),
  )
  return Object.entries(lock.packages).filter(
    ([name, { link, resolved, inBundle }]) =>
      name.includes('node_modules/') && link !== true && inBundle !== true && resolved !== RELAY,
  )
}

describe('a lock file', () => {
  it('is there, and locks what the product needs', () => {
    assert.ok(locks.length > 1 && locks.includes(LOCK))
    assert.ok(outsideOf(LOCK).length > 300)
  })

  for (const path of locks) {
    it(`has a checksum of every package from outside: ${path}`, () => {
      const without = outsideOf(path).filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
      assert.deepEqual(
        without.map(([name]) => name),
        [],
      )
    })

    it(`names no host: ${path}`, () => {
      assert.deepEqual(
        outsideOf(path)
          .filter(([, { resolved }]) => resolved !== undefined)
          .map(([name]) => name),
        [],
      )
    })
  }
})
