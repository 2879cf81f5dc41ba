import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { NODE_FLAGS, nodeFlags } from '../bin/node-flags.mjs'

const LARGE_PAGES = '--use-largepages=silent'

describe('flags of Node', () => {
  it('ask for large pages of code from a gigabyte of memory on', () => {
    assert.ok(!nodeFlags(999_999_999).includes(LARGE_PAGES))
    for (const bytes of [1_000_000_000, 8_000_000_000]) assert.ok(nodeFlags(bytes).includes(LARGE_PAGES))
  })

  it('are known to this Node, which says nothing of them', () => {
    for (const flags of [NODE_FLAGS, nodeFlags(8_000_000_000)]) {
      const done = spawnSync(process.execPath, [...flags, '--print', '"done"'], { encoding: 'utf8' })
      assert.deepEqual([done.stderr, done.stdout, done.status], ['', 'done\n', 0])
    }
  })
})
