import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { silentLog } from '#base/log.ts'
import { movingBodies } from './guarded-server.ts'
import { type InnerServer, startInnerServer } from './inner-server.ts'

/** Answers at once, or `/slow` when it is told to. */
async function openServer(t: TestContext) {
  const directory = join(mkdtempSync(join(tmpdir(), 'errata-inner-')), 'accept')
  const slow = Promise.withResolvers<void>()
  const server = await startInnerServer({
    ...{ directory, log: silentLog, moving: movingBodies(undefined), timeouts: undefined, lookMs: 5 },
    handle: async ({ url }, response) => {
      response.flushHeaders()
      if (url === '/slow') await slow.promise
      response.end(url)
    },
  })
  t.after(() => server.close())
  return { server, directory, finishSlow: slow.resolve }
}

/** Returns the answer as its headers come; `null` where nobody listens. */
async function ask({ target }: InnerServer, path: string) {
  const asked = request({
    ...{ socketPath: target.socket, path, agent: false },
    headers: { 'x-errata-hop': `${target.secret} 192.0.2.1` },
  }).end()
  try {
    const [answer] = await once(asked, 'response')
    return answer
  } catch {
    return null
  }
}

/** Asks again until it is so. */
async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5)
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('the socket file of the main thread', () => {
  it('is made anew when somebody deletes it, and what was under way is finished', async (t) => {
    const { server, directory, finishSlow } = await openServer(t)
    const slow = await ask(server, '/slow')
    rmSync(join(directory, 'main.sock'))
    await waitUntil(() => server.socket().renewed === 1)
    assert.equal(await textOf(await ask(server, '/next')), '/next')
    finishSlow()
    assert.equal(await textOf(slow), '/slow')
    assert.deepEqual(server.socket(), { lost: null, renewed: 1 })
  })

  it('is made anew when something else has its name', async (t) => {
    const { server, directory } = await openServer(t)
    rmSync(join(directory, 'main.sock'))
    writeFileSync(join(directory, 'main.sock'), '')
    await waitUntil(() => server.socket().renewed === 1)
    assert.equal(await textOf(await ask(server, '/next')), '/next')
  })

  it('says why it cannot be made anew, and is there once it can', async (t) => {
    const { server, directory } = await openServer(t)
    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'in its place')
    await waitUntil(() => server.socket().lost !== null)
    assert.match(server.socket().lost ?? '', /EEXIST|ENOTDIR/)
    assert.equal(await ask(server, '/nobody'), null)
    rmSync(directory)
    await waitUntil(() => server.socket().renewed === 1)
    assert.equal(server.socket().lost, null)
    assert.equal(await textOf(await ask(server, '/next')), '/next')
  })

  it('is made anew when it is deleted again as soon as it is there', async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), 'errata-inner-')), 'main.sock')
    let deletions = 0
    const log = {
      ...silentLog,
      warn: () => {
        if (deletions++ === 0) rmSync(file)
      },
    }
    const server = await startInnerServer({
      ...{ directory: dirname(file), log, moving: movingBodies(undefined), timeouts: undefined, lookMs: 5 },
      handle: (_, response) => response.end('there'),
    })
    t.after(() => server.close())
    rmSync(file)
    await waitUntil(() => server.socket().renewed === 2)
    assert.equal(await textOf(await ask(server, '/next')), 'there')
  })

  it('is looked after when no server can be made for a while', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-inner-'))
    let made = 0
    const server = await startInnerServer({
      ...{ directory, log: silentLog, moving: movingBodies(undefined), lookMs: 5 },
      get timeouts() {
        made += 1
        if (made === 2 || made === 3) throw new Error(`no server ${made}`)
        return undefined
      },
      handle: (_, response) => response.end('there'),
    })
    t.after(() => server.close())
    rmSync(join(directory, 'main.sock'))
    await waitUntil(() => server.socket().lost === 'no server 2')
    await waitUntil(() => server.socket().renewed === 1)
    assert.deepEqual([made, server.socket().lost], [4, null])
    assert.equal(await textOf(await ask(server, '/next')), 'there')
  })
})
