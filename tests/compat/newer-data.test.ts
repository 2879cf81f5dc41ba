import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { errata, newDataDirectory, serve, setUp } from '../support/start-errata.ts'

/** A control store with nothing in it, or the one that is there, said to be of another version. */
async function controlOf(t: TestContext, version: number): Promise<{ data: string; control: string }> {
  const data = await newDataDirectory()
  t.after(() => rm(data, { recursive: true, force: true }))
  const control = join(data, 'control.sqlite')
  if (version > 0) await setUp(data, 'http://127.0.0.1:1')
  const database = new DatabaseSync(control)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}`)
  database.close()
  return { data, control }
}

describe('a data directory of another version', () => {
  it('says what the next start will do to it, and changes nothing', async (t) => {
    const { data, control } = await controlOf(t, 0)
    const before = readFileSync(control)
    assert.match(await errata(['check', '--data', data]), /the next start migrates it: 55: makes the tables/)
    assert.deepEqual(readFileSync(control), before)
  })

  it('that is newer is refused with a sentence and left as it is', async (t) => {
    const { data, control } = await controlOf(t, 999)
    const before = readFileSync(control)
    await assert.rejects(serve({ data }), /written by a newer Errata/)
    assert.deepEqual(readFileSync(control), before)
  })
})
