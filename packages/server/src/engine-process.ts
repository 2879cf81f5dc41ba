/** A process thread: reads its ranges of the journal by itself; pure computation, no store. */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { runWorkerLoop } from '#process/worker-loop.ts'
import type { ThreadStart } from './engine-paths.ts'

assert(parentPort !== null, 'runs as a thread')
const start = workerData as ThreadStart // written by engine.ts
runWorkerLoop(parentPort, createLog({ level: start.logLevel, thread: 'process' }))
parentPort.postMessage({ ready: true })
