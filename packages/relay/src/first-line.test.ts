import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Monitor } from '../testing/monitor.ts'
import { inflatedFirstLine } from './first-line.ts'
import { createRelay } from './relay.ts'

const ENCODINGS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const

const LINE = '{"dsn":"https://k@h.example/42"}'

async function firstLine(bytes: Uint8Array, encoding: string, isWhole = true): Promise<string> {
  const line = await inflatedFirstLine(new Uint8Array(bytes), { encoding, lineBytesMax: 1_000, isWhole })
  return typeof line === 'string' ? line : new TextDecoder().decode(line)
}

/** Bytes that no format makes smaller, the same in every run. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0, state = 1; at < size; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    bytes[at] = state >>> 24
  }
  return bytes
}

for (const [encoding, compress] of Object.entries(ENCODINGS)) {
  describe(`an envelope in ${encoding}`, () => {
    it('is sent on as it came', async () => {
      await using monitor = await new Monitor().start()
      const body = new Uint8Array(compress(`{"dsn":"${monitor.dsn}"}\n{"type":"event"}\n{}`))
      const response = await createRelay({ dsn: monitor.dsn })(
        new Request('https://shop.example/monitoring', {
          method: 'POST',
          headers: { 'content-encoding': encoding },
          body,
        }),
      )
      assert.equal(response.status, 200)
      assert.equal(monitor.taken[0]?.headers['content-encoding'], encoding)
      assert.deepEqual(new Uint8Array(monitor.taken[0]?.body ?? []), body)
    })

    it('has its first line read', async () => {
      assert.equal(await firstLine(compress(`${LINE}\n${'x'.repeat(100_000)}`), encoding), LINE)
      assert.equal(await firstLine(compress(LINE), encoding), LINE)
    })

    it('has its first line read where the rest has not come', async () => {
      const whole = compress(Buffer.concat([Buffer.from(`${LINE}\n`), noise(300_000)]))
      assert.equal(await firstLine(whole.subarray(0, 256 * 1024), encoding, false), LINE)
    })

    it('is not inflated beyond the bound of a line', async () => {
      assert.equal(await firstLine(compress('x'.repeat(5_000_000)), encoding), 'too_large')
    })

    it('is unreadable where it is something else', async () => {
      assert.equal(await firstLine(new TextEncoder().encode(`${LINE}\n{}`), encoding), 'unreadable')
    })
  })
}

describe('an envelope that never says anything', () => {
  it('is given up after a while', async () => {
    // The head of a gzip file that announces a name, and the name does not end.
    const endless = Buffer.concat([
      Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]),
      Buffer.alloc(100_000, 'x'),
    ])
    assert.equal(await firstLine(endless, 'gzip', false), '')
  })
})
