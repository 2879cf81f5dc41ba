/** CPU time of this thread, for bounds on work: other processes do not lengthen it. */

/** Milliseconds of CPU that this thread has taken so far. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
