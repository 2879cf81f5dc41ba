/** Numbers mean nothing without the machine they come from. */
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly platform: string
  readonly node: string
  /** Load average of the minute before: above 0.5 something else ran. */
  readonly loadBefore: number
}

export function thisMachine(): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${platform()} ${arch()}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

export function describeMachine(machine: Machine): string {
  const { cpu, cores, memoryGb, platform: system, node, loadBefore } = machine
  const busy = loadBefore > 0.5 ? ' (not idle: rates are too low, ratios less so)' : ''
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, load before ${loadBefore}${busy}`
}
