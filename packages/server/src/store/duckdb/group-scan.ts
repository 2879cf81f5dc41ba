/**
 * The narrow columns of groups over several files in one statement: planning costs as much as reading a small file, and
 * the wide columns ten times as much (8 ms against 0.7 for 7,000 rows, 2 vCPU, 2026-11-21).
 */
import { type EventId, type ProjectId, projectId as projectIdOf } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { AnyEventFilter } from '#ports/telemetry.ts'
import {
  fromGroups,
  fromProjects,
  ORDER_KEY,
  type OrderKey,
  orderKeyParameter,
  Parameters,
} from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import type { GroupFile } from './group-files.ts'
import type { ReadContext } from './read-context.ts'

/** Key of a row: its place in the order of events, and its file. */
export interface RowKey extends OrderKey {
  readonly eventId: EventId
  readonly projectId: ProjectId
  readonly file: FileName
}

export interface ScanPart {
  readonly filter: AnyEventFilter
  readonly files: readonly GroupFile[]
}

/** The newest rows of the files beyond `after`, newest first, at most `count`. `files`: at most `filesPerScan`. */
export async function newestKeys(
  context: ReadContext,
  { filter, files }: ScanPart,
  { after, count }: { readonly after: OrderKey | null; readonly count: number },
): Promise<readonly RowKey[]> {
  const found = await scanGroups(context, { filter, files }, (from, parameters) => {
    const beyond =
      after === null
        ? ''
        : ` AND e.timestamp_ms <= ${parameters.add(after.timestampMs)}::DOUBLE AND ${ORDER_KEY} < ${orderKeyParameter(after, parameters)}`
    return {
      select: KEY_COLUMNS,
      from: `${from}${beyond}`,
      last: `ORDER BY t DESC, i DESC, s DESC LIMIT ${Math.max(1, Math.floor(count))}`,
    }
  })
  return found.map(rowKey)
}

const KEY_COLUMNS = 'e.timestamp_ms AS t, e.event_id AS i, e.seq::DOUBLE AS s, e.project_id::DOUBLE AS p'

function rowKey({ file, values }: ScannedRow): RowKey {
  const [timestampMs, id, seq, project] = values
  const projectId = projectIdOf(Number(project))
  return { timestampMs: Number(timestampMs), eventId: storedId(id), seq: Number(seq), projectId, file }
}

/** An event id that was read from a column. */
export function storedId(value: unknown): EventId {
  return String(value) as EventId // stored from an EventId, whatever is let in today
}

/** Every row of the files that meets the filter, in no order: for files of which it is known that there are few. */
export async function allKeys(context: ReadContext, part: ScanPart): Promise<readonly RowKey[]> {
  const found = await scanGroups(context, part, (from) => ({ select: KEY_COLUMNS, from }))
  return found.map(rowKey)
}

/** Rows of each file that meet the filter, and those around a place: one entry a file that is there. */
export async function aroundPlace(
  context: ReadContext,
  part: ScanPart,
  of: OrderKey,
): Promise<readonly FileAround[]> {
  const found = await scanGroups(context, part, (from, parameters) => {
    const here = orderKeyParameter(of, parameters)
    return {
      select:
        'count(*)::DOUBLE AS total, (count(*) FILTER (WHERE k < here))::DOUBLE AS before, min(k) AS first, ' +
        'max(k) FILTER (WHERE k < here) AS previous, min(k) FILTER (WHERE k > here) AS next, max(k) AS latest',
      from: `FROM (SELECT ${ORDER_KEY} AS k, ${here} AS here ${from})`,
    }
  })
  return found.map(({ file, values }) => {
    const [total, before, first, previous, next, latest] = values
    return {
      file,
      ...{ total: Number(total), before: Number(before) },
      ...{
        first: readKeyWithId(first),
        previous: readKeyWithId(previous),
        next: readKeyWithId(next),
        latest: readKeyWithId(latest),
      },
    }
  })
}

export type KeyWithId = OrderKey & { readonly eventId: EventId }

export interface FileAround {
  readonly file: FileName
  readonly total: number
  readonly before: number
  readonly first: KeyWithId | null
  readonly previous: KeyWithId | null
  readonly next: KeyWithId | null
  readonly latest: KeyWithId | null
}

/** How many rows meet the filter. */
export async function countKeys(context: ReadContext, part: ScanPart): Promise<number> {
  const found = await scanGroups(context, part, (from) => ({ select: 'count(*)::DOUBLE AS n', from }))
  return found.reduce((sum, { values }) => sum + Number(values[0]), 0)
}

/** Files that one statement reads. */
export function filesPerScan(): number {
  return max('duckdbFilesPerScanMax')
}

/** Cuts a list of files into parts that one statement reads. */
export function* splitIntoScans(files: readonly GroupFile[]): Generator<readonly GroupFile[]> {
  for (let at = 0; at < files.length; at += filesPerScan()) yield files.slice(at, at + filesPerScan())
}

export interface Branch {
  readonly select: string
  readonly from: string
  /** Clause behind all branches together. */
  readonly last?: string
}

export interface ScannedRow {
  readonly file: FileName
  readonly values: AnswerRow
}

/** Scans at most `filesPerScan` files in one statement. */
export async function scanGroups(
  context: ReadContext,
  { filter, files }: ScanPart,
  branchOf: (from: string, parameters: Parameters) => Branch,
): Promise<readonly ScannedRow[]> {
  const groupsOf = new Map(files.map(({ file, groups }) => [fileStem(file), groups]))
  const names = files.map(({ file }) => file)
  return context.files.readAll(names, async (attached) => {
    const parameters = new Parameters()
    let last = ''
    const branches = attached.flatMap((rows, index) => {
      const groups = groupsOf.get(fileStem(rows.file))
      if (groups === undefined) return []
      const { scope, rules } = context
      const from =
        groups === null
          ? fromProjects(rows, scope, { filter, parameters, rules, file: rows.file })
          : fromGroups(rows, groups, { filter, parameters })
      const branch = branchOf(from, parameters)
      last = branch.last ?? ''
      return [`SELECT ${index} AS f, ${branch.select} ${branch.from}`]
    })
    if (branches.length === 0) return []
    const all = branches.join(' UNION ALL ')
    const rows = await context.query(last === '' ? all : `SELECT * FROM (${all}) ${last}`, parameters.values)
    return rows.flatMap(([index, ...values]) => {
      const file = attached[Number(index)]?.file
      return file === undefined ? [] : [{ file, values }]
    })
  })
}

/** A struct made with ORDER_KEY. */
function readKeyWithId(value: unknown): KeyWithId | null {
  if (!isObject(value)) return null
  return { timestampMs: Number(value.t), eventId: storedId(value.i), seq: Number(value.s) }
}
