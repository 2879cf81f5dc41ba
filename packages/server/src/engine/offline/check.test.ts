import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { silentLog } from '#base/log.ts'
import { readSettings } from '#limits/settings.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { anActor } from '#testing/builders/actor.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { batchOf, openHouse, processedEnvelope } from '#testing/worlds/stores.ts'
import { lockDirectory } from '../directory/lock.ts'
import { artifactIndexPath, columnsPath, controlPath, lockPath, payloadsPath } from '../directory/paths.ts'
import { checkDirectory } from './check.ts'

/** A data directory with a few events, and the control store as it was before the last of them, beside it. */
async function aDirectory(t: TestContext) {
  const data = mkdtempSync(join(tmpdir(), 'errata-check-'))
  t.after(() => rmSync(data, { recursive: true }))
  const open = async () => {
    const house = await openHouse(data)
    await house.commit.recover()
    return house
  }
  let house = await open()
  value(await house.control.createFirstOwner(FIRST_OWNER, anActor()))
  const [key] = (await house.reader.ingestDirectory()).keys
  assert.ok(key !== undefined)
  const from = { projectId: key.projectId, keyId: key.id }
  const earlier = join(data, 'earlier')
  for (let at = 1; at <= 4; at++) {
    await house.commit.commit(batchOf([processedEnvelope(at, from, {})]))
    await house.close()
    if (at === 1) copyFileSync(controlPath(data), earlier)
    house = await open()
  }
  await house.close()
  const answer = readSettings({ flags: { data, logLevel: 'error' }, env: {} })
  assert.ok(answer.ok)
  const { settings } = answer
  const wrong = async () => (await checkDirectory(settings)).filter(({ ok }) => !ok)
  const said = async (name: string) =>
    (await checkDirectory(settings)).find((one) => one.name === name)?.detail
  return { data, earlier, wrong, said }
}

describe('the check of a data directory', () => {
  it('finds nothing where all is well, beside a server too', async (t) => {
    const { data, wrong } = await aDirectory(t)
    assert.deepEqual(await wrong(), [])
    const unlock = lockDirectory(data, lockPath(data))
    t.after(unlock)
    assert.deepEqual(await wrong(), [])
  })

  it('finds nothing wrong where no source map was ever uploaded: a restore makes no directory for them', async (t) => {
    const { data, wrong } = await aDirectory(t)
    openArtifactIndex({ path: artifactIndexPath(data), log: silentLog }).close()
    assert.deepEqual(await wrong(), [])
  })

  it('counts files, those in directories below among them, and no directories', async (t) => {
    const { data, said } = await aDirectory(t)
    const below = readdirSync(columnsPath(data), { recursive: true, withFileTypes: true })
    const files = below.filter((entry) => entry.isFile()).length
    assert.ok(files < below.length)
    assert.match((await said('columns')) ?? '', new RegExp(`^${files} files?, `))
    assert.match((await said('payloads')) ?? '', /^1 file, /)
  })

  it('says that a restore did not finish', async (t) => {
    const { data, wrong } = await aDirectory(t)
    renameSync(controlPath(data), `${controlPath(data)}.restoring`)
    const [finding] = await wrong()
    assert.match(finding?.detail ?? '', /did not finish/)
  })

  it('says that the control store is older than the events beside it', async (t) => {
    const { data, earlier, wrong } = await aDirectory(t)
    renameSync(earlier, controlPath(data))
    const [finding] = await wrong()
    assert.match(finding?.detail ?? '', /is older than the events beside it/)
  })

  it('says that nobody can read a payload file, and leaves it as it is', async (t) => {
    const { data, wrong } = await aDirectory(t)
    const [name = ''] = readdirSync(payloadsPath(data))
    writeSync(openSync(join(payloadsPath(data), name), 'r+'), 'XXXXXXXX', 0)
    const [finding] = await wrong()
    assert.match(finding?.detail ?? '', /is damaged or of another version/)
    assert.equal((await wrong()).length, 1)
  })
})
