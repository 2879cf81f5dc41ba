import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  aDirectory,
  bring,
  checkAll,
  checkFolded,
  mirroredTraffic,
  writeWorld,
} from '#testing/worlds/traffic.ts'
import { COMMIT_STEPS } from './commit.ts'

const CHILD = fileURLToPath(new URL('../../testing/worlds/commit-kill.ts', import.meta.url))

describe('a process killed', () => {
  for (const step of COMMIT_STEPS) {
    it(`at "${step}" of its second batch has lost and doubled nothing, and folded every mirror, once its journal is replayed`, async (t) => {
      const { directory, open, shop, blog } = await aDirectory(t)
      const world = writeWorld({ directory, shop, blog })
      const child = spawn(process.execPath, [...process.execArgv, CHILD, step, '2', world], {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 120_000,
      })
      let complaint = ''
      child.stderr.on('data', (text: Buffer) => {
        complaint += text.toString()
      })
      const [, signal] = await once(child, 'close')
      assert.equal(signal, 'SIGKILL', complaint)
      const house = await open()
      const all = mirroredTraffic(shop, blog)
      await bring(house, all, 5)
      await checkAll(house, all)
      await checkFolded(house, all)
    })
  }
})
