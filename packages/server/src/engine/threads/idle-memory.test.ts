import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { RestAfterWork } from './idle-memory.ts'

const ENTRY = new URL('./idle-memory.ts', import.meta.url).href
/** Keeps the newest 60,000 of 600,000 objects, and tells the most that its heap took, as a multiple of what it keeps. */
const THREAD = `
  import { parentPort } from 'node:worker_threads'
  import { getHeapStatistics } from 'node:v8'
  import { collectGarbage, giveMemoryBack } from '${ENTRY}'
  const stop = giveMemoryBack({ debug() {}, warn() {} })
  const kept = (globalThis.kept = [])
  let most = 0
  for (let made = 0; made < 600_000; made++) {
    kept[made % 60_000] = { numbers: [made, made, made], text: 'x' + made, more: { made, list: [1, 2, made] } }
    if (made % 5_000 === 0) most = Math.max(most, getHeapStatistics().used_heap_size)
  }
  collectGarbage()
  parentPort.postMessage(most / getHeapStatistics().used_heap_size)
  await stop()
`

describe('the heap of a thread', () => {
  it('is collected before it is five times what lives in it', async () => {
    // What V8 takes for a machine with much memory, where a heap left to itself grows to 5.6 times and more here.
    const resourceLimits = { maxOldGenerationSizeMb: 4_096, maxYoungGenerationSizeMb: 24 }
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
      resourceLimits,
    })
    const multiple = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    assert.ok(multiple < 5, `${multiple} times`)
  })
})

describe('a rest after work', () => {
  const after = (...busy: number[]) => {
    const rest = new RestAfterWork()
    return busy.map((share) => rest.after(share))
  }

  it('is counted from the quiet interval that follows a busy one, three times', () => {
    assert.deepEqual(after(0.01, 0.6, 0.9, 0.02, 0, 0.04, 0, 0), [0, 0, 0, 1, 2, 3, 0, 0])
  })

  it('begins anew after more work', () => {
    assert.deepEqual(after(0.5, 0, 0.05, 0, 0, 0.3), [0, 1, 0, 1, 2, 0])
  })
})
