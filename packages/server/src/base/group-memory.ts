/**
 * Memory as the control group of the process counts it, where it has a limit: what ends the process is that limit, and
 * not what the process itself holds. What was read of files is given back when somebody needs it, and does not count.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GroupMemory {
  /** Bytes that no file could be read again for. */
  readonly usedBytes: number
}

interface Files {
  /** Root of mounted control groups, and where the kernel says which is ours. */
  readonly root: string
  readonly own: string
}

const FILES: Files = { root: '/sys/fs/cgroup', own: '/proc/self/cgroup' }

/**
 * Reads the bound and the use of memory of the process's control group, in bytes. `null` where there is no control
 * group that says so.
 */
export function groupMemory({ root, own }: Files = FILES): GroupMemory | null {
  const groups = readTextOrNull(own) ?? ''
  const second = /^0::(\/.*)$/m.exec(groups)?.[1] ?? '/'
  const first = /^\d+:(?:[a-z]+,)*memory(?:,[a-z]+)*:(\/.*)$/m.exec(groups)?.[1] ?? '/'
  // Inside of a container its own group stands at the root, whatever it is called outside.
  return (
    secondVersion(join(root, second)) ??
    secondVersion(root) ??
    firstVersion(join(root, 'memory', first)) ??
    firstVersion(join(root, 'memory'))
  )
}

function secondVersion(group: string): GroupMemory | null {
  const used = readNumberIn(join(group, 'memory.current'))
  const stat = readTextOrNull(join(group, 'memory.stat'))
  return used === null || stat === null ? null : usedOf(used, stat, ['inactive_file', 'active_file'])
}

function firstVersion(group: string): GroupMemory | null {
  const used = readNumberIn(join(group, 'memory.usage_in_bytes'))
  const stat = readTextOrNull(join(group, 'memory.stat'))
  return used === null || stat === null
    ? null
    : usedOf(used, stat, ['total_inactive_file', 'total_active_file'])
}

function usedOf(used: number, stat: string, ofFiles: readonly string[]): GroupMemory {
  const files = ofFiles.reduce((sum, name) => sum + statField(stat, name), 0)
  return { usedBytes: Math.max(0, used - files) }
}

function statField(stat: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
}

function readNumberIn(path: string): number | null {
  const text = readTextOrNull(path)?.trim() ?? ''
  return /^\d{1,18}$/.test(text) ? Number(text) : null
}

function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // not there, or not for us to read: the process is asked itself
  }
}
