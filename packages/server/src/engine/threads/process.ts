/** A process thread: reads its ranges of the journal by itself; pure computation, no store. */
import { parentPort } from 'node:worker_threads'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import { runWorkerLoop } from '#process/worker-loop.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { threadMaps } from './thread-maps.ts'
import { yieldToOthers } from './thread-priority.ts'
import { threadStart } from './thread-start.ts'
import { collectUsedMaps } from './used-maps.ts'

assert(parentPort !== null, 'runs as a thread')
const start = threadStart()
const log = createLog({ level: start.logLevel, thread: 'process' })
giveMemoryBack(log)
yieldToOthers(log)
const port = parentPort
const maps = threadMaps({
  ...{ data: start.data, clock: clockOf(start.clock) },
  onUsed: collectUsedMaps((used) => port.postMessage(used)),
})
runWorkerLoop(port, { log, kinds: KINDS, encoding: encodeRows, maps })
port.postMessage({ ready: true })
