/**
 * A row as it lies behind its payload in a block: what column files are rebuilt from, and all that is kept of an
 * event whose payload was not. A JSON list without names, because neighbours in a block are alike and names would be
 * half of it; the first element is the version. What the block's entry and the file's name say is left out.
 */
import { assert } from '#base/errors.ts'
import type { EventRow } from './batch.ts'

const VERSION = 1

/** Fields in their order; new ones go to the end, and a list that is shorter lacks them. Never reorder. */
const FIELDS = [
  'groupHash',
  'timestampMs',
  'receivedMs',
  'level',
  'platform',
  'title',
  'culprit',
  'environment',
  'release',
  'dist',
  'transaction',
  'browser',
  'os',
  'runtime',
  'device',
  'serverName',
  'url',
  'user',
  'handled',
  'traceId',
  'spanId',
  'requestKind',
  'route',
  'sdk',
  'isMirror',
  'tags',
  'people',
] as const satisfies readonly (keyof EventRow)[]

type Field = (typeof FIELDS)[number]
/** What is told elsewhere: by the block's entry and the file's name. */
export type RowPlace = Pick<EventRow, 'seq' | 'projectId' | 'eventId' | 'day' | 'retentionDays'>
/** Compiles only while every field of a row is in one of the two. */
type Missing = Exclude<keyof EventRow, Field | keyof RowPlace>
const NOTHING_MISSING: [Missing] extends [never] ? true : Missing = true
assert(NOTHING_MISSING, 'a row record holds every field of a row')

export function encodeRow(row: EventRow): string {
  const values: unknown[] = [VERSION]
  for (const field of FIELDS) values.push(row[field])
  return JSON.stringify(values)
}

/** The row that `encodeRow` was given. @throws when the text is not one of a version this build knows */
export function decodeRow(text: string, place: RowPlace): EventRow {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values) || values[0] !== VERSION) throw new Error('a row record of an unknown version')
  const row: Record<string, unknown> = { ...place }
  FIELDS.forEach((field, index) => {
    row[field] = values[index + 1] ?? null
  })
  // Written by `encodeRow`: its fields are those of a row, in this order.
  return row as unknown as EventRow // see above
}
