/** A control group with little memory, as a container has it: what is in it is measured and limited together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MemoryGroup {
  /** Whoever writes its number there is in the group. */
  readonly processes: string
  /** Bytes in use, those of files too. */
  used(): number
  /** Takes so much memory within the group, until it is killed. */
  fill(bytes: number): ChildProcess
  /** Once nobody is in it. */
  remove(): void
}

/** `null`, with no trace left, where this user or machine makes none. */
export function openMemoryGroup(name: string, bytes: number): MemoryGroup | null {
  const isSecond = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const path = isSecond ? join('/sys/fs/cgroup', name) : join('/sys/fs/cgroup/memory', name)
  const [limit, used] = isSecond
    ? ['memory.max', 'memory.current']
    : ['memory.limit_in_bytes', 'memory.usage_in_bytes']
  try {
    mkdirSync(path)
  } catch {
    return null // nobody but root may, and not in every container
  }
  const remove = () => rmdirSync(path)
  const processes = join(path, 'cgroup.procs')
  try {
    writeFileSync(join(path, limit), String(bytes))
  } catch {
    remove()
    return null // memory is not given away here
  }
  const script = (size: number) =>
    `const held = Buffer.alloc(${size}, 1); setInterval(() => held[0], 1e6); console.log('full')`
  return {
    processes,
    used: () => Number(readFileSync(join(path, used), 'utf8')),
    fill: (size) =>
      spawn('bash', ['-c', `echo $$ > ${processes}; exec "$0" -e "$1"`, process.execPath, script(size)], {
        stdio: 'ignore',
      }),
    remove,
  }
}
