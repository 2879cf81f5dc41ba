/** Searches that people keep, and how they have the issue list. */
import { LIST_PREFERENCES, SAVED_SEARCHES } from '#model/tables/searches.ts'
import { NO_PREFERENCES, type SearchesRead } from '#ports/searches.ts'
import type { Connection } from '../connection.ts'
import { readRow } from '../tables/rows.ts'
import { selectedColumns } from '../tables/statements.ts'

export function searchesRead(db: Connection): SearchesRead {
  return {
    savedSearches: async ({ orgId, userId }) => {
      // saved_searches_by_org
      const sql = `SELECT ${selectedColumns(SAVED_SEARCHES, { without: ['orgId'] })} FROM saved_searches
        WHERE org_id = :org AND (is_shared = 1 OR (is_shared = 0 AND owner_id = :user))
        ORDER BY lower(name), id`
      return db
        .all<object>(sql, { org: orgId, user: userId ?? null })
        .map((row) => readRow(SAVED_SEARCHES, row))
    },
    listPreferences: async ({ orgId, userId }) => {
      const columns = selectedColumns(LIST_PREFERENCES, { without: ['orgId', 'userId'] })
      const sql = `SELECT ${columns} FROM list_preferences WHERE org_id = ? AND user_id = ?`
      const kept = db.get<object>(sql, [orgId, userId ?? null])
      return kept === undefined ? NO_PREFERENCES : readRow(LIST_PREFERENCES, kept)
    },
  }
}
