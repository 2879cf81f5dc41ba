/**
 * Everything that is kept, read once and held against each other: payloads against columns, columns against the
 * control store, event ids against payloads. Changes nothing. Memory follows the number of groups, not of events: rows
 * are compared by sums over each group, and only a group whose sums differ is looked at again.
 */

import { hash } from 'node:crypto'
import { countText } from '#base/byte-size.ts'
import { type Day, type ProjectId, type Seq, seq } from '#base/ids.ts'
import type { Kinds, StoredKind } from '#kinds/kind.ts'
import { max } from '#limits/limits.ts'
import { isGrouped, neighbourKey, type RowTable, type RowValues, type StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import { type Hidden, HiddenRules } from '#model/hidden.ts'
import { encodeRow } from '#model/row-record.ts'
import type { EventIds } from '#ports/telemetry.ts'
import { rowsOfBlock, withoutCutSeq } from './rebuild.ts'
import type { ColumnCare } from './stores/columns.ts'
import type { ControlChecks } from './stores/control.ts'
import type { PayloadCare } from './stores/payloads.ts'

export interface DeepCheckOptions {
  readonly kinds: Kinds
  readonly control: ControlChecks
  readonly appliedSeq: Seq
  /**
   * Deleted and expired rows: they may be gone from one store and not yet from the other, so they are left
   * out.
   */
  readonly hidden: Hidden
  readonly today: Day
  readonly segments: Pick<PayloadCare, 'files' | 'blocks'>
  readonly telemetry: Pick<ColumnCare, 'files' | 'rows'>
  readonly eventIds: Pick<EventIds, 'find'>
}

export interface Finding {
  readonly ok: boolean
  readonly name: string
  readonly detail: string
}

/** Rows, those with a payload (of columns: none), and an order-independent sum of them. */
interface GroupSum {
  rows: number
  full: number
  sum: number
}

/** By what makes rows neighbours: of events, project and group. */
type Sums = Map<string, GroupSum>

/** Rows of a group in a column file: all, and those that are not hidden. */
interface RowCount {
  all: number
  shown: number
}

interface FileCheck {
  readonly isGrouped: boolean
  readonly findings: readonly Finding[]
  readonly payloads: Sums
  readonly columns: Sums
}

const GROUPS_AT_ONCE = 1_000
/** Event ids looked up of each block: all would cost a disk read each. */
const IDS_PER_BLOCK = 2
const SUM_MODULUS = 2 ** 48

/** Checks everything: one finding a file and one a store; `ok: false` if something is wrong. */
export async function deepCheck(options: DeepCheckOptions): Promise<readonly Finding[]> {
  const payloadFiles = new Map((await options.segments.files()).map((file) => [fileStem(file), file]))
  const columnFiles = new Map((await options.telemetry.files()).map((file) => [fileStem(file), file]))
  const findings: Finding[] = []
  const counted: Sums = new Map()
  for (const [stem, file] of new Map([...payloadFiles, ...columnFiles])) {
    if (!columnFiles.has(stem)) {
      findings.push(failedFinding(stem, 'has payloads but no columns: "errata rebuild" makes them'))
      continue
    }
    const checked = await checkFile(options, file)
    findings.push(...checked.findings)
    if (!checked.isGrouped) continue
    for (const [group, { rows }] of checked.columns) addGroupSum(counted, group, { rows, full: 0, sum: 0 })
    for (const [group, { full }] of checked.payloads) addGroupSum(counted, group, { rows: 0, full, sum: 0 })
  }
  const known = new Set([...payloadFiles.keys(), ...columnFiles.keys()])
  findings.push(...(await checkControlCounts(options, { counted, known })))
  return findings
}

async function checkFile(options: DeepCheckOptions, file: FileName): Promise<FileCheck> {
  const name = fileStem(file)
  const kind = options.kinds.stored(file.kind)
  const columns: Sums = new Map()
  const payloads: Sums = new Map()
  const counts = new Map<string, RowCount>()
  const problems: string[] = []
  const unreadable = await sumColumns(options, file, { table: kind.table, sums: columns, counts })
  if (unreadable !== null)
    problems.push(`columns cannot be read (${unreadable}): "errata rebuild" makes them anew`)
  problems.push(...(await sumPayloads(options, file, { kind, sums: payloads })))
  if (unreadable === null)
    problems.push(
      ...sumDifferences(payloads, columns),
      ...(isGrouped(kind.table) ? await findMiscounts(options, file, counts) : []),
    )
  const rows = [...payloads.values()].reduce((sum, each) => sum + each.rows, 0)
  const findings = problems.map((problem) => failedFinding(name, problem))
  if (problems.length === 0)
    findings.push({ ok: true, name, detail: `${countText(rows, 'row')}, payloads and columns agree` })
  return { isGrouped: isGrouped(kind.table), findings, payloads, columns }
}

/** Adds every committed row of the column file; answers why it cannot be read, or `null`. */
async function sumColumns(
  { telemetry, appliedSeq, hidden, today }: DeepCheckOptions,
  file: FileName,
  {
    table,
    sums,
    counts,
  }: { readonly table: RowTable; readonly sums: Sums; readonly counts: Map<string, RowCount> },
): Promise<string | null> {
  const rules = new HiddenRules(hidden, today)
  try {
    let after = seq(0)
    for (;;) {
      const page: readonly StoredRow[] = await telemetry.rows(file, after, max('telemetryPageRowsMax'))
      const rows = withoutCutSeq(page)
      for (const row of rows) {
        if (row.seq > appliedSeq) continue
        const isShown = !rules.hides(row, file)
        if (isShown) addRowToSums(sums, { table, row, full: 0 })
        countRow(counts, neighbourKey(table, row), isShown)
      }
      const last = rows.at(-1)
      if (last === undefined) return null
      after = last.seq
    }
  } catch (cause) {
    return sentence(cause)
  }
}

/** Adds every committed row record of the payload file; answers what is wrong with it. */
async function sumPayloads(
  options: DeepCheckOptions,
  file: FileName,
  { kind, sums }: { readonly kind: StoredKind; readonly sums: Sums },
): Promise<readonly string[]> {
  const { table, keep } = kind
  const { segments, appliedSeq, eventIds } = options
  const rules = new HiddenRules(options.hidden, options.today)
  const damaged: number[] = []
  let broken = 0
  let unknown = 0
  for await (const block of segments.blocks(file, (start) => damaged.push(start))) {
    if (block.batchLastSeq > appliedSeq) continue
    for (const [index, row] of rowsOfBlock(table, block, file).entries()) {
      if (rules.hides(row, file)) continue
      const { offset = 0, bytes = 0 } = block.entries[index] ?? {}
      addRowToSums(sums, { table, row, full: bytes > 0 ? 1 : 0 })
      if (bytes > 0 && !keep.holds(block.body.subarray(offset, offset + bytes), row)) broken++
      const id = block.entries[index]?.eventId ?? null
      if (index >= IDS_PER_BLOCK || id === null) continue
      const files = await eventIds.find(row.projectId, id, file.kind)
      if (!files.some((found) => fileStem(found) === fileStem(file))) unknown++
    }
  }
  return [
    ...damaged.map((start) => `the payload block at byte ${start} is damaged: its events cannot be shown`),
    ...(broken > 0 ? [`${broken} payloads are not those of their event`] : []),
    ...(unknown > 0 ? [`${unknown} events are not found by their id`] : []),
  ]
}

function sumDifferences(payloads: Sums, columns: Sums): readonly string[] {
  const problems: string[] = []
  for (const group of new Set([...payloads.keys(), ...columns.keys()])) {
    const [inPayloads, inColumns] = [payloads.get(group), columns.get(group)]
    const [stored, shown] = [inPayloads?.rows ?? 0, inColumns?.rows ?? 0]
    if (stored !== shown) problems.push(`group ${group} has ${stored} rows in payloads, ${shown} in columns`)
    else if (inPayloads?.sum !== inColumns?.sum)
      problems.push(`rows of group ${group} differ from their records`)
  }
  return boundFindings(problems)
}

/**
 * Finds counts by which reads of events skip files. Rows of a deleted issue are in the file and not in the
 * count of a group that began anew since; those of a deleted person are in both until compaction.
 */
async function findMiscounts(
  { control }: DeepCheckOptions,
  file: FileName,
  counts: ReadonlyMap<string, RowCount>,
): Promise<readonly string[]> {
  const problems: string[] = []
  const unnamed = new Set([...counts].flatMap(([key, { shown }]) => (shown > 0 ? [key] : [])))
  for (let after: number | null = 0; after !== null; ) {
    const { groups: told, last } = await control.groupCounts(file, after, GROUPS_AT_ONCE)
    for (const { projectId, hash: groupHash, events } of told) {
      const key = checkedGroupKey(projectId, groupHash)
      const { all, shown } = counts.get(key) ?? { all: 0, shown: 0 }
      unnamed.delete(key)
      if (events !== null && (events < shown || events > all))
        problems.push(
          `the control store says ${events} events of group ${key}, there are ${shown}: "errata rebuild" counts anew`,
        )
    }
    after = last
  }
  if (unnamed.size > 0)
    problems.push(
      `groups of events here for which the control store does not name this file: ${unnamed.size}`,
    )
  return boundFindings(problems)
}

async function checkControlCounts(
  { control }: DeepCheckOptions,
  { counted, known }: { readonly counted: Sums; readonly known: ReadonlySet<string> },
): Promise<readonly Finding[]> {
  const name = 'control store'
  const problems: string[] = [...(await control.contradictions(max('checkFindingsMax')))]
  const unseen = new Set(counted.keys())
  let groups = 0
  let removed = 0
  for (let after = 0; ; ) {
    const states = await control.groupStates(after, GROUPS_AT_ONCE)
    for (const { projectId, hash: groupHash, eventCount, payloadCount, files } of states) {
      const key = checkedGroupKey(projectId, groupHash)
      const { rows: events, full } = counted.get(key) ?? { rows: 0, full: 0 }
      unseen.delete(key)
      if (events > eventCount)
        problems.push(`group ${key} counts ${eventCount} events, but ${events} are stored`)
      if (full > payloadCount)
        problems.push(`group ${key} counts ${payloadCount} payloads, but ${full} are stored`)
      removed += Math.max(0, eventCount - events)
      const gone = files.filter((file) => !known.has(fileStem(file)))
      if (gone.length > 0)
        problems.push(`group ${key} names files that are gone: ${gone.map(fileStem).join(', ')}`)
    }
    groups += states.length
    const last = states.at(-1)
    if (last === undefined) break
    after = last.id
  }
  if (unseen.size > 0) problems.push(`${unseen.size} groups have events but are not known`)
  if (problems.length > 0) return boundFindings(problems).map((problem) => failedFinding(name, problem))
  const detail = `${countText(groups, 'group')}; ${removed === 0 ? 'every counted event is stored' : `${countText(removed, 'counted event')} no longer stored: past their retention, deleted or lost with a file`}`
  return [{ ok: true, name, detail }]
}

function addRowToSums(
  sums: Sums,
  { table, row, full }: { readonly table: RowTable; readonly row: StoredRow; readonly full: number },
): void {
  const { eventId }: RowValues = row
  const text = `${row.seq} ${eventId} ${encodeRow(table, row)}`
  const sum = Number.parseInt(hash('md5', text).slice(0, 12), 16)
  addGroupSum(sums, neighbourKey(table, row), { rows: 1, full, sum })
}

function countRow(counts: Map<string, RowCount>, key: string, isShown: boolean): void {
  const count = counts.get(key) ?? { all: 0, shown: 0 }
  count.all++
  if (isShown) count.shown++
  counts.set(key, count)
}

function addGroupSum(sums: Sums, group: string, { rows, full, sum }: GroupSum): void {
  const before = sums.get(group)
  if (before === undefined) sums.set(group, { rows, full, sum })
  else {
    before.rows += rows
    before.full += full
    before.sum = (before.sum + sum) % SUM_MODULUS
  }
}

function checkedGroupKey(projectId: ProjectId, groupHash: string): string {
  return `${projectId}:${groupHash}`
}

function boundFindings(problems: readonly string[]): readonly string[] {
  const left = problems.length - max('checkFindingsMax')
  return left > 0 ? [...problems.slice(0, max('checkFindingsMax')), `and ${left} more`] : problems
}

function failedFinding(name: string, detail: string): Finding {
  return { ok: false, name, detail }
}

function sentence(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]?.slice(0, 300) ?? ''
}
