/** All rows of a list as a file, page by page: nothing of it is held in memory, and no page is read before the last has gone out. */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { csvText } from '../csv.ts'
import type { ApiAnswer, ApiRoute, Exported, OrgCall } from './call.ts'
import { choiceOrNone } from './query.ts'

export const FORMAT = choiceOrNone({
  name: 'format',
  what: 'All rows as a file instead of a page',
  of: ['csv', 'jsonl'],
})

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const
type Format = keyof typeof TYPES

type OrgRoute = Extract<ApiRoute, { run(call: OrgCall): Promise<ApiAnswer> }>

/** The first page is read before anything is answered: what is refused is refused as ever. */
export async function exportRows(
  route: Pick<OrgRoute, 'run'>,
  call: OrgCall,
  { exported, format }: { readonly exported: Exported; readonly format: Format },
): Promise<ApiAnswer> {
  const pages = exported.rows === undefined ? pagesOf(route, call) : onePage(await exported.rows(call))
  const first = await pages.next()
  const columns = exported.columns(call.url, first.done === true ? [] : first.value)
  const lines = (rows: readonly unknown[]) =>
    format === 'csv' ? csvText(rows.map((row) => exportCells(row, columns))) : jsonLines(rows)
  async function* texts() {
    if (format === 'csv') yield csvText([columns])
    if (first.done !== true) yield lines(first.value)
    for await (const rows of pages) yield lines(rows)
  }
  return fileAnswer(texts(), { name: `${exported.name}.${format}`, type: TYPES[format] })
}

/** A file of texts, each made when the one before has gone out. */
export function fileAnswer(
  texts: AsyncGenerator<string>,
  { name, type }: { readonly name: string; readonly type: string },
): ApiAnswer {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await texts.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => void (await texts.return(undefined)),
    },
    { highWaterMark: 1 },
  )
  return { status: 200, file: { name: name.replace(/[^\w.-]/g, '_'), type, stream } }
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function* onePage(rows: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  yield rows
}

async function* pagesOf(route: Pick<OrgRoute, 'run'>, call: OrgCall): AsyncGenerator<readonly unknown[]> {
  const url = new URL(call.url)
  for (const name of ['format', 'cursor', 'per_page']) url.searchParams.delete(name)
  url.searchParams.set('limit', String(max('pageRowsMax')))
  for (let left = max('exportRowsMax'); left > 0; ) {
    const { body, page } = await route.run({ ...call, url })
    const rows = rowsOf(body).slice(0, left)
    yield rows
    left -= rows.length
    if (rows.length === 0 || page === undefined || page.next === null) return
    url.searchParams.set('cursor', page.next)
  }
}

function rowsOf(body: unknown): readonly unknown[] {
  const rows = isObject(body) && Array.isArray(body.data) ? body.data : body
  return Array.isArray(rows) ? rows : []
}

function exportCells(row: unknown, columns: readonly string[]): readonly (string | number)[] {
  return columns.map((column) => exportCell(valueOfColumn(row, column)))
}

/** A key with dots of its own comes before a path. */
function valueOfColumn(row: unknown, column: string): unknown {
  if (isObject(row) && Object.hasOwn(row, column)) return row[column]
  return column
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      row,
    )
}

function exportCell(value: unknown): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}
