/** Backups made by themselves: this very command in a process of its own, so that nothing of it is felt here. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { type BackupStatus, readBackupStatus } from '@errata/server/engine-backup'
import { max } from '@errata/server/limits'
import type { Log } from '@errata/server/log'
import type { Settings } from '@errata/server/settings'

const LOOK_MS = 60_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A failed one is tried again after an hour, or sooner where backups are more frequent. */
export function isBackupDue(last: BackupStatus | null, nowMs: number, everyHours: number): boolean {
  if (last === null) return true
  const waitMs = (last.ok ? everyHours : Math.min(everyHours, 1)) * HOUR_MS
  return nowMs - last.atMs >= waitMs
}

/** Looks every minute whether one is due. Answers what ends it, with the one that is running. */
export function startBackupSchedule(settings: Settings, log: Log): () => void {
  const { directory, everyHours, keep } = settings.backup
  if (directory === null) return () => {}
  const ending = new AbortController()
  let running = false
  const look = async (): Promise<void> => {
    if (running || !isBackupDue(await readBackupStatus(settings.data), Date.now(), everyHours)) return
    running = true
    try {
      await runBackup([directory, '--data', settings.data, '--backup-keep', String(keep)], ending.signal)
      log.info('made a backup', { directory })
    } catch (cause) {
      if (!ending.signal.aborted)
        log.error('a backup failed', { directory, reason: String(cause).slice(0, 300) })
    } finally {
      running = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()
  void look()
  return () => {
    clearInterval(timer)
    ending.abort()
  }
}

function runBackup(args: readonly string[], signal: AbortSignal): Promise<void> {
  const [, program = ''] = process.argv
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, program, 'backup', ...args], {
      stdio: 'ignore',
      signal,
      timeout: max('backupMinutesMax') * MINUTE_MS,
    })
    if (child.pid !== undefined) lowerPriority(child.pid)
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve()
      else reject(new Error(`it ended with ${status}; /system says why`))
    })
  })
}

/** Where the system does not allow it, the backup runs like everything else. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // see above
  }
}
