/** Data that the engine started this thread with. */
import { workerData } from 'node:worker_threads'
import type { ThreadStart } from '../directory/paths.ts'

export function threadStart(): ThreadStart {
  return workerData as ThreadStart // `ThreadLife.begin` and `ProcessThread` give nothing else
}
