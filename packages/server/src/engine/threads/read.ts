/** The read thread: read connections to the control store, away from the main thread. */
import { parentPort } from 'node:worker_threads'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { createReadAnswers } from '#queries/read-answers.ts'
import { createRegrouping } from '#queries/regrouping.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { controlPath } from '../directory/paths.ts'
import { tellDamage } from './damage.ts'
import { giveMemoryBack } from './idle-memory.ts'
import { serveRemote } from './remote.ts'
import { threadStart } from './thread-start.ts'

assert(parentPort !== null, 'runs as a thread')
const start = threadStart()
const log = createLog({ level: start.logLevel, thread: 'read' })
giveMemoryBack(log)
const clock = clockOf(start.clock)
const control = openControlReader({
  ...{ path: controlPath(start.data), clock, log, cacheBytes: start.cacheBytes },
  onDamage: tellDamage(parentPort, log),
})
serveRemote(parentPort, {
  control,
  regrouping: createRegrouping(),
  answers: createReadAnswers({
    skew: control,
    projects: control,
    releases: control,
    requests: control,
    clock,
  }),
  thread: { close: async () => control.close() },
})
parentPort.postMessage({ ready: true })
