/** Verification over real stores whose files somebody damages while they are open. */
import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { dayOf } from '#base/ids.ts'
import { type LogFields, silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { fileStem } from '#model/file-name.ts'
import { openControlVerifier } from '#store/sqlite/upkeep/verify-control.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { aWorld, type Opened, store, type World } from '#testing/worlds/retention.ts'
import { Verification } from './verification.ts'

const stemOf = (ageDays: number) =>
  fileStem({ kind: 'error', day: dayOf(NOW - ageDays * DAY), retentionDays: 90 })
const payloadsOf = ({ directory }: World, ageDays: number) =>
  join(directory, 'payloads', `${stemOf(ageDays)}.seg`)
const columnsOf = ({ directory }: World, ageDays: number) =>
  join(directory, 'columns', `${stemOf(ageDays)}.duckdb`)

/** Days of events, opened anew so that nothing is in memory. */
async function days(t: TestContext, count: number, eventsADay = 3) {
  const running: Verification[] = []
  // Before the world goes: what is being kept is kept in its directory.
  t.after(() => Promise.all(running.map((verification) => verification.close())))
  const world = await aWorld(t)
  const first = await world.open()
  const events = Array.from({ length: count * eventsADay }, (_, index) => ({
    ...{ from: world.shop, name: `event ${index}`, group: `group ${index % 3}` },
    receivedMs: NOW - (count - 1 - Math.floor(index / eventsADay)) * DAY,
  }))
  await store(first, events, Math.ceil(eventsADay / 3))
  return { world: { ...world, running }, opened: await world.open() }
}

/** A verification whose rests take no time but on the world's clock; it stops where it rests after a look. */
function verifying(world: World & { readonly running: Verification[] }, opened: Opened) {
  const logged: { readonly level: string; readonly code: unknown }[] = []
  const steps: { file: string; bytes: number }[] = []
  const rests: number[] = []
  let waiting: (() => void) | null = null
  let onParked: (() => void) | null = null
  const { telemetry, segments } = opened.house
  const verification = new Verification({
    data: world.directory,
    columns: telemetry,
    payloads: {
      fileBytes: () => segments.fileBytes(),
      async verify(file, place) {
        const step = await segments.verify(file, place)
        steps.push({ file: fileStem(file), bytes: step.bytes })
        return step
      },
    },
    missing: () => opened.retention.missing(),
    openControl: async () => {
      const control = openControlVerifier(join(world.directory, 'control.sqlite'))
      return { control, close: () => control.close() }
    },
    clock: world.clock,
    log: {
      ...silentLog,
      error: (_, fields?: LogFields) => logged.push({ level: 'error', code: fields?.code }),
      info: (_, fields?: LogFields) => logged.push({ level: 'info', code: fields?.code }),
    },
    async rest(ms, signal) {
      world.clock.advance(ms)
      if (ms !== max('verifyLookMs')) return void rests.push(ms)
      await new Promise<void>((resolve, reject) => {
        waiting = resolve
        signal.addEventListener('abort', () => reject(new Error('closed')), { once: true })
        onParked?.()
      })
    },
  })
  world.running.push(verification)
  const parked = () =>
    new Promise<void>((resolve) => {
      onParked = resolve
    })
  return {
    ...{ verification, logged, rests, steps },
    /** Up to the first rest. */
    async start() {
      const there = parked()
      verification.start()
      await there
    },
    /** Until it rests again, with a round in between where one is due. */
    async goOn() {
      const there = parked()
      waiting?.()
      await there
    },
    codes: () =>
      verification.damages().map(({ code, file }) => `${code} ${file === null ? '' : fileStem(file)}`),
  }
}

/** Flips a byte; answers what puts it back. */
function damage(path: string, at: (bytes: number) => number): () => void {
  const sound = readFileSync(path)
  const bytes = Buffer.from(sound)
  const place = Math.floor(at(bytes.length))
  bytes.fill((bytes[place] ?? 0) ^ 0xff, place, place + 1)
  // In place: whoever has the file open sees it.
  writeFileSync(path, bytes, { flag: 'r+' })
  return () => writeFileSync(path, sound, { flag: 'r+' })
}

describe('a round of verification', () => {
  it('finds nothing in sound stores, and reads every file', async (t) => {
    const { world, opened } = await days(t, 3)
    const { verification, start, goOn, codes, steps } = verifying(world, opened)
    await start()
    await goOn()
    assert.deepEqual(codes(), [])
    assert.deepEqual(
      steps.map(({ file }) => file),
      [stemOf(0), stemOf(1), stemOf(2)],
    )
    const { filesDone, files, endedMs } = verification.progress()
    assert.deepEqual([filesDone, files, endedMs !== null], [3, 3, true])
    // The next one is a day away.
    await goOn()
    assert.equal(steps.length, 3)
    world.clock.advance(max('verifyRoundMs'))
    await goOn()
    assert.equal(steps.length, 6)
  })

  it('rests after each step for as long as its bytes may take', async (t) => {
    const { world, opened } = await days(t, 3)
    const { rests, start, goOn } = verifying(world, opened)
    await start()
    rests.length = 0
    await goOn()
    const sides = [
      ...(await opened.house.segments.fileBytes()),
      ...(await opened.house.telemetry.fileBytes()),
    ]
    const bytes = sides.reduce((sum, side) => sum + side.bytes, 0)
    const least = (bytes / max('verifyBytesPerSecond')) * 1_000
    const rested = rests.reduce((sum, ms) => sum + ms, 0)
    assert.ok(rested > least * 0.9, `${rested} ms for ${bytes} bytes`)
  })

  it('finds a flipped bit in a payload, tells once, and takes it back once it is mended', async (t) => {
    const { world, opened } = await days(t, 3)
    const { verification, start, goOn, codes, logged } = verifying(world, opened)
    await start()
    const mend = damage(payloadsOf(world, 1), (bytes) => bytes - 20)
    await goOn()
    assert.deepEqual(codes(), [`payloads_damaged ${stemOf(1)}`])
    assert.match(verification.damages()[0]?.detail ?? '', /^a block at byte \d+$/)
    const { sinceMs } = verification.damages()[0] ?? {}
    world.clock.advance(max('verifyAgainMs'))
    await goOn()
    world.clock.advance(max('verifyRoundMs'))
    await goOn()
    assert.equal(verification.damages()[0]?.sinceMs, sinceMs)
    assert.deepEqual(logged, [{ level: 'error', code: 'payloads_damaged' }])
    mend()
    world.clock.advance(max('verifyAgainMs'))
    await goOn()
    assert.deepEqual(codes(), [])
    assert.deepEqual(logged.at(-1), { level: 'info', code: 'payloads_damaged' })
  })

  it('finds damage in the middle of a column file, until the file is removed', async (t) => {
    const { world, opened: before } = await days(t, 2, 900)
    // Not while it is open: what DuckDB has read of a file stays in its memory.
    await before.house.close()
    // Among the rows: in the first of its blocks of 64 KiB.
    damage(columnsOf(world, 1), () => 12_288 + 1_000)
    const opened = await world.open()
    const { start, goOn, codes } = verifying(world, opened)
    await start()
    await goOn()
    assert.deepEqual(codes(), [`columns_unreadable ${stemOf(1)}`])
    const file = { kind: 'error', day: dayOf(NOW - DAY), retentionDays: 90 } as const
    await opened.house.telemetry.remove(file)
    await opened.house.segments.remove(file)
    await goOn()
    assert.deepEqual(codes(), [])
  })

  it('finds a damaged page of the control store', async (t) => {
    const { world, opened } = await days(t, 1)
    const { verification, start, goOn, codes } = verifying(world, opened)
    await start()
    const path = join(world.directory, 'control.sqlite')
    const mend = damagePages(path)
    await goOn()
    assert.deepEqual(codes(), ['control_damaged '])
    assert.notEqual(verification.damages()[0]?.detail, '')
    mend()
    world.clock.advance(max('verifyAgainMs'))
    await goOn()
    assert.deepEqual(codes(), [])
  })
})

/** Overwrites all but the first pages of a control store whose log is empty; answers what puts them back. */
function damagePages(path: string): () => void {
  const sound = readFileSync(path)
  const bytes = Buffer.from(sound)
  for (let page = 20; page * 4_096 < bytes.length; page += 3)
    bytes.fill(0x5a, page * 4_096, page * 4_096 + 200)
  writeFileSync(path, bytes, { flag: 'r+' })
  return () => writeFileSync(path, sound, { flag: 'r+' })
}

describe('a look at what is there', () => {
  it('tells of columns and payloads that somebody deleted, and of a day that is gone altogether', async (t) => {
    const { world, opened } = await days(t, 4)
    const { start, goOn, codes } = verifying(world, opened)
    await start()
    await goOn()
    rmSync(columnsOf(world, 1))
    renameSync(payloadsOf(world, 2), `${payloadsOf(world, 2)}.away`)
    for (const path of [columnsOf(world, 3), payloadsOf(world, 3)]) renameSync(path, `${path}.away`)
    await goOn()
    assert.deepEqual(codes().sort(), [`columns_missing ${stemOf(1)}`, `payloads_missing ${stemOf(2)}`])
    world.clock.advance(max('verifyRoundMs'))
    await goOn()
    assert.ok(codes().includes(`day_missing ${stemOf(3)}`))
    renameSync(`${payloadsOf(world, 2)}.away`, payloadsOf(world, 2))
    renameSync(`${payloadsOf(world, 3)}.away`, payloadsOf(world, 3))
    world.clock.advance(max('verifyAgainMs'))
    await goOn()
    assert.deepEqual(codes().sort(), [`columns_missing ${stemOf(3)}`, `columns_missing ${stemOf(1)}`])
  })
})

describe('what verification knows', () => {
  it('is told at once by the next start, without another line in the log, and goes with its file', async (t) => {
    const { world, opened } = await days(t, 3)
    damage(payloadsOf(world, 2), (bytes) => bytes - 20)
    const first = verifying(world, opened)
    await first.start()
    await first.goOn()
    const [known] = first.verification.damages()
    await first.verification.close()
    const again = verifying(world, await world.open())
    await again.start()
    assert.deepEqual(again.verification.damages(), [known])
    assert.deepEqual(again.logged, [])
    // The round was finished: nothing but what is damaged was read.
    assert.deepEqual(
      again.steps.map(({ file }) => file),
      [stemOf(2)],
    )
  })

  it('goes on with the file behind the last one that was done', async (t) => {
    const { world, opened } = await days(t, 3)
    const state = { damages: [], round: { begunMs: NOW, endedMs: null, doneTo: stemOf(1) } }
    writeFileSync(join(world.directory, 'verification.json'), JSON.stringify(state))
    const { verification, start, goOn, steps } = verifying(world, opened)
    await start()
    await goOn()
    assert.deepEqual(
      steps.map(({ file }) => file),
      [stemOf(2)],
    )
    await verification.close()
    assert.equal(statSync(join(world.directory, 'verification.json')).mode & 0o777, 0o600)
  })
})
