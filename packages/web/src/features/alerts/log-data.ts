/** What the page of the log is given. */
import type { loadLog } from './alert-log.server.ts'

export type LogData = Awaited<ReturnType<typeof loadLog>>
