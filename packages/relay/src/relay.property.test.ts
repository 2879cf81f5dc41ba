/** Whatever is sent in whatever pieces: nothing but the configured DSN is contacted, and what arrives is what came. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createRelay } from './relay.ts'

const DSN = 'https://key@monitor.example:8443/a/42'

function aRelay() {
  const sent: { readonly host: string; readonly body: Promise<Uint8Array> }[] = []
  const relay = createRelay({
    dsn: DSN,
    bodyBytesMax: 600_000,
    fetch: async (url, init) => {
      const body = new Response(init?.body ?? null).bytes()
      sent.push({ host: new URL(String(url)).host, body })
      await body
      return Response.json({})
    },
  })
  return { relay, sent }
}

function inPieces(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const end = ends.find((each) => each > at)
      if (end === undefined) return controller.close()
      controller.enqueue(bytes.subarray(at, end))
      at = end
    },
  })
}

const post = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
  new Request('https://shop.example/monitoring', { method: 'POST', body, headers, duplex: 'half' })

const sizes = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(262_100, 262_144, 300_000).map((size) => new Uint8Array(size)) },
)

describe('the relay, for anything', () => {
  it('passes on an allowed envelope byte for byte, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat(), { maxLength: 6 }), async (rest, cuts) => {
        const line = new TextEncoder().encode(`${JSON.stringify({ dsn: DSN })}\n`)
        const body = new Uint8Array([...line, ...rest])
        const { relay, sent } = aRelay()
        assert.equal((await relay(post(inPieces(body, cuts)))).status, 200)
        assert.deepEqual(await sent[0]?.body, body)
      }),
    )
  })

  it('sends nothing for a first line that is not exactly its DSN', async () => {
    const near = fc
      .tuple(fc.nat(DSN.length), fc.string({ minLength: 1, maxLength: 4 }))
      .map(([at, text]) => DSN.slice(0, at) + text + DSN.slice(at))
    await fc.assert(
      fc.asyncProperty(fc.oneof(near, fc.webUrl(), fc.string(), fc.json()), async (dsn) => {
        const { relay, sent } = aRelay()
        const { status } = await relay(post(new Blob([`${JSON.stringify({ dsn })}\n{}`]).stream()))
        for (const { host } of sent) assert.equal(host, 'monitor.example:8443')
        // The same DSN in another spelling is the only one that may pass.
        if (status === 200) assert.equal(new URL(dsn).host, 'monitor.example:8443')
      }),
    )
  })

  it('answers bytes of any kind with a refusal, and never fails', async () => {
    const encodings = fc.constantFrom('', 'identity', 'gzip', 'deflate', 'br', 'zstd', 'x')
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.array(fc.nat(), { maxLength: 3 }),
        encodings,
        async (bytes, cuts, encoding) => {
          const { relay, sent } = aRelay()
          const { status } = await relay(post(inPieces(bytes, cuts), { 'content-encoding': encoding }))
          assert.ok(status >= 400 && status < 500, String(status))
          assert.equal(sent.length, 0)
        },
      ),
    )
  })
})
