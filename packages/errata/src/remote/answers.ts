/** Reads the web API's answers for a terminal. With `--json` they are printed as they come. */
import * as v from 'valibot'

export const ORGANISATIONS = v.array(v.object({ slug: v.string() }))

const NULLABLE_TEXT = v.optional(v.nullable(v.string()))

export const ISSUE = v.looseObject({
  id: v.string(),
  shortId: v.string(),
  title: v.string(),
  culprit: v.string(),
  level: v.string(),
  status: v.string(),
  substatus: NULLABLE_TEXT,
  count: v.string(),
  userCount: v.number(),
  firstSeen: v.string(),
  lastSeen: v.string(),
  permalink: v.string(),
})
export type Issue = v.InferOutput<typeof ISSUE>

export const EVENT_ROW = v.looseObject({
  eventID: v.string(),
  title: v.string(),
  culprit: v.string(),
  dateCreated: v.string(),
  dateReceived: v.string(),
  tags: v.array(v.object({ key: v.string(), value: v.string() })),
})
export type EventRow = v.InferOutput<typeof EVENT_ROW>

const FRAME = v.looseObject({
  filename: NULLABLE_TEXT,
  absPath: NULLABLE_TEXT,
  function: NULLABLE_TEXT,
  lineNo: v.optional(v.nullable(v.number())),
  colNo: v.optional(v.nullable(v.number())),
  inApp: v.optional(v.nullable(v.boolean())),
  context: v.optional(v.nullable(v.array(v.tuple([v.number(), v.nullable(v.string())])))),
})
export type Frame = v.InferOutput<typeof FRAME>

const MECHANISM = v.looseObject({
  type: v.optional(v.string(), 'generic'),
  exception_id: v.exactOptional(v.number()),
  parent_id: v.exactOptional(v.number()),
  is_exception_group: v.exactOptional(v.boolean()),
  source: v.exactOptional(v.string()),
})

export const EXCEPTIONS = v.object({
  values: v.array(
    v.looseObject({
      type: NULLABLE_TEXT,
      value: NULLABLE_TEXT,
      mechanism: v.nullish(MECHANISM),
      stacktrace: v.optional(v.nullable(v.looseObject({ frames: v.optional(v.nullable(v.array(FRAME))) }))),
    }),
  ),
})

export const EVENT = v.looseObject({
  eventID: v.string(),
  title: v.string(),
  dateCreated: v.string(),
  entries: v.array(v.looseObject({ type: v.string(), data: v.unknown() })),
})
export type Event = v.InferOutput<typeof EVENT>

/** Replaces what a terminal would take as a command by a mark: titles and tags come from anybody. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** JSON for a terminal: what JSON itself leaves as it is, and a terminal takes as an order, is escaped. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function stateOf({ status, substatus }: Issue): string {
  const shown = status === 'ignored' ? 'archived' : status
  return substatus === null || substatus === undefined || substatus.startsWith('archived')
    ? shown
    : `${shown}, ${substatus}`
}

/** Columns apart by two spaces; the last one is as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) => row.map((cell, index) => cell.padEnd(index === row.length - 1 ? 0 : (widths[index] ?? 0))))
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n')
}
