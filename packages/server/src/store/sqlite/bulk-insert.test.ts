import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BulkInsert } from './bulk-insert.ts'
import { Connection } from './connection.ts'

describe('rows that are inserted together', () => {
  it('are all there, in their order, whatever their number', () => {
    const db = Connection.openScratch()
    db.script('CREATE TABLE seen (at INTEGER PRIMARY KEY AUTOINCREMENT, value INTEGER, text TEXT)')
    const rows = new BulkInsert(db, { insert: 'INSERT INTO seen (value, text)', columns: 2 })
    const all: [number, string][] = []
    for (const count of [0, 1, 7, 8, 9, 63, 64, 65, 72, 128, 137]) {
      for (let at = 0; at < count; at++) {
        const row: [number, string] = [all.length, `row ${all.length}`]
        rows.add(...row)
        all.push(row)
      }
      rows.flush()
      const found = db.all<{ value: number; text: string }>('SELECT value, text FROM seen ORDER BY at')
      assert.deepEqual(
        found.map(({ value, text }) => [value, text]),
        all,
      )
    }
    db.close()
  })

  it('are forgotten on demand, also those that would have gone together', () => {
    const db = Connection.openScratch()
    db.script('CREATE TABLE seen (value INTEGER)')
    const rows = new BulkInsert(db, { insert: 'INSERT INTO seen (value)', columns: 1 })
    for (let at = 0; at < 65; at++) rows.add(at)
    rows.discard()
    rows.add(1_000)
    rows.flush()
    assert.deepEqual(db.all('SELECT value FROM seen'), [{ value: 1_000 }])
    db.close()
  })
})
