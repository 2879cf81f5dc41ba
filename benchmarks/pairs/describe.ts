/** Describes what pairs and whole runs found, as rows. */
import type { Measured } from '../measures/tools.ts'
import type { ResultRow } from '../report/result-row.ts'
import { STEPS, type StepPair } from './messages.ts'
import type { AgainstReport, PairReport } from './pairs.ts'
import { medianOfRuns, type WholeRun } from './whole.ts'

/** CPU of an event ÷ CPU of the bare sink's request. */
const GOALS = { '5 KB': { warm: 9.5, fresh: 12 }, '18 KB': { warm: 14.5, fresh: 18 } } as const

export function describeAgainst(report: AgainstReport): Measured {
  const [before, now] = report.processBytes
  return {
    name: 'against',
    notes: [
      `ratios are this build ÷ ${report.base}: medians of thread CPU of the same chunks in turn; ± 3 % says nothing`,
    ],
    rows: [
      ...report.sizes.flatMap((size) => [...pairRows(size), ...wholeRows(size)]),
      row('bundled process step', `${kilobytes(now)} (${kilobytes(before)}), ${(now / before).toFixed(3)}`),
    ],
    details: report,
  }
}

function pairRows({ name, pair }: PairReport): ResultRow[] {
  if (pair === null) return []
  const { together, steps, sameBatches, isCapturedSame, chunks } = pair
  return [
    row(
      `${name}: accept, process and commit`,
      `${together.ratio.toFixed(3)}; fresh ${together.freshRatio.toFixed(3)}`,
    ),
    ...STEPS.flatMap((step) => stepRows(`${name}: ${step}`, steps[step])),
    row(`${name}: packed batches that are the same`, `${sameBatches} of ${chunks}`),
    row(`${name}: the same of captured payloads and secrets`, isCapturedSame ? 'yes' : 'no'),
  ]
}

function stepRows(name: string, step: StepPair): ResultRow[] {
  const [low, high] = step.quartiles
  const [before, now] = step.micros
  const [freshBefore, freshNow] = step.freshMicros
  const [allocatedBefore, allocatedNow] = step.allocated
  return [
    row(
      name,
      `${step.ratio.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)}), ${micros(now)} (${micros(before)}) an event`,
    ),
    row(
      `${name}: fresh`,
      `${step.freshRatio.toFixed(3)}; fresh ÷ warm ${(freshNow / now).toFixed(2)} (${(freshBefore / before).toFixed(2)})`,
    ),
    row(`${name}: allocated an event`, `${kilobytes(allocatedNow)} (${kilobytes(allocatedBefore)})`),
  ]
}

function wholeRows({ name, whole }: PairReport): ResultRow[] {
  if (whole === null) return []
  const { base, own } = whole
  const goals = Object.entries(GOALS).find(([size]) => name.startsWith(size))?.[1]
  const ratioRow = (form: 'warm' | 'fresh'): ResultRow => {
    const [now, before] = [medianOfRuns(own, (run) => run[form]), medianOfRuns(base, (run) => run[form])]
    const goal = goals?.[form]
    return {
      measure: `${name}: whole, ${form}, ÷ CPU of the bare sink`,
      result: `${number(now, 1)} (${number(before, 1)})`,
      goal: goal === undefined ? '' : `≤ ${goal}`,
      met: goal === undefined || now === null ? null : now <= goal,
    }
  }
  const both = (of: (run: WholeRun) => number | null, digits = 0) =>
    `${number(medianOfRuns(own, of), digits)} (${number(medianOfRuns(base, of), digits)})`
  return [
    ratioRow('warm'),
    ratioRow('fresh'),
    row(
      `${name}: whole, CPU µs an event, warm`,
      both(({ cpuMicros }) => cpuMicros),
    ),
    row(
      `${name}: whole, memory at most, MB`,
      both(({ peakMegabytes }) => peakMegabytes),
    ),
    row(
      `${name}: whole, bytes kept an event before compaction`,
      both(({ bytesKept }) => bytesKept),
    ),
    row(
      `${name}: whole, bytes after compaction ÷ gzip-6`,
      both(({ bytesRatio }) => bytesRatio, 3),
    ),
    row(
      `${name}: whole, p99 of acknowledging at the full rate, ms`,
      both(({ p99 }) => p99, 1),
    ),
    row(
      `${name}: whole, each round, warm; fresh`,
      `${own.map(({ warm, fresh }) => `${number(warm, 1)}; ${number(fresh, 1)}`).join(' · ')}`,
    ),
  ]
}

function row(measure: string, result: string): ResultRow {
  return { measure, result, goal: '', met: null }
}

function micros(value: number): string {
  return `${value.toFixed(0)} µs`
}

function kilobytes(value: number | null): string {
  return value === null ? '–' : `${(value / 1_000).toFixed(1)} KB`
}

function number(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits)
}
