/** The engine's own threads, ended from outside as a fault of theirs would end them. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { systemClock } from '#base/clock.ts'
import { orgId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { readSettings } from '#limits/settings.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { aRequest } from '#testing/builders/accept-request.ts'
import { anActor } from '#testing/builders/actor.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { controlPath } from '../directory/paths.ts'
import { type RunningEngine, startEngine } from '../engine.ts'

const threadUrl = (name: string) => new URL(`./${name}.ts`, import.meta.url)

/** Every worker thread that this process begins, by the name it was given. */
function watchThreads(t: TestContext) {
  const begun: Worker[] = []
  const note = (worker: Worker) => void begun.push(worker)
  process.on('worker', note)
  t.after(() => void process.off('worker', note))
  return (name: string) => begun.filter((worker) => worker.threadName === name && worker.threadId !== -1)
}

async function start(data: string): Promise<RunningEngine> {
  const read = readSettings({ flags: { data, port: '0' }, env: {} })
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

/** A data directory with an owner and projects, and what sends events to one of them. */
async function aDirectory(t: TestContext) {
  const data = await mkdtemp(join(tmpdir(), 'errata-threads-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const parts = { path: controlPath(data), clock: systemClock, log: silentLog }
  const writer = openNewControl(parts)
  const reader = openControlReader(parts)
  value(await writer.createFirstOwner(FIRST_OWNER, anActor()))
  const [key] = (await reader.ingestDirectory()).keys
  assert.ok(key !== undefined)
  await writer.close()
  t.after(() => reader.close())
  let sent = 0
  const send = async (engine: RunningEngine, count: number) => {
    for (let left = count; left > 0; left--) {
      const id = String(++sent).padStart(32, 'a')
      const { status } = await engine.accept.accept(
        aRequest(`{"event_id":"${id}"}\n{"type":"event"}\n{"message":"number ${sent}"}`, {
          projectRef: String(key.projectId),
          query: new URLSearchParams({ sentry_key: key.public }),
        }),
      )
      assert.equal(status, 200)
    }
  }
  /** Filters all that is sent from now on, as the command line changes a project beside the engine. */
  const filterAll = async () => {
    const beside = openNewControl(parts)
    const options = { filters: { messages: ['number*'] } }
    value(await beside.updateProject(orgId(1), key.projectId, { options }, anActor()))
    await beside.close()
  }
  const stored = async () => (await reader.counters()).eventsStored
  return { data, send, filterAll, sent: () => sent, stored }
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a thread of the engine that dies', () => {
  it('is begun again when it is the read thread, and queries are answered as before', async (t) => {
    const threads = watchThreads(t)
    const { data, send, stored } = await aDirectory(t)
    const engine = await start(data)
    try {
      await threads('read')[0]?.terminate()
      await assert.rejects(engine.queries.needsSetup(), /the read thread has ended/)
      assert.deepEqual(engine.healthy(), {
        ok: false,
        status: 'broken',
        detail: 'broken: read',
        reasons: ['read'],
      })
      await send(engine, 3)
      await until('the read thread runs again', () => engine.healthy().ok)
      assert.equal(await engine.queries.needsSetup(), false)
      await engine.drained()
      assert.equal(await stored(), 3)
      await threads('read')[0]?.terminate()
      await until('it runs a second time', () => engine.healthy().ok)
      assert.equal(await engine.queries.needsSetup(), false)
    } finally {
      await engine.close()
    }
    assert.deepEqual(threads('read'), [])
  })

  it('leaves its questions to the first when it is the second read thread, and is begun again', {
    skip: availableParallelism() === 1 && 'one core has one read thread',
  }, async (t) => {
    const threads = watchThreads(t)
    const { data } = await aDirectory(t)
    const engine = await start(data)
    const askAll = () => Promise.all(Array.from({ length: 12 }, () => engine.queries.needsSetup()))
    const runs = async () => {
      await askAll()
      return threads('read-2').length === 1
    }
    try {
      await until('a second thread answers', runs)
      await threads('read-2')[0]?.terminate()
      assert.deepEqual(engine.healthy(), { ok: true, status: 'ok', detail: 'ok', reasons: [] })
      assert.deepEqual(await askAll(), Array(12).fill(false))
      await until('it runs again', runs)
    } finally {
      await engine.close()
    }
    assert.deepEqual([...threads('read'), ...threads('read-2')], [])
  })

  it('is replaced when it is a process thread, and its events are stored', async (t) => {
    const threads = watchThreads(t)
    const { data, send, stored } = await aDirectory(t)
    const engine = await start(data)
    try {
      await send(engine, 5)
      await Promise.all(threads('process').map((thread) => thread.terminate()))
      await send(engine, 5)
      await engine.drained()
      assert.equal(await stored(), 10)
    } finally {
      await engine.close()
    }
    assert.deepEqual(threads('process'), [], 'a thread outlives the engine')
  })

  it('fails the engine when it is the commit thread; what was acknowledged is stored by the next', async (t) => {
    const threads = watchThreads(t)
    const { data, send, stored } = await aDirectory(t)
    const engine = await start(data)
    try {
      await send(engine, 5)
      await engine.drained()
      const [commit] = threads('commit')
      await commit?.terminate()
      assert.match(await engine.failed, /^the commit thread has ended: /)
      assert.equal(engine.healthy().ok, false)
      await send(engine, 4)
      await engine.drained()
      assert.equal(await stored(), 5)
    } finally {
      await engine.close()
    }
    const next = await start(data)
    try {
      await next.drained()
      assert.equal(await stored(), 9)
      assert.deepEqual(next.healthy(), { ok: true, status: 'ok', detail: 'ok', reasons: [] })
    } finally {
      await next.close()
    }
  })
})

describe('a process thread that missed a change of a project', () => {
  it('notices with the next events, reads all anew, and does to them what was asked', async (t) => {
    const threads = watchThreads(t)
    const { data, send, filterAll, stored } = await aDirectory(t)
    const engine = await start(data)
    try {
      await send(engine, 2)
      await engine.drained()
      assert.equal(await stored(), 2)
      const lost: unknown[] = []
      for (const thread of threads('process')) loseChanges(thread, lost)
      const { version } = engine.directory()
      await filterAll()
      await until('the engine knows', () => engine.directory().version !== version)
      assert.equal(lost.length, threads('process').length, 'each thread lost one message')
      await send(engine, 3)
      await engine.drained()
      assert.equal(await stored(), 2)
    } finally {
      await engine.close()
    }
  })
})

/** Keeps messages that tell of changes from a thread. */
function loseChanges(thread: Worker, lost: unknown[]): void {
  const post = thread.postMessage.bind(thread)
  thread.postMessage = (message: { readonly type?: string }, ...rest: []) => {
    if (message.type === 'change') lost.push(message)
    else post(message, ...rest)
  }
}
