/** Looks at backlog, memory and free disk twice a second, and tells accept what it needs to know of them. */
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { Overload, type OverloadReason } from '#accept/overload.ts'
import type { Clock } from '#base/clock.ts'
import { groupMemory } from '#base/group-memory.ts'
import type { Log } from '#base/log.ts'
import type { Journal } from '#journal/writer.ts'
import { max } from '#limits/limits.ts'

export interface PressureParts {
  /** Path of the data directory: its disk is looked at. */
  readonly data: string
  readonly journal: Pick<Journal, 'backlog'>
  readonly clock: Clock
  readonly log: Log
  /** Told why nobody may come in; `null` while somebody may. */
  readonly onClosed?: (reason: OverloadReason | null) => void
}

export interface Pressure {
  readonly overload: Overload
  readonly timer: NodeJS.Timeout
}

/** The first readings are taken before this resolves. */
export async function watchPressure(parts: PressureParts): Promise<Pressure> {
  const { data, journal, clock, log } = parts
  const startedMs = clock.elapsed()
  const disk = await statfs(data)
  const memoryBytes = machineMemory()
  const overload = new Overload({ clock, log, memoryBytes, diskBytes: disk.blocks * disk.bsize })
  const free = { bytes: disk.bavail * disk.bsize, isAsked: false }
  const look = () => {
    const { bytes, oldestMs } = journal.backlog()
    // What an earlier run left has not been waiting for this one.
    const waitedMs = Math.min(oldestMs, clock.elapsed() - startedMs)
    const memory = memoryInUse(memoryBytes)
    overload.update({ backlog: bytes, backlog_age: waitedMs, memory, disk: free.bytes })
    parts.onClosed?.(overload.closedBy())
    if (free.isAsked) return
    free.isAsked = true
    void statfs(data).then(
      ({ bavail, bsize }) => {
        free.bytes = bavail * bsize
        free.isAsked = false
      },
      // A disk that does not even say how full it is: its writes fail as well, and those are answered and logged.
      () => {
        free.isAsked = false
      },
    )
  }
  look()
  const timer = setInterval(look, max('pressurePollMs'))
  timer.unref()
  return { overload, timer }
}

/** Returns the memory of the machine or its container. */
export function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * Checks that the machine or container has the memory that Errata needs at rest.
 * @throws a sentence if it has less: ingest would answer 503 for ever
 */
export function refuseTooLittleMemory(memoryBytes: number = machineMemory()): void {
  if (memoryBytes >= max('memoryBytesLeast')) return
  const mb = (bytes: number) => `${Math.floor(bytes / 1_048_576)} MB`
  throw new Error(
    `this machine or container gives Errata ${mb(memoryBytes)} of memory, and it needs ${mb(max('memoryBytesLeast'))}: ` +
      'raise the limit (1 GB is enough at every usual rate)',
  )
}

/** True where a control group ends the process at less than the machine has. */
function isConfined(): boolean {
  const constrained = process.constrainedMemory()
  return constrained > 0 && constrained < totalmem()
}

/**
 * Bytes held by the process, or by its control group where that has a limit: what ends the process is the group's. Where the JavaScript heap is nearer to its own limit than the process to its, as many as
 * that would be.
 */
function memoryInUse(memoryBytes: number): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  const counted = Math.min(memoryBytes, max('memoryBytesMax'))
  const held = (isConfined() ? groupMemory()?.usedBytes : undefined) ?? process.memoryUsage.rss()
  return Math.max(held, Math.round((used / limit) * counted))
}
