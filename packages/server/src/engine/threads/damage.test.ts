/** An engine begun on files that the disk broke while none ran. */

import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { dayOf, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { readSettings } from '#limits/settings.ts'
import { fileStem } from '#model/file-name.ts'
import { writtenRow } from '#store/duckdb/row-lines.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { Connection } from '#store/sqlite/connection.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { aRequest } from '#testing/builders/accept-request.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEventRow, placeInFile } from '#testing/builders/stored-event.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { columnsPath, controlPath } from '../directory/paths.ts'
import { type RunningEngine, startEngine } from '../engine.ts'

const threadUrl = (name: string) => new URL(`../threads/${name}.ts`, import.meta.url)

async function start(data: string): Promise<RunningEngine> {
  const read = readSettings({ flags: { data, port: '0', logLevel: 'error' }, env: {} })
  assert.ok(read.ok)
  return startEngine({
    ...{ settings: read.settings, log: silentLog, version: '0.0.0', reservedSlugs: [] },
    publicAddress: new PublicAddress(read.settings),
    threads: {
      accept: threadUrl('accept'),
      process: threadUrl('process'),
      commit: threadUrl('commit'),
      read: threadUrl('read'),
      verify: threadUrl('verify'),
      artifacts: threadUrl('artifacts'),
    },
  })
}

/** A data directory whose control store has an owner and projects, and says that so many envelopes are applied. */
async function aDirectory(t: TestContext, applied: number): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'errata-damage-'))
  t.after(() => rmSync(data, { recursive: true }))
  const writer = openNewControl({ path: controlPath(data), clock: systemClock, log: silentLog })
  value(await writer.createFirstOwner(FIRST_OWNER, anActor()))
  if (applied > 0) await writer.applyBatch(aBatch(1, [], { lastSeq: seq(applied) }))
  await writer.close()
  return data
}

/** Answers what puts the bytes back as they were. */
function overwrite(path: string, at: number, bytes: number): () => void {
  const before = Buffer.alloc(bytes)
  const write = (content: Buffer) => {
    const file = openSync(path, 'r+')
    if (content !== before) readSync(file, before, 0, bytes, at)
    writeSync(file, content, 0, bytes, at)
    closeSync(file)
  }
  write(Buffer.alloc(bytes, 0xa5))
  return () => write(before)
}

/** Returns where the first page of a table is in the file. */
function pageOf(data: string, table: string): readonly [at: number, bytes: number] {
  const db = Connection.openReader(controlPath(data))
  try {
    const bytes = db.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 0
    const found = db.get<{ rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?', [table])
    assert.ok(found !== undefined)
    return [(found.rootpage - 1) * bytes, bytes]
  } finally {
    db.close()
  }
}

async function storedEvents(data: string): Promise<number> {
  const reader = openControlReader({ path: controlPath(data), clock: systemClock, log: silentLog })
  try {
    return (await reader.counters()).eventsStored
  } finally {
    await reader.close()
  }
}

/** An event for the first project; answers the status. */
async function send(engine: RunningEngine, message: string): Promise<number> {
  const [key] = engine.directory().keys
  assert.ok(key !== undefined)
  const envelope = `{"event_id":"${'a'.repeat(32)}"}\n{"type":"event"}\n{"message":"${message}"}`
  const query = new URLSearchParams({ sentry_key: key.public })
  const answer = await engine.accept.accept(aRequest(envelope, { projectRef: String(key.projectId), query }))
  return answer.status
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('an engine begun on a damaged column file', () => {
  it('sets it aside also where rows of an unfinished batch are to be removed from it', async (t) => {
    const data = await aDirectory(t, 5_900)
    const directory = columnsPath(data)
    const file = { kind: 'error', day: dayOf(Date.now()), retentionDays: 90 } as const
    const store = await openTelemetry({
      ...{
        tables: KINDS.tables,
        events: ERRORS,
        fragments: SPANS,
        directory,
        log: silentLog,
        clock: systemClock,
      },
    })
    await store.append(
      Array.from({ length: 6_000 }, (_, index) =>
        writtenRow(ERRORS, anEventRow({ ...placeInFile(file), seq: seq(index + 1) })),
      ),
      seq(6_000),
    )
    await store.close()
    const path = join(directory, `${fileStem(file)}.duckdb`)
    // Among the rows: in the second of its blocks of 64 KiB.
    overwrite(path, 12_288 + 65_536 + 1_000, 1_000)
    const engine = await start(data)
    try {
      await until('it is told', () => engine.healthy().status === 'degraded')
      assert.deepEqual(engine.healthy(), {
        ok: true,
        status: 'degraded',
        detail: 'degraded: columns_missing',
        reasons: ['columns_missing'],
      })
      assert.ok(readdirSync(directory).includes(`${fileStem(file)}.duckdb.damaged`))
    } finally {
      await engine.close()
    }
  })
})

describe('an engine begun on a damaged control store', () => {
  it('says so until it ends, keeps what is sent in the journal, and stores it from a sound one', async (t) => {
    const data = await aDirectory(t, 0)
    const mend = overwrite(controlPath(data), ...pageOf(data, 'issues'))
    const engine = await start(data)
    try {
      assert.equal(engine.healthy().status, 'ok')
      assert.equal(await send(engine, 'kept'), 200)
      // The damage is told as it is met, the commit's failure when it has given up.
      await until('a commit has failed over it', () =>
        ['commit', 'control'].every((part) => engine.healthy().detail.includes(part)),
      )
      assert.deepEqual(engine.healthy().reasons, ['commit', 'control'])
      const parts = (await engine.metrics()).find(({ name }) => name === 'errata_part_healthy')
      assert.deepEqual(
        parts?.values.map(({ labels, value }) => `${labels.part} ${value}`),
        ['journal 1', 'commit 0', 'read 1', 'control 0', 'accept 1', 'files 1', 'clock 1', 'mail 1'],
      )
      assert.equal(await send(engine, 'kept'), 200)
    } finally {
      await engine.close()
    }
    assert.equal(await storedEvents(data), 0)
    mend()
    const mended = await start(data)
    try {
      await mended.drained()
      assert.equal(mended.healthy().status, 'ok')
    } finally {
      await mended.close()
    }
    assert.equal(await storedEvents(data), 1)
  })
})
