/** Attachments over HTTP, from the request to the journal and the disk. */
import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import { SAMPLE_SHOP, SHOP_KEY } from '#accept/sample-directory.ts'
import { max } from '#limits/limits.ts'
import type { EnvelopeRecord } from '#model/record.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { shortOutcome } from '#testing/worlds/accept.ts'
import { TestServer } from '#testing/worlds/server.ts'

const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc'
const MIB = 1024 * 1024
const EVENT = Buffer.from(`{"event_id":"${EVENT_ID}","message":"with a file"}`)

interface Sent {
  readonly header?: Readonly<Record<string, unknown>>
  readonly payload: Buffer
}

function envelope(attachments: readonly Sent[], more: readonly Buffer[] = []) {
  const parts: Buffer[] = [
    Buffer.from(`{"event_id":"${EVENT_ID}"}\n{"type":"event","length":${EVENT.length}}\n`),
    EVENT,
  ]
  for (const { header = {}, payload } of attachments) {
    const said = { type: 'attachment', length: payload.length, filename: 'a.log', ...header }
    parts.push(Buffer.from(`\n${JSON.stringify(said)}\n`), payload)
  }
  return Buffer.concat([...parts, Buffer.from('\n'), ...more])
}

/** Bytes that no coding makes small. */
function noise(bytes: number, seed = 'noise'): Buffer {
  const key = createHash('sha256').update(seed).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes))
}

