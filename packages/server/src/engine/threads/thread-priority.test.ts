import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const ENTRY = new URL('./thread-priority.ts', import.meta.url).href
const LOG = 'data:text/javascript,export const log = new Proxy({}, { get: () => () => {} })'
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
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

/** Starts such a thread in a process that is as nice as it is told, and tells both numbers. */
const PROCESS = `
  import { readFileSync, readlinkSync } from 'node:fs'
  import { setPriority } from 'node:os'
  import { Worker } from 'node:worker_threads'
  setPriority(Number(process.argv[1]))
  const worker = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(THREAD)}`)}))
  const thread = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  const stats = [thread, readlinkSync('/proc/thread-self')].map((of) => readFileSync('/proc/' + of + '/stat', 'utf8'))
  console.log(JSON.stringify(stats))
  worker.postMessage('end')
`

describe('a thread that yields', { skip: process.platform !== 'linux' }, () => {
  // Whoever starts Errata with `nice` has all of it go after others; none of its threads goes first for that.
  for (const [nice, more] of [
    [0, 5],
    [10, 5],
    [14, 5],
    [15, 4],
    [19, 0],
  ] as const)
    it(`goes after the others by ${more} in a process of ${nice}, which stays as it is`, async (t) => {
      const usual = getPriority()
      if (usual > nice) return t.skip(`this process is as nice as ${usual}: only root makes another less so`)
      const args = [...FLAGS, '--input-type=module', '--eval', PROCESS, String(nice)]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      const [thread = '', own = ''] = JSON.parse(stdout) as string[] // written above
      assert.deepEqual([niceOf(thread), niceOf(own)], [nice + more, nice])
    })
})

/**
 * Reads niceness from a thread's `stat` file: the nineteenth field, counted behind the name, which may hold
 * blanks.
 */
function niceOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
