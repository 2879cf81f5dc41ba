/** A process thread: reads its ranges of the journal by itself; pure computation, no store. */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#base/errors.ts'
import { giveMemoryBack } from '#base/idle-memory.ts'
import { createLog } from '#base/log.ts'
import { yieldToOthers } from '#base/thread-priority.ts'
import { runWorkerLoop } from '#process/worker-loop.ts'
import type { ThreadStart } from './engine-paths.ts'

assert(parentPort !== null, 'runs as a thread')
const start = workerData as ThreadStart // written by engine.ts
const log = createLog({ level: start.logLevel, thread: 'process' })
giveMemoryBack(log)
yieldToOthers(log)
runWorkerLoop(parentPort, log)
parentPort.postMessage({ ready: true })
