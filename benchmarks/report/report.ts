/** Writes the findings of a run as a table for people and JSON for programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyNot } from './limits.ts'
import { describeMachine, type Machine } from './machine.ts'
import type { ResultRow } from './result-row.ts'

export interface BenchReport {
  readonly date: string
  readonly form: 'quick' | 'full' | 'soak'
  readonly command: string
  readonly machine: Machine
  readonly product: string
  readonly corpus: string
  readonly notes: readonly string[]
  readonly rows: readonly ResultRow[]
  /** Everything measured, by measure. */
  readonly details: Readonly<Record<string, unknown>>
}

export function asText(report: BenchReport): string {
  const cells = [
    ['measure', 'result', 'goal', ''],
    ...report.rows.map(({ measure, result, goal, met }) => [measure, result, goal, verdictOf(met)]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = cells
  const table = [line(head), '-'.repeat(line(head).length), ...body.map(line)]
  const reasons = whyNot(report.rows)
  const why = reasons.length === 0 ? [] : ['', 'Not met, and why:', ...reasons.map((text) => `- ${text}`)]
  return [...headOf(report), '', ...table, ...why].join('\n')
}

function asMarkdown(report: BenchReport): string {
  const rows = report.rows.map(
    ({ measure, result, goal, met }) => `| ${measure} | ${result} | ${goal} | ${verdictOf(met)} |`,
  )
  const [first = '', ...rest] = headOf(report)
  const lines = [`# ${first}`, '', ...rest.map((text) => `- ${text}`), '']
  const reasons = whyNot(report.rows)
  const why =
    reasons.length === 0 ? [] : ['## Not met, and why', '', ...reasons.map((text) => `- ${text}`), '']
  return [...lines, '| measure | result | goal | |', '|---|---|---|---|', ...rows, '', ...why].join('\n')
}

function headOf(report: BenchReport): readonly string[] {
  return [
    `Benchmark of ${report.date}, ${report.form} form`,
    `machine: ${describeMachine(report.machine)}`,
    `product: ${report.product}`,
    `corpus: ${report.corpus}`,
    `command: ${report.command}`,
    ...report.notes,
  ]
}

function verdictOf(met: boolean | null): string {
  if (met === null) return ''
  return met ? 'met' : 'NOT MET'
}

/** Writes `YYYY-MM-DD-HHMM.json` and `.md`, or those of `name`; answers their common path without the ending. */
export function writeReport(directory: string, report: BenchReport, name: string | null = null): string {
  mkdirSync(directory, { recursive: true })
  const stem = join(directory, name ?? report.date.slice(0, 16).replace('T', '-').replace(':', ''))
  writeFileSync(`${stem}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${stem}.md`, asMarkdown(report))
  return stem
}
