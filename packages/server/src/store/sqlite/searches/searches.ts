/** Searches that people keep, and how they have the issue list. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { noSearch, refuseSearch, searchNote } from '#issues/saved-searches.ts'
import type { Actor } from '#ports/scope.ts'
import {
  type Density,
  type ListColumn,
  NO_PREFERENCES,
  type SavedSearch,
  type SearchesRead,
  type SearchesWrite,
  type SearchText,
} from '#ports/searches.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'

const COLUMNS = `id, owner_id AS ownerId, name, query, sort, is_shared AS isShared, created_ms AS createdMs`

interface Row extends Omit<SavedSearch, 'isShared'> {
  readonly isShared: number
}

function searchOf(row: Row): SavedSearch {
  return { ...row, isShared: row.isShared === 1 }
}

export function searchesRead(db: Connection): SearchesRead {
  return {
    savedSearches: async ({ orgId, userId }) => {
      // saved_searches_by_org
      const sql = `SELECT ${COLUMNS} FROM saved_searches
        WHERE org_id = :org AND (is_shared = 1 OR (is_shared = 0 AND owner_id = :user))
        ORDER BY lower(name), id`
      return db.all<Row>(sql, { org: orgId, user: userId ?? null }).map(searchOf)
    },
    listPreferences: async ({ orgId, userId }) => {
      const sql = `SELECT default_search AS defaultSearch, density, hidden_columns AS hidden
        FROM list_preferences WHERE org_id = ? AND user_id = ?`
      type Kept = {
        readonly defaultSearch: number | null
        readonly density: Density
        readonly hidden: string
      }
      const kept = db.get<Kept>(sql, [orgId, userId ?? null])
      if (kept === undefined) return NO_PREFERENCES
      const { hidden, ...others } = kept
      const hiddenColumns: readonly ListColumn[] = JSON.parse(hidden) // written by `setListPreferences`
      return { ...others, hiddenColumns }
    },
  }
}

export function searchesWrite(db: Connection): SearchesWrite {
  return {
    createSearch: async (search, actor) => db.transaction(() => create(db, search, actor)),
    changeSearch: async (org, change, actor) => db.transaction(() => replace(db, { org, change }, actor)),
    deleteSearch: async (org, id, actor) =>
      db.transaction(() => {
        const search = searchById(db, org, id)
        if (search === null) return noSearch()
        db.run('DELETE FROM saved_searches WHERE id = ?', [id])
        const note = searchNote('search.deleted', search)
        if (note !== null) writeAudit(db, org, actor, note)
        return ok(null)
      }),
    setListPreferences: async (org, user, { defaultSearch, density, hiddenColumns }) =>
      db.transaction(() => {
        if (defaultSearch !== null) {
          const search = searchById(db, org, defaultSearch)
          if (search === null || !(search.isShared || search.ownerId === user)) return noSearch()
        }
        const sql = `INSERT INTO list_preferences (org_id, user_id, default_search, density, hidden_columns)
          VALUES (:org, :user, :search, :density, :hidden) ON CONFLICT (org_id, user_id) DO UPDATE SET
            default_search = :search, density = :density, hidden_columns = :hidden`
        db.run(sql, { org, user, search: defaultSearch, density, hidden: JSON.stringify(hiddenColumns) })
        return ok(null)
      }),
  }
}

function create(
  db: Connection,
  search: SearchText & { readonly orgId: OrgId; readonly ownerId: UserId | null },
  actor: Actor,
): Result<SavedSearch> {
  const { orgId, ownerId, name, query, sort, isShared } = search
  const refused = refuseSearch(search, besides(db, orgId, { ownerId, isShared, id: 0 }))
  if (refused !== null) return refused
  const sql = `INSERT INTO saved_searches (org_id, owner_id, name, query, sort, is_shared, created_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  const createdMs = Math.floor(actor.atMs)
  const { lastId } = db.run(sql, [orgId, ownerId, name, query, sort, isShared ? 1 : 0, createdMs])
  const note = searchNote('search.created', search)
  if (note !== null) writeAudit(db, orgId, actor, note)
  return ok({ id: lastId, ownerId, name, query, sort, isShared, createdMs })
}

function replace(
  db: Connection,
  { org, change }: { readonly org: OrgId; readonly change: SearchText & { readonly id: number } },
  actor: Actor,
): Result<SavedSearch> {
  const before = searchById(db, org, change.id)
  if (before === null) return noSearch()
  const { ownerId, createdMs } = before
  const refused = refuseSearch(change, besides(db, org, { ...change, ownerId }))
  if (refused !== null) return refused
  const { id, name, query, sort, isShared } = change
  const sql = 'UPDATE saved_searches SET name = ?, query = ?, sort = ?, is_shared = ? WHERE id = ?'
  db.run(sql, [name, query, sort, isShared ? 1 : 0, id])
  if (before.isShared && !isShared) forgetDefaults(db, { id, ownerId })
  const note = searchNote('search.changed', change, before)
  if (note !== null) writeAudit(db, org, actor, note)
  return ok({ id, ownerId, createdMs, name, query, sort, isShared })
}

/** What is not shared any more opens nobody else's list. */
function forgetDefaults(db: Connection, { id, ownerId }: Pick<SavedSearch, 'id' | 'ownerId'>): void {
  // list_preferences_by_search
  const sql =
    'UPDATE list_preferences SET default_search = NULL WHERE default_search = ? AND user_id IS NOT ?'
  db.run(sql, [id, ownerId])
}

function besides(
  db: Connection,
  org: OrgId,
  { ownerId, isShared, id }: Pick<SavedSearch, 'ownerId' | 'isShared' | 'id'>,
): readonly Pick<SavedSearch, 'name'>[] {
  // saved_searches_by_org
  const sql = `SELECT name FROM saved_searches WHERE org_id = :org AND is_shared = :shared AND id <> :id
    AND (is_shared = 1 OR owner_id IS :owner)`
  return db.all<{ name: string }>(sql, { org, shared: isShared ? 1 : 0, id, owner: ownerId })
}

function searchById(db: Connection, org: OrgId, id: number): SavedSearch | null {
  const row = db.get<Row>(`SELECT ${COLUMNS} FROM saved_searches WHERE org_id = ? AND id = ?`, [org, id])
  return row === undefined ? null : searchOf(row)
}
