/** Attachments of the running product when it is killed, or its disk takes no more, at any moment. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { apiGet } from '../support/api.ts'
import { keyIsKnown, newDataDirectory, type SetUp, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const MIB = 1024 * 1024

interface Listed {
  readonly id: string
  readonly size: number
}

function anEnvelope(bytes: number) {
  const event = randomBytes(16).toString('hex')
  const content = randomBytes(bytes)
  const head = `{"event_id":"${event}"}\n{"type":"event"}\n{"message":"with a file"}\n`
  const item = `{"type":"attachment","length":${bytes},"filename":"core.bin"}\n`
  return { event, content, body: Buffer.concat([Buffer.from(head + item), content, Buffer.from('\n')]) }
}

/** Returns the status, or `null` where no answer came. */
async function post(dsn: string, body: Buffer<ArrayBuffer>): Promise<number | null> {
  const { origin, pathname, username } = new URL(dsn)
  const url = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const answer = await fetch(url, { method: 'POST', body }).catch(() => null)
  return answer?.status ?? null
}

const pathOf = (shop: SetUp, event: string) =>
  `/projects/${shop.organisation}/${shop.project}/events/${event}/attachments/`

async function attachmentsOf(shop: SetUp, event: string): Promise<readonly Listed[]> {
  return waitFor('the event and its attachment are stored', async () => {
    const found = await apiGet<readonly Listed[]>(shop, pathOf(shop, event)).catch(() => [])
    return found.length > 0 ? found : null
  })
}

async function contentOf(shop: SetUp, event: string, { id }: Listed): Promise<Buffer> {
  const headers = { authorization: `Bearer ${shop.token}` }
  const answer = await fetch(`${shop.url}/api/0${pathOf(shop, event)}${id}/?download`, { headers })
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an attachment', () => {
  it('is stored once, byte for byte, when Errata is killed after the 200 and before its row', async (t) => {
    const data = await newDataDirectory()
    let running = await serve({ data })
    t.after(() => running[Symbol.asyncDispose]())
    const { port } = running
    const shop = await setUp(data, running.url)
    await keyIsKnown(running.url, shop.dsn)
    const sent = []
    for (const [bytes, again] of [
      [100, false],
      [3 * MIB, false],
      [3 * MIB, true],
    ] as const) {
      const one = anEnvelope(bytes)
      assert.equal(await post(shop.dsn, one.body), 200)
      await running.kill()
      running = await serve({ data, port })
      // An SDK that saw the connection break sends it once more.
      if (again) assert.equal(await post(shop.dsn, one.body), 200)
      sent.push(one)
    }
    // And killed at any moment on the way: answered or not, it comes again.
    for (const delayMs of [0, 20, 60]) {
      const one = anEnvelope(8 * MIB)
      const answer = post(shop.dsn, one.body)
      await setTimeout(delayMs)
      await running.kill()
      await answer
      running = await serve({ data, port })
      assert.equal(await post(shop.dsn, one.body), 200)
      sent.push(one)
    }
    for (const { event, content } of sent) {
      const [file, ...others] = await attachmentsOf(shop, event)
      assert.ok(file !== undefined && others.length === 0, `${others.length} more than one`)
      assert.equal(file.size, content.length)
      assert.equal(hash(await contentOf(shop, event, file)), hash(content))
    }
    const left = readdirSync(join(data, 'blobs', 'large')).filter((name) => name.startsWith('.'))
    assert.deepEqual(left, [], 'half written')
  })

  it('that a full disk takes half of is answered 503 and leaves nothing; smaller ones go on', async (t) => {
    const data = await newDataDirectory()
    const shop = await setUp(data, 'http://127.0.0.1')
    const running = await serve({ data, fileBlocksMax: 12 * 1024 })
    t.after(() => running[Symbol.asyncDispose]())
    const own = { ...shop, url: running.url, dsn: shop.dsn.replace(/@[^/]+/, `@127.0.0.1:${running.port}`) }
    await keyIsKnown(own.url, own.dsn)
    assert.equal(await post(own.dsn, anEnvelope(20 * MIB).body), 503)
    const large = () => readdirSync(join(data, 'blobs', 'large')).filter((name) => name.startsWith('.'))
    assert.deepEqual(large(), [])
    const { event, body, content } = anEnvelope(4 * MIB)
    assert.equal(await post(own.dsn, body), 200)
    const [file] = await attachmentsOf(own, event)
    assert.ok(file !== undefined)
    assert.equal(hash(await contentOf(own, event, file)), hash(content))
  })
})
