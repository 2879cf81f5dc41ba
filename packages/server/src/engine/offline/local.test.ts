import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { PublicAddress } from '#base/public-address.ts'
import { readSettings } from '#limits/settings.ts'
import { noteAddress } from '../directory/address.ts'
import { DirectoryInUse, lockDirectory } from '../directory/lock.ts'
import { controlPath, lockPath } from '../directory/paths.ts'
import { checkDirectory } from './check.ts'
import { openLocalEngine } from './local.ts'

function scratch(t: TestContext) {
  const data = mkdtempSync(join(tmpdir(), 'errata-local-'))
  t.after(() => rmSync(data, { recursive: true }))
  const answer = readSettings({ flags: { data, logLevel: 'error' }, env: {} })
  assert.ok(answer.ok)
  return { data, settings: answer.settings }
}

/** A control store that no migration was applied to. */
function bareStore(data: string): void {
  const database = new DatabaseSync(controlPath(data))
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE bare (id INTEGER PRIMARY KEY)')
  database.close()
}

function schemaOf(data: string): number {
  const database = new DatabaseSync(controlPath(data), { readOnly: true })
  const row = database.prepare('PRAGMA user_version').get()
  database.close()
  return Number(row?.user_version)
}

describe('the command line’s control store', () => {
  it('is not migrated while a server runs, and is when none does', async (t) => {
    const { data, settings } = scratch(t)
    bareStore(data)
    const unlock = lockDirectory(data, lockPath(data))
    await assert.rejects(openLocalEngine(settings, 0), DirectoryInUse)
    assert.equal(schemaOf(data), 0)
    unlock()
    await (await openLocalEngine(settings)).close()
    assert.ok(schemaOf(data) > 0)
  })

  it('is waited for while a server that has just been started makes it', async (t) => {
    const { data, settings } = scratch(t)
    const unlock = lockDirectory(data, lockPath(data))
    t.after(unlock)
    const opened = openLocalEngine(settings)
    // Elsewhere, as a server that holds the lock would.
    const other = scratch(t)
    await (await openLocalEngine(other.settings)).close()
    copyFileSync(controlPath(other.data), controlPath(data))
    noteAddress(data, new PublicAddress({ url: null, port: 9_443 }))
    await (await opened).close()
  })

  it('of this version is opened beside a running server, and made where there is none', async (t) => {
    const { data, settings } = scratch(t)
    await (await openLocalEngine(settings)).close()
    const unlock = lockDirectory(data, lockPath(data))
    t.after(unlock)
    const local = await openLocalEngine(settings, 0)
    await assert.rejects(local.onlyOrganisation(), /no organisation yet/)
    await local.close()
  })

  it('waits for a server that has just been started to say where it listens', async (t) => {
    const { data, settings } = scratch(t)
    await (await openLocalEngine(settings)).close()
    const unlock = lockDirectory(data, lockPath(data))
    t.after(unlock)
    const address = new PublicAddress({ url: null, port: 9_443 })
    setTimeout(() => noteAddress(data, address), 200)
    const local = await openLocalEngine(settings)
    assert.equal(local.knowsAddress, true)
    assert.equal(local.publicAddress.url, 'http://localhost:9443')
    await local.close()
  })

  it('guesses the address where no server runs, at once', async (t) => {
    const local = await openLocalEngine(scratch(t).settings, Number.POSITIVE_INFINITY)
    assert.equal(local.knowsAddress, false)
    await local.close()
  })

  it('of a newer Errata is refused, and called wrong', async (t) => {
    const { data, settings } = scratch(t)
    await (await openLocalEngine(settings)).close()
    const database = new DatabaseSync(controlPath(data))
    database.exec('PRAGMA user_version = 9999')
    database.close()
    await assert.rejects(openLocalEngine(settings), /written by a newer Errata/)
    const finding = (await checkDirectory(settings)).find(({ name }) => name === 'control store')
    assert.equal(finding?.ok, false)
    assert.match(finding.detail, /written by a newer Errata/)
  })
})
