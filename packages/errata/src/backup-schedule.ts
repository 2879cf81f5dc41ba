/** Backups made by themselves: this very command in a process of its own, so that nothing of it is felt here. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { max } from '@errata/server/limits'
import type { Log } from '@errata/server/log'
import { type BackupStatus, readBackupStatus, writeBackupStatus } from '@errata/server/offline/backup'
import type { Settings } from '@errata/server/settings'

const LOOK_MS = 60_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * True if a backup is due. A failed one is tried again after an hour, or sooner where backups are more frequent; one of
 * a time that has not come yet says nothing: the clock was wrong then, or is now.
 */
export function isBackupDue(last: BackupStatus | null, nowMs: number, everyHours: number): boolean {
  if (last === null || last.atMs > nowMs) return true
  const waitMs = (last.ok ? everyHours : Math.min(everyHours, 1)) * HOUR_MS
  return nowMs - last.atMs >= waitMs
}

/** Looks every minute whether one is due. Answers what ends it, with the one that is running. */
export function startBackupSchedule(settings: Settings, log: Log): () => void {
  const { directory, everyHours, keep } = settings.backup
  if (directory === null) return () => {}
  const ending = new AbortController()
  const args = [directory, '--data', settings.data, '--backup-keep', String(keep)]
  const schedule = new BackupSchedule({
    ...{ data: settings.data, directory, everyHours, log, now: Date.now },
    make: () => runBackup(args, ending.signal),
  })
  const look = () => void schedule.look()
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  return () => {
    clearInterval(timer)
    schedule.end()
    ending.abort()
  }
}

interface ScheduleOptions {
  readonly data: string
  readonly directory: string
  readonly everyHours: number
  readonly log: Log
  readonly now: () => number
  /** Makes one and notes how it went, or rejects. */
  readonly make: () => Promise<void>
}

/** Decides when a backup is made. */
export class BackupSchedule {
  readonly #options: ScheduleOptions
  #isRunning = false
  #isOver = false
  /** Failure of this process that could not be noted beside the data; it is not tried again sooner. */
  #failed: BackupStatus | null = null

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  /** Makes one when it is due. Never rejects: a backup that fails ends nothing else. */
  async look(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    const begunMs = this.#options.now()
    try {
      if (!(await this.#isDue(begunMs))) return
      await this.#options.make()
      this.#failed = null
      this.#options.log.info('made a backup', { directory: this.#options.directory })
    } catch (cause) {
      if (!this.#isOver) await this.#noteFailure(String(cause).slice(0, 300), begunMs)
    } finally {
      this.#isRunning = false
    }
  }

  end(): void {
    this.#isOver = true
  }

  async #isDue(nowMs: number): Promise<boolean> {
    const { data, everyHours } = this.#options
    if (this.#failed !== null && !isBackupDue(this.#failed, nowMs, everyHours)) return false
    return isBackupDue(await readBackupStatus(data), nowMs, everyHours)
  }

  /** Notes a failure; a killed backup has noted nothing, so this process does. */
  async #noteFailure(reason: string, begunMs: number): Promise<void> {
    const { data, directory, log, now } = this.#options
    log.error('a backup failed', { directory, reason })
    this.#failed = { atMs: now(), ok: false, detail: reason, directory }
    const noted = await readBackupStatus(data)
    if (noted !== null && noted.atMs >= begunMs && noted.atMs <= now()) return
    await writeBackupStatus(data, this.#failed).catch((cause: unknown) => {
      log.error('a failed backup could not be noted', { directory, reason: String(cause).slice(0, 300) })
    })
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
      else reject(new Error(status === null ? 'it was killed' : `it ended with ${status}; /system says why`))
    })
  })
}

/** Lowers the priority of the backup, if the system allows it. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // see above
  }
}
