/** The verify thread: reads the control store through, and ends when that is done. It yields to everybody else. */
import { parentPort } from 'node:worker_threads'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { openControlVerifier } from '#store/sqlite/upkeep/verify-control.ts'
import { controlPath } from '../directory/paths.ts'
import { serveRemote } from './remote.ts'
import { yieldToOthers } from './thread-priority.ts'
import { threadStart } from './thread-start.ts'

assert(parentPort !== null, 'runs as a thread')
const start = threadStart()
yieldToOthers(createLog({ level: start.logLevel, thread: 'verify' }))
const control = openControlVerifier(controlPath(start.data))
serveRemote(parentPort, { control, thread: { close: () => control.close() } })
parentPort.postMessage({ ready: true })
