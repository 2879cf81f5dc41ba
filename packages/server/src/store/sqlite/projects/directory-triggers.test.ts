import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { Connection } from '../connection.ts'
import { openControlWriter } from '../control-writer.ts'

/** Tables from which accept and process know projects. A migration that makes one anew drops its triggers. */
const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  deploys: ['INSERT'],
  directory_changes: ['INSERT'],
  known_routes: ['DELETE', 'INSERT'],
  organisations: ['DELETE', 'INSERT', 'UPDATE'],
  project_keys: ['DELETE', 'INSERT', 'UPDATE'],
  projects: ['DELETE', 'INSERT', 'UPDATE'],
  release_environments: ['INSERT'],
  release_projects: ['DELETE', 'INSERT', 'UPDATE'],
}

describe('the newest control store', () => {
  it('notes every change of what accept and process threads know', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-triggers-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const path = join(directory, 'control.sqlite')
    await openControlWriter({ path, clock: systemClock, log: silentLog }).close()
    const db = Connection.openReader(path)
    t.after(() => db.close())
    const sql = `SELECT tbl_name AS "table", sql FROM sqlite_schema WHERE type = 'trigger'
      AND sql LIKE '%directory_changes%' ORDER BY tbl_name`
    const found = db.all<{ table: string; sql: string }>(sql).map(({ table, sql: text }) => ({
      ...{ table, on: /AFTER (INSERT|UPDATE|DELETE)/.exec(text)?.[1] ?? '' },
    }))
    const byTable = Map.groupBy(found, ({ table }) => table)
    const events = [...byTable].map(([table, all]) => [table, all.map(({ on }) => on).sort()])
    assert.deepEqual(Object.fromEntries(events), FOLLOWED)
  })
})
