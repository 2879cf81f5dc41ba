/** What a bound on work is measured by: the processor's time of this thread, which other processes do not lengthen. */

/** Milliseconds of CPU that this thread has taken so far. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
