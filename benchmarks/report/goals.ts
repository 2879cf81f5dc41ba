/**
 * States what the engine is to reach on two cores with the generator beside it, and makes the rows that say
 * whether it does.
 */
import type { IngestReport } from './ingest-report.ts'
import type { ResultRow } from './result-row.ts'

export const GOALS = {
  drained: { 'error-5k': 10_000, 'error-5k all': 7_000, 'error-18k': 5_000 },
  cpuRatio: { 'error-5k': { fresh: 10, warm: 6 }, 'error-18k': { fresh: 15, warm: 10 } },
  bytesRatio: { few: 0.3, all: 0.6 },
  spans: { cpuRatio: 25, bytesPerSpan: 40, routesP95Ms: 60 },
  drainedWithMapsRatio: 0.6,
  alertsCpuShare: 0.03,
  acknowledgedP99Ms: 25,
  pageP95Ms: 100,
  viewersP99Ratio: 10,
  readP95Ms: 30,
  overviewP95Ms: 60,
  scanP95Ms: 60,
  memoryMb: { idle: 260, peak: 700, after: 320 },
  wide: {
    ...{ buildSeconds: 180, projectMs: 30, projectRatio: 1.5, pageKb: 300, pageMs: 1_000 },
    mainThreadMs: 100,
    ...{ drainedRatio: 0.7, memoryMb: 600, readableMs: 3_000 },
  },
  startMs: { clean: 1_000, killed: 5_000 },
} as const

export function atMost(measure: string, value: number | null, goal: number | null, unit: string): ResultRow {
  return row(measure, value, { goal, unit, sign: '≤', met: (given, wanted) => given <= wanted })
}

export function atLeast(measure: string, value: number | null, goal: number | null, unit: string): ResultRow {
  return row(measure, value, { goal, unit, sign: '≥', met: (given, wanted) => given >= wanted })
}

interface RowParts {
  readonly goal: number | null
  readonly unit: string
  readonly sign: string
  readonly met: (value: number, goal: number) => boolean
}

function row(measure: string, value: number | null, { goal, unit, sign, met }: RowParts): ResultRow {
  return {
    measure,
    result: value === null ? 'not measured' : `${number(value)} ${unit}`.trim(),
    goal: goal === null ? '' : `${sign} ${number(goal)} ${unit}`.trim(),
    met: value === null || goal === null ? null : met(value, goal),
  }
}

export function passed(measure: string, ok: boolean, result: string): ResultRow {
  return { measure, result, goal: '0', met: ok }
}

/** A row that stands there only when something was refused or broken off, by status; latencies leave these answers out. */
export function refusedRows(
  measure: string,
  byStatus: Readonly<Record<string, number>>,
  goal: number | null,
): readonly ResultRow[] {
  const refused = Object.entries(byStatus).filter(([status]) => !status.startsWith('2'))
  if (refused.length === 0) return []
  const result = refused.map(([status, answers]) => `${status}: ${number(answers)}`).join(', ')
  const shown = { measure: `${measure}: refused, answers by status`, result }
  return [{ ...shown, goal: goal === null ? '' : String(goal), met: goal === null ? null : false }]
}

/** Three digits that mean something. */
export function number(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return Number(value.toPrecision(3)).toString()
}

/** The drained rate comes first; the accepted one stands beside it, never instead of it. */
export function ingestRows(report: IngestReport): readonly ResultRow[] {
  const { name, corpus, bytes, memory } = report
  const isAll = corpus.stacks === 'all'
  const drainedGoal =
    corpus.kind === 'error-18k'
      ? GOALS.drained['error-18k']
      : GOALS.drained[isAll ? 'error-5k all' : 'error-5k']
  const lost = report.acknowledged - report.stored
  return [
    atLeast(`${name}: drained`, report.drainedPerSecond, drainedGoal, '/s'),
    atLeast(`${name}: accepted`, report.acceptedPerSecond, null, '/s'),
    atMost(`${name}: CPU a drained event`, report.cpuPerEvent, null, 'µs'),
    ...ratioRows(report),
    atMost(`${name}: bytes kept ÷ gzip-6, before compaction`, bytes.ratioBeforeCompaction, null, ''),
    atMost(
      `${name}: bytes kept ÷ gzip-6, after compaction`,
      bytes.ratioAfterCompaction,
      isAll ? GOALS.bytesRatio.all : GOALS.bytesRatio.few,
      '',
    ),
    atMost(`${name}: memory idle after start`, memory.idle, GOALS.memoryMb.idle, 'MB'),
    atMost(`${name}: memory at most`, memory.peak, GOALS.memoryMb.peak, 'MB'),
    passed(`${name}: acknowledged − stored`, lost === 0, String(lost)),
    ...refusedRows(name, report.byStatus, null),
  ]
}

/** Both forms: of the first events, and of those after which V8 has compiled what is used most. */
function ratioRows(report: IngestReport): readonly ResultRow[] {
  const { name, corpus, connections, fresh, warmAfter } = report
  const goal =
    corpus.stacks === 'all' || corpus.kind === 'transaction-28k' || corpus.kind === 'spans-30k'
      ? null
      : GOALS.cpuRatio[corpus.kind]
  const sink = (micros: number | null) =>
    `÷ CPU of the bare sink (${number(micros ?? Number.NaN)} µs, ${connections} connections)`
  return [
    atMost(
      `${name}: warm, after ${number(warmAfter)} events, ${sink(report.cpuPerSinkRequest)}`,
      report.ratio,
      goal?.warm ?? null,
      '',
    ),
    atMost(
      `${name}: fresh, the first ${number(fresh.events)} events, ${sink(fresh.cpuPerSinkRequest)}`,
      fresh.ratio,
      goal?.fresh ?? null,
      '',
    ),
  ]
}
