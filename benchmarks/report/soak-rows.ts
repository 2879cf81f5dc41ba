/** Whether memory and disk stayed level, and whether every event is accounted for. */
import type { SoakReport, SoakSample } from '../measures/soak.ts'
import { leftOutLater } from '../server/web-api.ts'
import type { ResultRow } from './result-row.ts'

/** Growth that counts as level: a page cache, a checkpoint, a collection that comes a little later. */
const GROWTH_MAX = 1.15
/** Memory that a process may take at any time of a day. */
const MEMORY_MB_MAX = 550

export function soakRows(report: SoakReport, hours: number, maxDiskMb: number | null): readonly ResultRow[] {
  const missing = report.acknowledged - report.stored - leftOutLater(report.counted)
  return [
    memoryRow(most(report.samples, [0, Number.POSITIVE_INFINITY], ({ memoryMb }) => memoryMb ?? 0)),
    levelRow('memory, most of the last quarter ÷ most of the second', memoryGrowth(report.samples, hours)),
    levelRow('disk, most of the last half ÷ most of the first', diskGrowth(report.samples, hours, maxDiskMb)),
    {
      measure: 'acknowledged − (stored + left out later)',
      result: String(missing),
      goal: '0',
      met: missing === 0,
    },
    { measure: 'refused', result: JSON.stringify(report.refused), goal: '', met: null },
  ]
}

function memoryRow(mostMb: number): ResultRow {
  const row = { measure: 'memory at most', goal: `≤ ${MEMORY_MB_MAX} MB` }
  if (mostMb === 0) return { ...row, result: 'not measured', met: null }
  return { ...row, result: `${mostMb.toFixed(0)} MB`, met: mostMb <= MEMORY_MB_MAX }
}

function levelRow(measure: string, growth: number | string): ResultRow {
  if (typeof growth === 'string') return { measure, result: growth, goal: `≤ ${GROWTH_MAX}`, met: null }
  return { measure, result: growth.toFixed(2), goal: `≤ ${GROWTH_MAX}`, met: growth <= GROWTH_MAX }
}

/** The first quarter warms up. */
export function memoryGrowth(samples: readonly SoakSample[], hours: number): number | string {
  const second = most(samples, [hours / 4, hours / 2], (sample) => sample.memoryMb ?? 0)
  const last = most(samples, [(hours * 3) / 4, Number.POSITIVE_INFINITY], (sample) => sample.memoryMb ?? 0)
  return second === 0 || last === 0 ? 'not measured' : last / second
}

/** Judged only where retention had something to remove: the first half alone was more than the disk's share. */
export function diskGrowth(
  samples: readonly SoakSample[],
  hours: number,
  maxDiskMb: number | null,
): number | string {
  const first = most(samples, [0, hours / 2], (sample) => sample.diskBytes)
  const last = most(samples, [hours / 2, Number.POSITIVE_INFINITY], (sample) => sample.diskBytes)
  if (first === 0 || last === 0) return 'not measured'
  if (maxDiskMb !== null && first / 1e6 < maxDiskMb)
    return `not judged: ${(first / 1e6).toFixed(0)} MB were less than --max-disk`
  return last / first
}

function most(
  samples: readonly SoakSample[],
  [from, to]: readonly [number, number],
  of: (sample: SoakSample) => number,
): number {
  return samples
    .filter(({ hour }) => hour >= from && hour < to)
    .reduce((sum, each) => Math.max(sum, of(each)), 0)
}
