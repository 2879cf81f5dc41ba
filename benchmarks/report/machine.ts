/** Numbers mean nothing without the machine they come from. */
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { corpusEvent } from '../corpus/corpus.ts'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly platform: string
  readonly node: string
  /** How fast one core parses events, in MB a second: what two machines are compared by. */
  readonly jsonMbPerSecond: number
  /** Load average of the minute before: above 0.5 something else ran. */
  readonly loadBefore: number
}

/** Speed of the cores that the goals were set on. Times and rates scale with it, ratios do not. */
const GOALS_JSON_MB_PER_SECOND = 450
const PARSE_FOR_MS = 200

export function thisMachine(): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${platform()} ${arch()}`,
    node: process.version,
    jsonMbPerSecond: Math.round(jsonMbPerSecond()),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

function jsonMbPerSecond(): number {
  const { json: text } = corpusEvent({ kind: 'error-5k', stacks: 3, seed: 1 }, 0, 0)
  const startMs = performance.now()
  let chars = 0
  while (performance.now() - startMs < PARSE_FOR_MS) {
    for (let time = 0; time < 100; time++) JSON.parse(text)
    chars += 100 * text.length
  }
  return chars / 1_000 / (performance.now() - startMs)
}

export function describeMachine(machine: Machine): string {
  const { cpu, cores, memoryGb, platform: system, node, jsonMbPerSecond: parses, loadBefore } = machine
  const busy = loadBefore > 0.5 ? ' (not idle: rates are too low, ratios less so)' : ''
  const speed = `a core parses ${parses} MB of JSON a second, those of the goals ${GOALS_JSON_MB_PER_SECOND} and more`
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}; ${speed}; load before ${loadBefore}${busy}`
}
