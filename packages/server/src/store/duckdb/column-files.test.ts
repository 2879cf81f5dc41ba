import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { day } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { ColumnFiles } from './column-files.ts'
import { openDriver } from './driver.ts'

const FILES: readonly FileName[] = [1, 2, 3].map((number) => ({
  kind: 'error',
  day: day(20_000 + number),
  retentionDays: 90,
}))

async function filesOf(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-column-files-'))
  const driver = await openDriver(directory)
  const [catalog, writer] = [await driver.connect(), await driver.connect()]
  const files = new ColumnFiles(directory, {
    tables: [ERRORS],
    catalog,
    writer,
    log: silentLog,
    whenDamaged: 'leave',
  })
  t.after(async () => {
    await files.close()
    catalog.close()
    writer.close()
    driver.close()
    await rm(directory, { recursive: true })
  })
  for (const file of FILES) await files.use(file, async () => {})
  return { files, catalog }
}

it('lets go of files that nobody used between two rests, and takes them up again when they are read', async (t) => {
  const { files, catalog } = await filesOf(t)
  const [first, second] = FILES
  assert.ok(first !== undefined && second !== undefined)
  assert.equal(files.attachedCount, 3)
  await files.rest()
  assert.equal(files.attachedCount, 3)
  await files.read(first, null, async () => null)
  await files.read(second, null, async () => {
    await files.rest()
    assert.equal(files.attachedCount, 2)
    await files.rest()
    assert.equal(files.attachedCount, 1)
  })
  const rows = await files.read(first, null, ({ alias }) =>
    catalog.query(`SELECT count(*)::DOUBLE FROM ${alias}.rows`),
  )
  assert.deepEqual(rows, [[0]])
})

it('reads several files at once, leaves out what is not there, and keeps nobody from removing one', async (t) => {
  const { files } = await filesOf(t)
  const [first] = FILES
  assert.ok(first !== undefined)
  const absent: FileName = { kind: 'error', day: day(1), retentionDays: 30 }
  let removed: Promise<void> | null = null
  const names = await files.readAll([...FILES, absent], async (attached) => {
    removed = files.remove(first)
    // The removal waits for this reader alone: another one is served meanwhile from the next turn on.
    return attached.map(({ file }) => file.day)
  })
  assert.deepEqual(
    names,
    FILES.map((file) => file.day),
  )
  await removed
  assert.equal(files.has(absent), false)
  assert.deepEqual(await files.readAll(FILES, async (attached) => attached.length), 2)
})
