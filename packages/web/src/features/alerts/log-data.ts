/** Data of the log's page. */
import type { loadLog } from './alert-log.server.ts'

export type LogData = Awaited<ReturnType<typeof loadLog>>
