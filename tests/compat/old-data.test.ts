import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { signIn } from '../support/person.ts'
import { errata, OWNER, serve } from '../support/start-errata.ts'

const FIXTURE = new URL('../fixtures/data/schema-1.tar.zst', import.meta.url)

/** The stored directory, unpacked into a new one. */
function oldData(t: TestContext): { readonly data: string } {
  const data = mkdtempSync(join(tmpdir(), 'errata-old-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  execFileSync('tar', ['-xf', '-', '-C', data], { input: zstdDecompressSync(readFileSync(FIXTURE)) })
  return { data }
}

describe('a data directory of an older version', () => {
  it('says what the next start will do to it, and changes nothing', async (t) => {
    const { data } = oldData(t)
    const before = readFileSync(join(data, 'control.sqlite'))
    assert.match(await errata(['check', '--data', data]), /the next start migrates it: 2: adds notices/)
    assert.deepEqual(readFileSync(join(data, 'control.sqlite')), before)
    await assert.rejects(
      errata(['check', '--deep', '--data', data]),
      /start the server once, which migrates it/,
    )
  })

  it('starts, says what it migrates, and is sound afterwards', async (t) => {
    const { data } = oldData(t)
    {
      await using running = await serve({ data })
      assert.match(running.output(), /the control database will be migrated/)
      const owner = await signIn(running.url, OWNER)
      assert.equal((await owner.document('/shop/issues')).status, 200)
      await running.stop()
      // What is disposed of here removes its directory: a copy is looked at afterwards.
      cpSync(data, `${data}-after`, { recursive: true })
      t.after(() => rmSync(`${data}-after`, { recursive: true, force: true }))
    }
    assert.match(
      await errata(['check', '--deep', '--data', `${data}-after`]),
      /past their retention, deleted or lost/,
    )
  })

  it('of a newer version is refused with a sentence and left as it is', async (t) => {
    const { data } = oldData(t)
    const database = new DatabaseSync(join(data, 'control.sqlite'))
    database.exec('PRAGMA user_version = 999')
    database.close()
    const before = readFileSync(join(data, 'control.sqlite'))
    await assert.rejects(serve({ data }), /written by a newer Errata/)
    assert.deepEqual(readFileSync(join(data, 'control.sqlite')), before)
  })
})
