/**
 * Files of a stopped Errata cut short, overwritten and deleted. What can be made from the rest is kept, a start that
 * cannot go on says which file it is, and nothing is removed that a person could still mend.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acceptedErrors, apiGet, issues } from '../support/api.ts'
import { anEvent, post, send } from '../support/send.ts'
import { errata, newDataDirectory, type SetUp, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const BIN = fileURLToPath(new URL('../../packages/errata/bin/errata.mjs', import.meta.url))
const EVENTS = 20

/** A directory that was stopped in order, and one whose process was killed with events in its journal. */
interface Made {
  readonly data: string
  readonly shop: SetUp
  readonly sent: readonly ReturnType<typeof anEvent>[]
}

let stopped: Made
let killed: Made

before(async () => {
  stopped = await made('stop')
  killed = await made('kill')
})
after(async () => {
  for (const { data } of [stopped, killed]) await rm(data, { recursive: true, force: true })
})

async function made(how: 'stop' | 'kill'): Promise<Made> {
  const data = await newDataDirectory()
  const running = await serve({ data })
  const shop = await setUp(data, running.url)
  const sent = Array.from({ length: EVENTS }, (_, number) => anEvent({ message: `number ${number}` }))
  await waitFor(
    'the key is known',
    async () => (await post(shop.dsn, sent[0] ?? anEvent({ message: '' }))).ok,
  )
  await Promise.all(sent.slice(1).map((event) => send(shop.dsn, event)))
  if (how === 'kill') await running.kill()
  else {
    await waitFor('everything is stored', async () => (await acceptedErrors(shop)) === EVENTS)
    await running.stop()
  }
  return { data, shop, sent }
}

/** A copy to be damaged. */
async function copyOf(t: TestContext, { data, shop, sent }: Made): Promise<Made> {
  const copy = await newDataDirectory()
  t.after(() => rm(copy, { recursive: true, force: true }))
  await cp(data, copy, { recursive: true })
  return { data: copy, shop, sent }
}

async function fileIn(data: string, area: string, ending: string): Promise<string> {
  const name = (await readdir(join(data, area))).find((one) => one.endsWith(ending))
  assert.ok(name !== undefined, `${area} holds no ${ending}`)
  return join(data, area, name)
}

async function overwrite(path: string, at: number, bytes: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, at)
  await file.close()
}

/** A start that is to be refused; one that is not leaves no process behind. */
async function refusal(data: string): Promise<never> {
  const running = await serve({ data })
  await running.kill()
  throw new Error('it started')
}

async function serving<T>({ data, shop }: Made, work: (shop: SetUp, output: () => string) => Promise<T>) {
  const running = await serve({ data })
  try {
    return await work({ ...shop, url: running.url }, running.output)
  } finally {
    await running.stop()
  }
}

/** The DSN of another port. */
function dsnAt({ dsn, url }: SetUp): string {
  return Object.assign(new URL(dsn), { port: new URL(url).port }).href
}

