/**
 * Whether a database came to its schema by the very steps that this Errata has: what another line of development made
 * may have the same number, and would be taken for ours until something breaks. The steps leave a mark in the header of
 * the file (`application_id`); one from before there were marks is compared by its schema.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ErrataError } from '#base/errors.ts'
import type { Connection } from './connection.ts'

export interface Migration {
  readonly version: number
  readonly url: URL
  /** Change that it makes, for whoever starts the new version. */
  readonly does: string
  /** That of the steps which this one stands for, which a database at this version has. */
  readonly mark?: number
}

/** Error for a database that this Errata must leave as it is. */
export class ForeignDatabase extends ErrataError {
  constructor(sentence: string) {
    super('internal', sentence)
  }
}

/** Returns the mark of a database at `version` by these steps: never 0, which a file without a mark has. */
export function lineageMark(migrations: readonly Migration[], version: number): number {
  const all = createHash('sha256')
  for (const { version: step, url, mark } of migrations) {
    if (step > version) continue
    if (step === version && mark !== undefined) return mark
    // As it was checked out, whatever that does to the ends of lines.
    all.update(`${step}\n${mark ?? readFileSync(url, 'utf8').replaceAll('\r\n', '\n')}\n`)
  }
  return (all.digest().readUInt32BE(0) >>> 1) | 1
}

/**
 * Checks that a database went through the migrations of this product.
 * @throws for a database whose steps were others; it is left as it is
 */
export function requireLineage(
  db: Connection,
  {
    migrations,
    version,
    scratch,
  }: {
    readonly migrations: readonly Migration[]
    readonly version: number
    /** An empty database in memory. */
    readonly scratch: () => Connection
  },
): void {
  const mark = markOf(db)
  if (mark === lineageMark(migrations, version)) return
  const strange =
    mark === 0 ? schemaDifferences(db, schemaBy({ migrations, version, scratch })) : ['other steps led to it']
  if (strange.length === 0) return
  throw new ForeignDatabase(
    `${db.path} was made by another line of Errata (schema ${version}: ${strange.slice(0, 3).join(', ')}), and is left as it is: ` +
      'start the Errata that wrote it, choose another directory with --data, or bring a backup back with "errata restore"',
  )
}

export function markOf(db: Connection): number {
  return db.get<{ application_id: number }>('PRAGMA application_id')?.application_id ?? 0
}

type Schema = ReadonlyMap<string, string | null>

function schemaBy({ migrations, version, scratch }: Parameters<typeof requireLineage>[1]): Schema {
  const db = scratch()
  try {
    for (const { version: step, url } of migrations) if (step <= version) db.script(readFileSync(url, 'utf8'))
    return readSchema(db)
  } finally {
    db.close()
  }
}

function readSchema(db: Connection): Schema {
  const rows = db.all<{ type: string; name: string; sql: string | null }>(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  )
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
}

function schemaDifferences(db: Connection, expected: Schema): readonly string[] {
  const found = readSchema(db)
  const missing = [...expected].filter(([name, sql]) => found.get(name) !== sql).map(([name]) => name)
  return [...missing, ...[...found.keys()].filter((name) => !expected.has(name))]
}
