import type { Log } from '#base/log.ts'
import type { Stores } from './threads/stores.ts'

const DIRECTORY_POLL_MS = 1_000

/** The command line may change projects and keys beside a running server: their version is looked at every second. */
export function pollDirectory({
  projects,
  log,
  refreshDirectory,
  directoryVersion,
}: {
  readonly projects: Stores['projects']
  readonly log: Log
  readonly refreshDirectory: () => Promise<void>
  /** As read before the directory the engine started with. */
  readonly directoryVersion: number
}): NodeJS.Timeout {
  let version = directoryVersion
  const poll = async () => {
    const current = await projects.directoryVersion()
    if (current === version) return
    // Read before the directory: what changes in between is seen at the next poll.
    version = current
    await refreshDirectory()
  }
  const failed = (cause: unknown) =>
    log.warn('directory poll failed', { reason: String(cause).slice(0, 200) })
  return setInterval(() => void poll().catch(failed), DIRECTORY_POLL_MS)
}
