import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLog } from '#base/log.ts'
import { ALERT_THREADS } from '#model/tables/alerts.ts'
import { GROUP_FILES, GROUP_HOURS } from '#model/tables/groups.ts'
import { OUTCOMES } from '#model/tables/installation.ts'
import { RELEASE_PROJECTS } from '#model/tables/releases.ts'
import { SPAN_COSTS } from '#model/tables/requests.ts'
import { SAVED_SEARCHES } from '#model/tables/searches.ts'
import { columnName, type NewRow, type TableRow } from '#model/tables/table.ts'
import { TABLES } from '#model/tables/tables.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { tableSchema } from './schema.ts'
import { readShapes } from './shape.ts'
import { insertInto, merging, selectedColumns } from './statements.ts'

describe('the table of tables', () => {
  it('says what a new control store has, column by column', (t) => {
    const stored = Connection.openScratch()
    const said = Connection.openScratch()
    t.after(() => {
      stored.close()
      said.close()
    })
    migrate(stored, { log: silentLog, planLog: silentLog })
    for (const table of TABLES) for (const statement of tableSchema(table)) said.script(statement)
    const inTables = ({ kind }: { readonly kind: string }) => kind === 'table'
    assert.deepEqual(readShapes(said).filter(inTables), readShapes(stored).filter(inTables))
  })

  it('has an index for whatever goes with a row that is deleted', (t) => {
    const db = Connection.openScratch()
    t.after(() => db.close())
    migrate(db, { log: silentLog, planLog: silentLog })
    const scans = (statement: string) =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
        .filter(({ detail }) => /^SCAN/.test(detail))
    const parents = new Set(
      TABLES.flatMap(({ columns, options }) => [
        ...Object.values(columns).flatMap(({ reference }) => reference?.table ?? []),
        ...(options.references ?? []).map(({ table }) => table),
      ]),
    )
    assert.ok(parents.size > 10)
    for (const { name, options } of TABLES.filter((table) => parents.has(table.name))) {
      const key = options.key.map((column) => `${columnName(column)} = 1`).join(' AND ')
      assert.deepEqual(scans(`DELETE FROM ${name} WHERE ${key}`), [], name)
    }
    // Tables that name a project without a foreign key: what was counted and buried stays.
    for (const name of ['issue_redirects', 'outcomes', 'quarantined', 'tombstones', 'person_tombstones'])
      assert.deepEqual(scans(`DELETE FROM ${name} WHERE project_id = 1`), [], name)
  })

  it('names a table once', () => {
    const names = TABLES.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })
})

describe('the types of a table’s rows', () => {
  it('say what may be left out of a new one, and what one that is read has', () => {
    const written: NewRow<typeof GROUP_FILES> = { groupId: 1, day: 20_000, retentionDays: 90 }
    const read: TableRow<typeof GROUP_FILES> = { ...written, events: null, firstMs: null, lastMs: null }
    assert.deepEqual(Object.keys(read), Object.keys(GROUP_FILES.columns))
  })
})

const keysOf = ({ columns }: { readonly columns: object }) => Object.keys(columns)

describe('statements of a table', () => {
  it('insert what a row says', () => {
    assert.equal(
      insertInto(SAVED_SEARCHES, ['orgId', 'isShared', 'createdMs']),
      'INSERT INTO saved_searches (org_id, is_shared, created_ms)',
    )
  })

  it('make one row of two as each column says', () => {
    const text = (table: Parameters<typeof merging>[0]) => merging(table, keysOf(table))
    assert.equal(
      text(GROUP_HOURS),
      'ON CONFLICT (group_id, hour) DO UPDATE SET count = count + excluded.count',
    )
    assert.equal(
      text(GROUP_FILES),
      'ON CONFLICT (group_id, day, retention_days) DO UPDATE SET events = events + excluded.events, ' +
        'first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)',
    )
    assert.equal(text(ALERT_THREADS), 'ON CONFLICT (channel_id, story) DO NOTHING')
    assert.match(text(OUTCOMES), /example = iif\(excluded\.last_ms >= last_ms, excluded\.example, example\)$/)
    assert.match(text(SPAN_COSTS), /slowest_trace = iif\(excluded\.slowest_ms > slowest_ms, /)
    assert.match(
      text(RELEASE_PROJECTS),
      /first_event_ms = min\(coalesce\(first_event_ms, excluded\.first_event_ms\), coalesce\(/,
    )
  })

  it('read columns by the names of a row', () => {
    assert.equal(
      selectedColumns(SAVED_SEARCHES, { from: 's' }),
      's.id, s.org_id AS orgId, s.owner_id AS ownerId, s.name, s.query, s.sort, s.is_shared AS isShared, s.created_ms AS createdMs',
    )
  })
})
