import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { backupDirectory, readBackupStatus, verifyDirectory } from '#engine/offline/backup.ts'
import { deepCheckDirectory, restoreDirectory } from '#engine/offline/upkeep.ts'
import { readSettings } from '#limits/settings.ts'
import { batchOf, openHouse } from '#testing/worlds/stores.ts'
import { aDirectory, bring, checkAll, traffic } from '#testing/worlds/traffic.ts'
import { ChunkStore } from './chunk-store.ts'

/** Things to close before a test's directory is removed. */
const closing = new Map<string, (() => Promise<void>)[]>()

function scratch(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'errata-backup-'))
  t.after(async () => {
    for (const close of closing.get(path) ?? []) await close()
    rmSync(path, { recursive: true, force: true })
  })
  return path
}

function settingsOf(data: string) {
  const answer = readSettings({ flags: { data, logLevel: 'error' }, env: {} })
  assert.ok(answer.ok)
  return answer.settings
}

async function filled(t: TestContext, count = 24) {
  const world = await aDirectory(t)
  const all = traffic(world.shop, world.blog)
  const house = await world.open()
  await bring(house, all.slice(0, count), 5)
  const base = scratch(t)
  const backup = (keep = 7) =>
    backupDirectory({ data: world.directory, directory: join(base, 'to'), keep, version: '1.2.3' })
  return { ...world, all, house, base, to: join(base, 'to'), backup }
}

async function restored(from: { readonly to: string; readonly base: string }, snapshot: string | null) {
  const data = join(from.base, `restored-${snapshot ?? 'newest'}`)
  const done = await restoreDirectory(settingsOf(data), { directory: from.to, snapshot })
  const wrong = (await deepCheckDirectory(settingsOf(data))).filter(({ ok }) => !ok)
  assert.deepEqual(wrong, [])
  const house = await openHouse(data)
  closing.set(from.base, [...(closing.get(from.base) ?? []), () => house.close()])
  return { ...done, house, data }
}

