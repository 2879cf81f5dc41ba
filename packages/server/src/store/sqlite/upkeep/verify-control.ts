/** The control store looked through page by page, a table at a time, beside the one writer. */
import { type FileWords, fileNameOf } from '#model/file-name.ts'
import type { VerifyControl } from '#store/embedded/care/stores/control.ts'
import { Connection, type SqlParams } from '../connection.ts'

/** Sentences that SQLite answers of one table: further ones would say no more. */
const SENTENCES_MAX = 5

/** A read connection of its own, opened by the first call: a long check holds no other read up, and no writer. */
export function openControlVerifier(path: string): VerifyControl & { close(): Promise<void> } {
  let opened: Connection | null = null
  const all = <Row>(sql: string, params: SqlParams = []): readonly Row[] => {
    opened ??= Connection.openReader(path)
    return opened.all<Row>(sql, params)
  }
  return {
    tables: async () => all<{ name: string }>(TABLES).map(({ name }) => name),
    verifyTable: async (table) =>
      all<{ text: string }>(QUICK_CHECK, [table, SENTENCES_MAX])
        .map(({ text }) => text)
        .filter((text) => text !== 'ok'),
    namedFiles: async () => all<FileWords>(NAMED_FILES).flatMap((words) => fileNameOf(words) ?? []),
    close: async () => opened?.close(),
  }
}

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
const QUICK_CHECK = 'SELECT quick_check AS text FROM pragma_quick_check(?) LIMIT ?'
const NAMED_FILES = `SELECT DISTINCT g.kind, f.day, f.retention_days AS retentionDays
  FROM group_files f JOIN groups g ON g.id = f.group_id`
