import assert from 'node:assert/strict'
import { readFileSync, readlinkSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'

const ENTRY = new URL('./thread-priority.ts', import.meta.url).href
const LOG = 'data:text/javascript,export const log = new Proxy({}, { get: () => () => {} })'
/** Yields, and tells its number. */
const THREAD = `
  import { readlinkSync } from 'node:fs'
  import { parentPort } from 'node:worker_threads'
  import { yieldToOthers } from '${ENTRY}'
  import { log } from '${LOG}'
  yieldToOthers(log)
  parentPort.postMessage(readlinkSync('/proc/thread-self'))
  parentPort.on('message', () => parentPort.close())
`

describe('a thread that yields', { skip: process.platform !== 'linux' }, () => {
  it('goes after the others, which stay as they are', async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`))
    const thread = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    const own = niceOf(readlinkSync('/proc/thread-self'))
    assert.ok(niceOf(thread) > own, `${niceOf(thread)} of the thread, ${own} here`)
    worker.postMessage('end')
  })
})

/** Of `PID/task/TID`: the nineteenth field, counted from behind the name, which may hold blanks. */
function niceOf(thread: string): number {
  const stat = readFileSync(`/proc/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