/** Every chunk file below a backup. */
function chunks(to: string): readonly string[] {
  return readdirSync(join(to, 'chunks'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('a backup', () => {
  it('taken while the stores are open restores to what they hold', async (t) => {
    const from = await filled(t)
    await from.backup()
    const { house, data } = await restored(from, null)
    await house.commit.recover()
    await checkAll(house, from.all)
    assert.equal(readdirSync(data).includes('control.sqlite.restoring'), false)
  })

  it('taken between two steps of a commit restores to the batch before', async (t) => {
    const world = await aDirectory(t)
    const all = traffic(world.shop, world.blog)
    const base = scratch(t)
    const to = join(base, 'to')
    let begun = 0
    const house = await world.open(() => ({
      async onStep(step) {
        if (step === 'begin') begun++
        if (begun === 2 && step === 'columns')
          await backupDirectory({ data: world.directory, directory: to, keep: 7, version: '1.2.3' })
      },
    }))
    await house.commit.recover()
    await house.commit.commit(batchOf(all.slice(0, 6)))
    await house.commit.commit(batchOf(all.slice(6, 12)))
    const copy = await restored({ base, to }, null)
    await bring(copy.house, all, 6)
    await checkAll(copy.house, all)
  })

  it('writes again only what changed, and each snapshot restores as it was', async (t) => {
    const from = await filled(t, 12)
    const first = await from.backup()
    const before = chunks(from.to).length
    await bring(from.house, from.all, 6)
    // A snapshot is named by its second.
    const earlier = join(from.to, 'snapshots', `${first.snapshot}.json`)
    const renamed = join(from.to, 'snapshots', '2026-01-01T00-00-00Z.json')
    writeFileSync(renamed, readFileSync(earlier))
    rmSync(earlier)
    const second = await from.backup()
    assert.ok(second.newBytes < second.bytes)
    assert.ok(chunks(from.to).length > before)
    const old = await restored(from, '2026-01-01T00-00-00Z')
    await old.house.commit.recover()
    assert.equal((await old.house.reader.counters()).appliedSeq, 12)
    const newest = await restored(from, null)
    await newest.house.commit.recover()
    await checkAll(newest.house, from.all)
  })

  it('keeps so many snapshots and no chunk of others', async (t) => {
    const from = await filled(t, 6)
    await from.backup()
    const snapshots = join(from.to, 'snapshots')
    const [first] = readdirSync(snapshots)
    assert.ok(first !== undefined)
    writeFileSync(join(snapshots, '2026-01-01T00-00-00Z.json'), readFileSync(join(snapshots, first)))
    rmSync(join(snapshots, first))
    await bring(from.house, from.all, 6)
    await from.backup(1)
    assert.equal(readdirSync(snapshots).length, 1)
    assert.ok((await verifyDirectory(from.to, null)).files > 0)
    const kept = new Set(
      (
        JSON.parse(
          readFileSync(join(snapshots, readdirSync(snapshots)[0] ?? ''), 'utf8').split('\n')[0] ?? '',
        ) as {
          files: { chunks: string[] }[]
        }
      ).files.flatMap((file) => file.chunks),
    ) // the manifest's own shape
    assert.equal(chunks(from.to).length, kept.size)
  })

  it('that is damaged says so, and restores nothing that could be started', async (t) => {
    const from = await filled(t)
    await from.backup()
    for (const path of chunks(from.to)) {
      const bytes = readFileSync(path)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff
      writeFileSync(path, bytes)
    }
    await assert.rejects(verifyDirectory(from.to, null), /is damaged/)
    const data = join(from.base, 'broken')
    await assert.rejects(
      restoreDirectory(settingsOf(data), { directory: from.to, snapshot: null }),
      /is damaged/,
    )
    assert.equal(readdirSync(data).includes('control.sqlite'), false)
  })

  it('restores the rest of payloads that were damaged before, and says how many blocks are lost', async (t) => {
    const from = await filled(t)
    const [name] = readdirSync(join(from.directory, 'payloads')).filter((each) => each.endsWith('.seg'))
    const path = join(from.directory, 'payloads', name ?? '')
    const bytes = readFileSync(path)
    const middle = Math.floor(bytes.length / 3)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    writeFileSync(path, bytes)
    await from.backup()
    const data = join(from.base, 'less')
    const done = await restoreDirectory(settingsOf(data), { directory: from.to, snapshot: null })
    assert.ok(done.events > 0)
    assert.equal(done.damagedBlocks, 1)
  })

  it('refuses to restore over anything', async (t) => {
    const from = await filled(t, 6)
    await from.backup()
    const data = join(from.base, 'used')
    mkdirSync(data)
    writeFileSync(join(data, 'something'), '')
    await assert.rejects(
      restoreDirectory(settingsOf(data), { directory: from.to, snapshot: null }),
      /is not empty/,
    )
  })

  it('writes chunks again that somebody removed', async (t) => {
    const from = await filled(t, 6)
    await from.backup()
    for (const path of chunks(from.to)) rmSync(path)
    await assert.rejects(verifyDirectory(from.to, null), /is missing/)
    await from.backup()
    assert.ok((await verifyDirectory(from.to, null)).files > 0)
  })

  it('writes chunks again that are damaged: at once what it reads, the others once they were verified', async (t) => {
    const from = await filled(t, 6)
    await from.backup()
    for (const [index, path] of chunks(from.to).entries()) {
      const bytes = readFileSync(path)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff
      writeFileSync(path, index % 2 === 0 ? bytes : bytes.subarray(1))
    }
    await assert.rejects(verifyDirectory(from.to, null), /is damaged/)
    assert.ok((await from.backup()).newBytes > 0)
    assert.ok((await verifyDirectory(from.to, null)).files > 0)
    await restored(from, null)
  })

  it('writes a chunk again that lost its length or is met damaged, without being verified', async (t) => {
    const to = join(scratch(t), 'to')
    const store = new ChunkStore(to)
    const bytes = [Buffer.from('short'), Buffer.alloc(10_000, 'long ')]
    for (const each of bytes) {
      const { hash } = await store.put(each)
      assert.equal(await store.mayHold(hash, each.length), true)
      assert.equal(await store.mayHold(hash, 3), false)
      const path = chunks(to).find((name) => name.includes(hash)) ?? ''
      writeFileSync(path, Buffer.alloc(readFileSync(path).length))
      assert.equal(await store.isWhole(hash), false)
      assert.ok((await store.put(each)).written > 0)
      assert.deepEqual(await store.get(hash), each)
      assert.equal((await store.put(each)).written, 0)
    }
  })

  it('notes beside the data how it went', async (t) => {
    const from = await filled(t, 6)
    assert.equal(await readBackupStatus(from.directory), null)
    await from.backup()
    assert.equal((await readBackupStatus(from.directory))?.ok, true)
    rmSync(from.to, { recursive: true })
    writeFileSync(from.to, 'a file in its place')
    await assert.rejects(from.backup())
    assert.equal((await readBackupStatus(from.directory))?.ok, false)
  })

  it('says that it failed where what it noted cannot be read', async (t) => {
    const from = await filled(t, 6)
    const path = join(from.directory, 'backup-status.json')
    for (const text of ['{"atMs":1,"ok":tr', '[]']) {
      writeFileSync(path, text)
      const status = await readBackupStatus(from.directory)
      assert.deepEqual([status?.ok, status?.atMs], [false, 0])
    }
    rmSync(path)
    mkdirSync(path)
    assert.match((await readBackupStatus(from.directory))?.detail ?? '', /cannot be read/)
  })

  it('is refused in, at and around the data directory, through links too', async (t) => {
    const from = await filled(t, 6)
    const link = join(from.base, 'link')
    symlinkSync(join(from.directory, 'blobs'), link)
    for (const directory of [
      from.directory,
      join(from.directory, 'blobs', 'backup'),
      join(link, 'not', 'yet'),
      dirname(from.directory),
    ]) {
      await assert.rejects(
        backupDirectory({ data: from.directory, directory, keep: 7, version: '1.2.3' }),
        /data directory/,
      )
    }
    assert.equal(readdirSync(join(from.directory, 'blobs')).includes('backup'), false)
    const beside = { data: from.directory, directory: `${from.directory}-backup`, keep: 7, version: '1.2.3' }
    t.after(() => rmSync(beside.directory, { recursive: true }))
    await backupDirectory(beside)
  })

  it('says what is wrong where there is no data directory, and writes nothing there', async (t) => {
    const base = scratch(t)
    const request = { directory: join(base, 'to'), keep: 7, version: '1.2.3' }
    const gone = join(base, 'gone')
    await assert.rejects(backupDirectory({ data: gone, ...request }), /gone is no data directory/)
    await assert.rejects(backupDirectory({ data: base, ...request }), /is no data directory/)
    assert.deepEqual(readdirSync(base), [])
  })

  it('made by root leaves nothing in the data directory that its owner cannot write', async (t) => {
    // Whoever runs the tests as another user cannot give files away.
    if (process.geteuid?.() !== 0) return t.skip('needs root')
    const from = await filled(t, 6)
    chownSync(from.directory, 12_345, 12_345)
    await from.backup()
    for (const name of ['backup-status.json', 'files-lock.sqlite']) {
      assert.equal(statSync(join(from.directory, name)).uid, 12_345, name)
    }
  })

  it('shows nobody else the copy of the control store, and removes what one that was killed left', async (t) => {
    const from = await filled(t, 6)
    await from.backup()
    mkdirSync(join(from.to, '.scratch'))
    const left = ['.scratch/older.sqlite', '.control-0f.sqlite', 'snapshots/.writing-0f']
    for (const name of left) writeFileSync(join(from.to, name), '')
    const modes: number[] = []
    const watcher = watch(from.to, () => {
      const copy = statSync(join(from.to, '.scratch', 'control.sqlite'), { throwIfNoEntry: false })
      if (copy !== undefined) modes.push(copy.mode & 0o077)
    })
    t.after(() => watcher.close())
    await from.backup()
    for (const name of left) assert.equal(existsSync(join(from.to, name)), false, name)
    assert.ok(modes.every((mode) => mode === 0))
  })

  it('made after the clock was set back is the newest, and is kept', async (t) => {
    const from = await filled(t, 6)
    const first = await from.backup()
    const snapshots = join(from.to, 'snapshots')
    renameSync(join(snapshots, `${first.snapshot}.json`), join(snapshots, '2099-12-31T23-59-59Z.json'))
    await bring(from.house, from.all, 6)
    const second = await from.backup(1)
    assert.equal(second.snapshot, '2100-01-01T00-00-00Z')
    assert.deepEqual(readdirSync(snapshots), ['2100-01-01T00-00-00Z.json'])
    await restored(from, null)
  })
})
