/** The read thread: read connections to the control store, away from the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { giveMemoryBack } from '#base/idle-memory.ts'
import { createLog } from '#base/log.ts'
import { serveRemote } from '#base/remote.ts'
import { tellDamage } from './engine-damage.ts'
import { controlPath, type ThreadStart } from './engine-paths.ts'
import { openControlReader } from './store/sqlite/control-reader.ts'

assert(parentPort !== null, 'runs as a thread')
const start = workerData as ThreadStart // written by engine.ts
const log = createLog({ level: start.logLevel, thread: 'read' })
giveMemoryBack(log)
const control = openControlReader({
  ...{ path: controlPath(start.data), clock: clockOf(start.clock), log },
  onDamage: tellDamage(parentPort, log),
})
serveRemote(parentPort, { control, thread: { close: async () => control.close() } })
parentPort.postMessage({ ready: true })