describe('attachments over HTTP', () => {
  let server: TestServer
  before(async () => {
    server = await TestServer.open()
    await server.start()
  })
  after(() => server.close())
  beforeEach(async () => {
    server.ingest.records()
    await server.ingest.outcomes()
  })

  const content = async (name: string) => {
    const stream = await server.ingest.blobs.read(name)
    return stream === null ? null : Buffer.from(await new Response(stream).arrayBuffer())
  }
  const only = (): EnvelopeRecord => {
    const [record, ...others] = server.ingest.envelopes()
    assert.ok(record !== undefined && others.length === 0)
    return record
  }
  const kept = async (record: EnvelopeRecord) =>
    Promise.all((record.setAside ?? []).map(({ name }) => content(name)))
  const counted = async () => (await server.ingest.outcomes()).map(shortOutcome).sort()
  const chunked = (body: Buffer, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(server.envelopeUrl())
      const asked = httpRequest(url, { method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      asked.on('error', reject)
      for (let at = 0; at < body.length; at += 100_000) asked.write(body.subarray(at, at + 100_000))
      asked.end()
    })

  it('leave the envelope and are on the disk when the answer comes', async () => {
    const payload = Buffer.from('line\nline\r\n\u0000')
    const answer = await server.post(envelope([{ payload }, { payload: Buffer.alloc(0) }]))
    assert.deepEqual([answer.status, await answer.json()], [200, { id: EVENT_ID }])
    const record = only()
    assert.ok(!Buffer.from(record.body).includes('line\nline'))
    assert.deepEqual(
      record.setAside?.map(({ index, bytes }) => [index, bytes]),
      [
        [1, payload.length],
        [2, 0],
      ],
    )
    assert.match(record.setAside?.[0]?.name ?? '', /^attachment-\d{4}-\d\d-\d\d\.30\/\d+\/[0-9a-f]{32}$/)
    assert.deepEqual(await kept(record), [payload, Buffer.alloc(0)])
    assert.deepEqual(await counted(), [])
  })

  const CODINGS = {
    none: null,
    gzip: zlib.gzipSync,
    br: (body: Buffer) =>
      zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    zstd: zlib.zstdCompressSync,
    deflate: zlib.deflateSync,
  } as const
  for (const [coding, encode] of Object.entries(CODINGS)) {
    for (const bytes of [100, MIB + MIB / 2]) {
      it(`of ${bytes} bytes come whole in an envelope of coding ${coding}, with and without its length`, async () => {
        const payload = noise(bytes, coding)
        const whole = envelope([{ payload }])
        const body = encode === null ? whole : encode(whole)
        const headers: Record<string, string> = encode === null ? {} : { 'content-encoding': coding }
        assert.equal(await chunked(body, headers), 200)
        assert.equal((await server.post(Buffer.from(body), headers)).status, 200)
        const records = server.ingest.envelopes()
        assert.equal(records.length, 2)
        for (const record of records) {
          assert.ok(record.body.length < 1_000 && record.encodings.length === 0)
          const [found] = await kept(record)
          assert.ok(found?.equals(payload))
        }
        const names = records.map(({ setAside }) => setAside?.[0]?.name)
        assert.equal(names[0], names[1], 'what is sent twice is the same blob')
      })
    }
  }

  it('are taken with deflate that lacks its wrapper', async () => {
    const payload = noise(2 * MIB)
    const body = zlib.deflateRawSync(envelope([{ payload }]))
    assert.equal((await server.post(Buffer.from(body), { 'content-encoding': 'deflate' })).status, 200)
    assert.ok((await kept(only()))[0]?.equals(payload))
  })

  it('do not change a large body that has none: it is journaled as it came', async () => {
    const log = Buffer.from(JSON.stringify({ items: [{ body: noise(2 * MIB).toString('base64') }] }))
    const whole = Buffer.concat([
      Buffer.from(`{}\n{"type":"log","item_count":1,"length":${log.length}}\n`),
      log,
    ])
    const packed = zlib.gzipSync(whole)
    assert.equal((await server.post(Buffer.from(packed), { 'content-encoding': 'gzip' })).status, 200)
    const record = only()
    assert.deepEqual([record.encodings, record.setAside], [['gzip'], undefined])
    assert.ok(Buffer.from(record.body).equals(packed))
    assert.equal((await server.post(whole)).status, 200)
    assert.ok(zlib.gunzipSync(packed).equals(whole))
    assert.ok(Buffer.from(only().body).includes(log))
  })

  it('beyond thirty are left out and counted, and the event stays', async () => {
    const files = Array.from({ length: 31 }, (_, at) => ({ payload: Buffer.from(`file ${at}`) }))
    assert.equal((await server.post(envelope(files))).status, 200)
    const record = only()
    assert.deepEqual([record.setAside?.length, record.skippedItems], [30, [31]])
    assert.deepEqual(await counted(), [
      `${SAMPLE_SHOP} invalid too_many_attachments attachment 7`,
      `${SAMPLE_SHOP} invalid too_many_attachments attachment_item 1`,
    ])
  })

  it('that are too large in all are left out from there on, whether or not they say how long they are', async () => {
    const limit = max('attachmentBytesMax')
    const most = Buffer.alloc(limit - 5, 'x')
    const six = { payload: Buffer.from('6 byte'), header: { filename: 'b.log' } }
    const unsaid = { payload: Buffer.from('7 bytes'), header: { filename: 'c.log', length: undefined } }
    const five = { payload: Buffer.from('fives'), header: { filename: 'd.log' } }
    assert.equal((await server.post(envelope([{ payload: most }, six, unsaid, five]))).status, 200)
    const record = only()
    assert.deepEqual(
      record.setAside?.map(({ index, bytes }) => [index, bytes]),
      [
        [1, limit - 5],
        [4, 5],
      ],
    )
    assert.deepEqual(await counted(), [
      `${SAMPLE_SHOP} invalid too_large attachment 13`,
      `${SAMPLE_SHOP} invalid too_large attachment_item 2`,
    ])
  })

  it('are refused with all of a bomb behind a small event, and leave nothing on the disk', async () => {
    const bomb = zlib.gzipSync(Buffer.concat([envelope([]), Buffer.alloc(260 * MIB)]), { level: 1 })
    for (const body of [
      zlib.gzipSync(envelope([{ payload: Buffer.alloc(260 * MIB) }]), { level: 1 }),
      bomb,
    ]) {
      const answer = await server.post(Buffer.from(body), { 'content-encoding': 'gzip' })
      assert.equal(answer.status, body === bomb ? 400 : 413, await answer.text())
    }
    assert.deepEqual(server.ingest.envelopes(), [])
    assert.ok((await counted()).length > 0)
  })

  for (const [name, broken, status] of [
    ['longer than what comes', (whole: Buffer) => whole.subarray(0, whole.length - 1_000), 400],
    [
      'shorter than the payload',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, -2), Buffer.from('more\n')]),
      400,
    ],
  ] as const) {
    for (const bytes of [5_000, 2 * MIB]) {
      it(`that state a length ${name} refuse the envelope, counted by item and byte (${bytes})`, async () => {
        const body = Buffer.from(broken(envelope([{ payload: noise(bytes) }])))
        const answer = await server.post(body)
        assert.equal(answer.status, status)
        assert.deepEqual(server.ingest.envelopes(), [])
        const said = await counted()
        assert.equal(said.length, 3, said.join())
        assert.match(said.join(), /invalid invalid_envelope attachment \d+,.* attachment_item 1,.* error 1/)
      })
    }
  }

  it('of a project that wants none, or has had enough today, are counted, and the event is kept', async () => {
    for (const [project, expected] of [
      [{ attachments: false }, 'filtered attachments_off'],
      [{ attachmentDailyMegabytes: 1 }, 'rate_limited attachment_quota'],
    ] as const) {
      await server.start({ shop: { options: { ...PROJECT_OPTIONS_DEFAULT, ...project } } })
      for (const bytes of [MIB + 1, 3 * MIB]) {
        assert.equal((await server.post(envelope([{ payload: Buffer.alloc(bytes) }]))).status, 200)
        const record = only()
        assert.deepEqual([record.setAside, record.skippedItems], [undefined, [1]])
        assert.deepEqual(await counted(), [
          `${SAMPLE_SHOP} ${expected} attachment ${bytes}`,
          `${SAMPLE_SHOP} ${expected} attachment_item 1`,
        ])
      }
    }
    await server.start()
  })

  it('of a sender with a wrong key never reach the disk', async () => {
    const before = await server.ingest.blobs.areas()
    const url = server.address(`/api/${SAMPLE_SHOP}/envelope/?sentry_key=${'0'.repeat(32)}`)
    const body = envelope([{ payload: noise(2 * MIB) }])
    assert.equal((await server.post(body, {}, url)).status, 403)
    assert.deepEqual(await server.ingest.blobs.areas(), before)
  })

  it('that break off on the way are counted, and what was written of them is gone', async () => {
    const socket = connect(server.port, '127.0.0.1')
    const whole = envelope([{ payload: noise(4 * MIB) }])
    const path = `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${whole.length}\r\n\r\n`)
    await new Promise<void>((resolve) => socket.write(whole.subarray(0, 3 * MIB), () => resolve()))
    socket.destroy()
    let said: string[] = []
    while (said.length === 0) {
      await setImmediate()
      said = await counted()
    }
    assert.match(said.join(), /invalid broken_off/)
    assert.deepEqual(server.ingest.envelopes(), [])
  })

  describe('from a slow client', () => {
    // Windows that a busy machine does not outlast between two pieces.
    const TIMES = { headerMs: 100, bodyMs: 1_000, checkMs: 20 }
    const whole = envelope([{ payload: noise(3 * MIB) }])
    const slowly = async ({ bytes, everyMs, until }: { bytes: number; everyMs: number; until: number }) => {
      const socket = connect(server.port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
      const path = `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${whole.length}\r\n\r\n`,
      )
      for (let at = 0; at < until && socket.writable; at += bytes) {
        socket.write(whole.subarray(at, Math.min(until, at + bytes)))
        await setTimeout(everyMs)
      }
      await closed
      return text
    }

    it('are taken while they move, however long that is', async () => {
      await server.start({}, { timeouts: TIMES })
      const begun = performance.now()
      const answer = await slowly({ bytes: 256 * 1024, everyMs: 150, until: whole.length })
      assert.match(answer, /^HTTP\/1\.1 200 /)
      assert.ok(performance.now() - begun > TIMES.headerMs + TIMES.bodyMs, 'it took longer than a body may')
      assert.equal(only().setAside?.length, 1)
    })

    it('are cut off with 408 where they come byte by byte, or stall halfway, and leave nothing', async () => {
      await server.start({}, { timeouts: TIMES })
      for (const way of [
        { bytes: 1, everyMs: 50, until: whole.length },
        { bytes: MIB, everyMs: 1, until: 2 * MIB },
      ]) {
        assert.match(await slowly(way), /^HTTP\/1\.1 408 /)
        let said: string[] = []
        while (said.length === 0) {
          await setImmediate()
          said = await counted()
        }
        assert.match(said.join(), /invalid broken_off/)
      }
      assert.deepEqual(server.ingest.envelopes(), [])
      await server.start()
    })
  })

  it('come by the relay of pages as well', async () => {
    const dsn = `http://${SHOP_KEY}@127.0.0.1:${server.port}/${SAMPLE_SHOP}`
    const payload = noise(2 * MIB)
    const body = Buffer.concat([
      Buffer.from(`{"event_id":"${EVENT_ID}","dsn":"${dsn}"}\n{"type":"event"}\n`),
      EVENT,
      Buffer.from(`\n{"type":"attachment","length":${payload.length},"filename":"screenshot.png"}\n`),
      payload,
    ])
    const answer = await server.post(body, {}, server.address(`/monitoring?o=1&p=${SAMPLE_SHOP}`))
    assert.equal(answer.status, 200, await answer.text())
    assert.ok((await kept(only()))[0]?.equals(payload))
  })
})
