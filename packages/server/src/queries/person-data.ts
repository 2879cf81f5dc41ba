/**
 * Reads everything kept about one person in a project, event by event, then trace by trace, then row by row of every
 * other dataset whose rows name people: in pages, never whole.
 */
import { inChunks } from '#base/chunks.ts'
import { type EventId, eventId, type ProjectId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { type Dataset, type DatasetFieldType, datasetTimeText } from '#model/dataset.ts'
import { namesPeople } from '#model/fields.ts'
import { asOwnText } from '#model/text-pattern.ts'
import type { Columns, FieldRef, FieldValue, RowsAnswer } from '#ports/columns.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import { nearest } from './traces/trace.ts'

export interface PersonDataParts {
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching' | 'events'> &
    Pick<TraceReads<FragmentRow>, 'segments' | 'fragments'> &
    Pick<TelemetryStore, 'files'> &
    Columns
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly datasets: readonly Dataset[]
}

/** `payload` is null where it was not kept. */
export interface PersonEvent {
  readonly row: EventRow
  readonly payload: unknown
}

/** Spans that came together. `payload` is null where it was not kept. */
export interface PersonSpans {
  readonly fragment: FragmentRow
  readonly payload: unknown
}

/** Row of another dataset, without what may be kept beside it. */
export interface PersonRow {
  readonly dataset: string
  /** `null` in a dataset whose rows have no ids. */
  readonly eventId: EventId | null
  readonly timestampMs: number
  readonly receivedMs: number
  readonly people: readonly string[]
  /** Every field of the dataset by its name, as JSON has it. */
  readonly fields: Readonly<Record<string, unknown>>
}

export type PersonItemData = PersonEvent | PersonSpans | PersonRow

/** Rows of one question; of so many events or spans the payloads are read at once. */
const PAGE_ROWS = 200
const PAYLOADS = 20

interface Whose {
  readonly project: ProjectId
  /** Key of the person, as in columns. */
  readonly key: string
}

/** Events, then spans, then rows of other datasets, each newest first. */
export async function* personData(
  parts: PersonDataParts,
  scope: ReadScope,
  whose: Whose,
): AsyncGenerator<readonly PersonItemData[]> {
  yield* eachPersonEvent(parts, scope, whose)
  yield* eachPersonSpans(parts, scope, whose)
  for (const dataset of otherPeopleDatasets(parts)) yield* eachPersonRow(parts, scope, { ...whose, dataset })
}

/** Returns datasets whose rows name people, without errors and spans, which are read in their own ways. */
export function otherPeopleDatasets({ datasets }: Pick<PersonDataParts, 'datasets'>): readonly Dataset[] {
  return datasets.filter(({ table }) => namesPeople(table) && table.kind !== ERROR && table.kind !== SPAN)
}

async function* eachPersonEvent(
  { telemetry, payloads }: PersonDataParts,
  scope: ReadScope,
  { project, key }: Whose,
): AsyncGenerator<readonly PersonEvent[]> {
  const own: ReadScope = { ...scope, projects: scope.projects.filter((id) => id === project) }
  const people = [{ names: [key], negated: false }]
  const files = (await telemetry.files()).filter(({ kind }) => kind === ERROR)
  const groups = await telemetry.groupsMatching(own, { people, files }, max('groupsMatchingMax'))
  let cursor: string | null = null
  for (let left = max('personExportEvents'); left > 0; ) {
    const page = await telemetry.events(own, { groups, people, files }, { limit: PAGE_ROWS, cursor })
    // A star in a name stands for any text in the columns, and for itself here.
    const theirs = page.rows.filter((row) => row.people.includes(key)).slice(0, left)
    for (const some of inChunks(theirs, PAYLOADS)) {
      yield await Promise.all(
        some.map(async (row) => {
          const file = { kind: ERROR, day: row.day, retentionDays: row.retentionDays }
          return { row, payload: parsePayload(await payloads.read(file, row.projectId, row.eventId)) }
        }),
      )
    }
    left -= page.rows.length
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

/** Columns that are read of every row before the dataset's fields. */
const COLUMNS = ['timestampMs', 'receivedMs', 'people'] as const

async function* eachPersonRow(
  { telemetry }: PersonDataParts,
  scope: ReadScope,
  { project, key, dataset }: Whose & { readonly dataset: Dataset },
): AsyncGenerator<readonly PersonRow[]> {
  const own: ReadScope = { ...scope, projects: scope.projects.filter((id) => id === project) }
  const { table, fields } = dataset
  const user = fields.find(({ type }) => type === 'people')
  if (user === undefined) return
  const files = (await telemetry.files()).filter(({ kind }) => kind === table.kind)
  const ids = table.hasEventId ? ['eventId'] : []
  const columns: readonly FieldRef[] = [...COLUMNS, ...ids].map((column) => ({ column }))
  let cursor: string | null = null
  for (let left = max('personExportEvents'); left > 0; ) {
    const page: RowsAnswer = await telemetry.ask(own, {
      ...{ ask: 'rows', dataset: dataset.name, files, range: EVER },
      where: { of: { field: user.name }, is: { op: 'names', value: [asOwnText(key)] } },
      fields: [...columns, ...fields.map(({ name }) => ({ field: name }))],
      sort: { by: { column: 'timestampMs' }, isDescending: true },
      ...{ limit: Math.min(left, PAGE_ROWS), cursor },
    })
    yield page.rows.map(([timestampMs, receivedMs, people, ...values]) => {
      const said = values.slice(ids.length)
      return {
        ...{ dataset: dataset.name, eventId: table.hasEventId ? eventId(String(values[0])) : null },
        ...{ timestampMs: Number(timestampMs), receivedMs: Number(receivedMs), people: namesInRow(people) },
        fields: Object.fromEntries(
          fields.map(({ name, type }, at) => [name, jsonFieldValue(type, said[at] ?? null)]),
        ),
      }
    })
    left -= page.rows.length
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

const EVER = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }

function jsonFieldValue(type: DatasetFieldType, value: FieldValue): unknown {
  if (type === 'pairs' && Array.isArray(value)) return Object.fromEntries(value)
  return type === 'time' && typeof value === 'number' ? datasetTimeText(value) : value
}

function namesInRow(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function parsePayload(bytes: Uint8Array | null): unknown {
  return bytes === null || bytes.length === 0 ? null : JSON.parse(new TextDecoder().decode(bytes))
}

/**
 * Yields, for each trace with a segment of theirs, the project's spans except those that name somebody else.
 */
async function* eachPersonSpans(
  { telemetry, payloads }: PersonDataParts,
  scope: ReadScope,
  { project, key }: Whose,
): AsyncGenerator<readonly PersonSpans[]> {
  const own: ReadScope = { ...scope, projects: scope.projects.filter((id) => id === project) }
  const files = (await telemetry.files()).filter(({ kind }) => kind === SPAN)
  const times = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
  const filter = { ...times, files, projects: [project], people: [{ names: [key], negated: false }] }
  const traces = new Set<string>()
  let cursor: string | null = null
  for (let left = max('personExportEvents'); left > 0; ) {
    const page = await telemetry.segments(own, filter, { sort: 'newest', limit: PAGE_ROWS, cursor })
    for (const { traceId, people, timestampMs } of page.rows) {
      if (traces.has(traceId) || !people.includes(key)) continue
      traces.add(traceId)
      const near = nearest(files, SPAN, timestampMs)
      const found = await telemetry.fragments(own, { traceId, files: near })
      const theirs = found.filter((row) => row.people.length === 0 || row.people.includes(key)).slice(0, left)
      left -= theirs.length
      yield await Promise.all(
        theirs.map(async (fragment) => {
          const file = { kind: SPAN, day: fragment.day, retentionDays: fragment.retentionDays }
          const bytes = await payloads.read(file, fragment.projectId, fragment.eventId)
          return { fragment, payload: parsePayload(bytes) }
        }),
      )
    }
    cursor = page.nextCursor
    if (cursor === null) return
  }
}