/** Returns the findings of `errata check`, or the sentence with which it gave up. */
function check(data: string, ...more: string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, 'check', '--data', data, '--json', ...more], (_, stdout, stderr) => {
      if (stdout === '') return resolve([stderr])
      const found = JSON.parse(stdout) as { ok: boolean; name: string; detail: string }[] // printed by the command
      resolve(found.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`))
    })
  })
}

async function total(shop: SetUp): Promise<number> {
  return (await issues(shop)).reduce((sum, issue) => sum + Number(issue.count), 0)
}

async function eventsOf(shop: SetUp): Promise<number> {
  const lists = await Promise.all(
    (await issues(shop)).map(({ id }) =>
      apiGet<unknown[]>(shop, `/organizations/${shop.organisation}/issues/${id}/events/?per_page=100`),
    ),
  )
  return lists.flat().length
}

/** Counts as before, and one more event that comes is stored. */
async function goesOn(shop: SetUp, counted = EVENTS): Promise<void> {
  assert.equal(await acceptedErrors(shop), counted)
  assert.equal(await total(shop), counted)
  await send(dsnAt(shop), anEvent({ message: 'one more' }))
  await waitFor('it is stored', async () => (await acceptedErrors(shop)) === counted + 1)
}

/** So many more events, each in a batch of its own. */
async function storeLater({ data, shop: known }: Made, count: number, how: 'stop' | 'kill' = 'stop') {
  const running = await serve({ data })
  const shop = { ...known, url: running.url }
  for (let number = 1; number <= count; number++) {
    await send(dsnAt(shop), anEvent({ message: `later ${number}` }))
    await waitFor('it is stored', async () => (await acceptedErrors(shop)) === EVENTS + number)
  }
  await (how === 'kill' ? running.kill() : running.stop())
}

/** The control store as it was when its copy was made. */
async function putBackControl({ data }: Made): Promise<void> {
  await removeControlLog(data)
  await cp(join(stopped.data, 'control.sqlite'), join(data, 'control.sqlite'))
}

async function removeControlLog(data: string): Promise<void> {
  for (const log of ['-wal', '-shm']) await rm(join(data, `control.sqlite${log}`), { force: true })
}

const REFUSALS: readonly [what: string, damage: (data: string) => Promise<void>, said: RegExp][] = [
  [
    'a deleted control store',
    (data) => rm(join(data, 'control.sqlite')),
    /control\.sqlite is missing or empty, but .* holds events/,
  ],
  [
    'a control store cut to nothing',
    (data) => truncate(join(data, 'control.sqlite'), 0),
    /control\.sqlite is missing or empty, but .* holds events/,
  ],
  [
    'a control store cut short',
    (data) => truncate(join(data, 'control.sqlite'), 20_000),
    /control\.sqlite cannot be opened: database disk image is malformed/,
  ],
  [
    'a control store overwritten at its beginning',
    (data) => overwrite(join(data, 'control.sqlite'), 0, 8_000),
    /control\.sqlite cannot be opened: file is not a database/,
  ],
  [
    'a payload file overwritten at its beginning',
    async (data) => overwrite(await fileIn(data, 'payloads', '.seg'), 0, 32),
    /payload file .*\.seg is damaged or of another version: restore it or move it away/,
  ],
]

describe('a start', () => {
  for (const [what, damage, said] of REFUSALS) {
    it(`refuses ${what} with a sentence that names it, and removes nothing`, async (t) => {
      const { data } = await copyOf(t, stopped)
      await damage(data)
      const payloads = await stat(await fileIn(data, 'payloads', '.seg'))
      const columns = await stat(await fileIn(data, 'columns', '.duckdb'))
      await assert.rejects(refusal(data), said)
      assert.equal((await stat(await fileIn(data, 'payloads', '.seg'))).size, payloads.size)
      assert.equal((await stat(await fileIn(data, 'columns', '.duckdb'))).size, columns.size)
      assert.notDeepEqual(await check(data, '--deep'), [])
    })
  }

  it('refuses a control store whose log was deleted before it was folded in', async (t) => {
    const { data } = await copyOf(t, killed)
    await removeControlLog(data)
    // What was there before anything was folded in; a slow machine may have folded some by now.
    await truncate(join(data, 'control.sqlite'), 0)
    const journal = await stat(await fileIn(data, 'journal', '.log'))
    await assert.rejects(refusal(data), /control\.sqlite is missing or empty, but .* holds events/)
    assert.equal((await stat(await fileIn(data, 'journal', '.log'))).size, journal.size)
  })

  it('refuses a control store of an earlier time, removes nothing, and gives the rest up when told to', async (t) => {
    const copy = await copyOf(t, stopped)
    const { data } = copy
    await storeLater(copy, 3)
    // Begins a new journal: what was applied is not kept twice.
    await serving(copy, async () => {})
    await putBackControl(copy)
    const payloads = await stat(await fileIn(data, 'payloads', '.seg'))
    await assert.rejects(
      refusal(data),
      /control\.sqlite is older than the events beside it: .* number \d+ of \d+/,
    )
    assert.equal((await stat(await fileIn(data, 'payloads', '.seg'))).size, payloads.size)
    await errata(['rebuild', '--discard-later', '--data', data])
    await serving(copy, (shop) => goesOn(shop))
    assert.deepEqual(await check(data, '--deep'), [])
  })
})

const COLUMN_DAMAGES: readonly [what: string, damage: (path: string) => Promise<void>][] = [
  ['deleted', (path) => rm(path)],
  ['cut short', (path) => truncate(path, 5_000)],
  ['overwritten at its beginning', (path) => overwrite(path, 0, 4_096)],
  ['overwritten in its middle', (path) => overwrite(path, 12_288, 100_000)],
]

describe('a control store of an earlier time', () => {
  it('is brought up to date by a journal that reaches back so far, aloud', async (t) => {
    const copy = await copyOf(t, stopped)
    const { data } = copy
    await storeLater(copy, 2, 'kill')
    await putBackControl(copy)
    await serving(copy, async (shop, output) => {
      assert.match(output(), /older than the events beside it: they are stored again from the journal/)
      await waitFor('they are stored again', async () => (await acceptedErrors(shop)) === EVENTS + 2)
      await goesOn(shop, EVENTS + 2)
    })
    assert.deepEqual(await check(data, '--deep'), [])
  })

  it('is refused beside payloads that compaction joined since', async (t) => {
    const copy = await copyOf(t, stopped)
    const { data } = copy
    await storeLater(copy, 2)
    await errata(['compact', '--data', data])
    await putBackControl(copy)
    await assert.rejects(
      refusal(data),
      /older than the events beside it: .* "errata restore" into a new directory\n/,
    )
    await assert.rejects(errata(['rebuild', '--discard-later', '--data', data]), /was compacted since/)
  })
})

describe('a column file', () => {
  for (const [what, damage] of COLUMN_DAMAGES) {
    it(`that is ${what} is missed aloud, Errata goes on, and "errata rebuild" brings its events back`, async (t) => {
      const copy = await copyOf(t, stopped)
      await damage(await fileIn(copy.data, 'columns', '.duckdb'))
      await serving(copy, async (shop, output) => {
        await goesOn(shop)
        assert.match(output(), /errata rebuild/)
        assert.equal((await fetch(`${shop.url}/health`)).status, 200)
      })
      assert.match(
        (await check(copy.data)).join('\n'),
        /^columns error-\S+: missing or damaged: "errata rebuild/,
      )
      await errata(['rebuild', '--data', copy.data])
      assert.deepEqual(await check(copy.data, '--deep'), [])
      await serving(copy, async (shop) => assert.equal(await eventsOf(shop), EVENTS + 1))
    })
  }
})

describe('a column file of a killed process', () => {
  it('whose log was deleted is missed aloud, and "errata rebuild" brings its rows back', async (t) => {
    const copy = await copyOf(t, stopped)
    const running = await serve({ data: copy.data })
    const shop = { ...copy.shop, url: running.url }
    await send(dsnAt(shop), anEvent({ message: 'in the log alone' }))
    await waitFor('it is stored', async () => (await acceptedErrors(shop)) === EVENTS + 1)
    await running.kill()
    await rm(await fileIn(copy.data, 'columns', '.duckdb.wal'))
    await serving(copy, async (_, output) => assert.match(output(), /lack rows of their payloads/))
    assert.match((await check(copy.data)).join('\n'), /^columns error-\S+: missing or damaged/)
    await errata(['rebuild', '--data', copy.data])
    assert.deepEqual(await check(copy.data, '--deep'), [])
    await serving(copy, async (again) => assert.equal(await eventsOf(again), EVENTS + 1))
  })
})

describe('payloads and event ids', () => {
  it('show events without details when the payload file is deleted, and store nothing twice', async (t) => {
    const copy = await copyOf(t, stopped)
    await rm(await fileIn(copy.data, 'payloads', '.seg'))
    await serving(copy, async (shop, output) => {
      assert.match(output(), /payload files are missing/)
      for (const event of copy.sent) await post(dsnAt(shop), event)
      await goesOn(shop)
      assert.equal(await eventsOf(shop), EVENTS + 1)
    })
  })

  for (const [what, damage] of [
    ['deleted', (path: string) => rm(path)],
    ['cut short', (path: string) => truncate(path, 50)],
    ['overwritten', (path: string) => overwrite(path, 40, 60)],
  ] as const) {
    it(`are made again when an event-id run is ${what}`, async (t) => {
      const copy = await copyOf(t, stopped)
      await damage(await fileIn(copy.data, 'event-ids', '.ids'))
      await serving(copy, async (shop) => {
        for (const event of copy.sent) await post(dsnAt(shop), event)
        await goesOn(shop)
      })
      assert.deepEqual(await check(copy.data, '--deep'), [])
    })
  }
})

describe('a journal file of a killed process', () => {
  it('overwritten in its middle costs what lay there, which is counted, and nothing else', async (t) => {
    const copy = await copyOf(t, killed)
    const path = await fileIn(copy.data, 'journal', '.log')
    await overwrite(path, Math.floor((await stat(path)).size / 2), 8)
    await serving(copy, async (shop) => {
      await waitFor('the rest is stored', async () => (await acceptedErrors(shop)) >= EVENTS - 1)
      assert.ok((await total(shop)) >= EVENTS - 1)
    })
    assert.deepEqual(await check(copy.data, '--deep'), [])
  })

  it('deleted leaves a server that starts and stores what comes', async (t) => {
    const copy = await copyOf(t, killed)
    await rm(await fileIn(copy.data, 'journal', '.log'))
    // What was being stored when the process was killed is known to nobody now: a start would refuse it.
    await errata(['rebuild', '--discard-later', '--data', copy.data])
    await serving(copy, async (shop) => {
      const before = await acceptedErrors(shop)
      await send(dsnAt(shop), anEvent({ message: 'one more' }))
      await waitFor('it is stored', async () => (await acceptedErrors(shop)) === before + 1)
      assert.equal(await total(shop), before + 1)
    })
    assert.deepEqual(await check(copy.data, '--deep'), [])
  })
})
