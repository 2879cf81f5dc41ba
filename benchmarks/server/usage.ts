/** CPU time and memory of a process, as the system counts them: all threads, user and system. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second on every platform Node runs on (USER_HZ). */
const TICK_US = 10_000
const HAS_PROC = existsSync('/proc/self/stat')

/** Microseconds of CPU since the process began; `null` when it cannot be measured here. */
export function cpuMicros(pid: number): number | null {
  if (!HAS_PROC) return cpuOfPs(pid)
  const fields = statFields(pid)
  return fields === null ? null : (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** Milliseconds of CPU that the main thread of a process took so far; `null` when it cannot be measured here. */
export function mainThreadMs(pid: number): number | null {
  const [nanoseconds] = readProc(`/proc/${pid}/task/${pid}/schedstat`)?.split(' ') ?? []
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e6
}

export interface Memory {
  /** Megabytes (10^6 bytes) resident now, and at most since the process began. */
  readonly rss: number
  readonly peak: number | null
}

export function memoryOf(pid: number): Memory | null {
  if (!HAS_PROC) {
    const kilobytes = Number(ps(pid, 'rss='))
    return kilobytes > 0 ? { rss: kilobytes * 1.024e-3, peak: null } : null
  }
  const status = readProc(`/proc/${pid}/status`)
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? '')?.[1]) * 1.024e-3
  return status === null ? null : { rss: of('VmRSS'), peak: of('VmHWM') }
}

/** The first child of a process; `null` without one. */
export function childOf(pid: number): number | null {
  if (!HAS_PROC) {
    const line = run('pgrep', ['-P', String(pid)]).split('\n')[0] ?? ''
    return line === '' ? null : Number(line)
  }
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name) && Number(statFields(Number(name))?.[1]) === pid) return Number(name)
  }
  return null
}

/** Fields of /proc/PID/stat behind the name, which may hold spaces: [0] is the state. */
function statFields(pid: number): readonly string[] | null {
  const text = readProc(`/proc/${pid}/stat`)
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null // the process has ended
  }
}

/** `[[dd-]hh:]mm:ss[.cc]` */
function cpuOfPs(pid: number): number | null {
  const text = ps(pid, 'time=').trim()
  if (text === '') return null
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text]
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1e6
}

function ps(pid: number, column: string): string {
  return run('ps', ['-o', column, '-p', String(pid)])
}

function run(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, [...args], { encoding: 'utf8', timeout: 5_000 })
  } catch {
    return '' // no such program, or no such process: not measured
  }
}
