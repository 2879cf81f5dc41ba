import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import fc from 'fast-check'
import { createInflater, type InflateAnswer, readEncodings } from './inflate.ts'

/** Returns the output of Node's own inflating; `undefined` if it refuses. */
function expectedOf(body: Uint8Array): string | undefined {
  try {
    return gunzipSync(body).toString()
  } catch {
    return undefined
  }
}

describe('the Content-Encoding header', () => {
  test('names codings in the order they were applied, in any case', () => {
    assert.deepEqual(readEncodings('X-GZIP , br'), ['gzip', 'br'])
  })

  test('is identity when it is absent, empty or names what is no coding', () => {
    for (const header of [null, '', 'identity', 'rot13', 'constructor', '__proto__', 'toString']) {
      assert.deepEqual(readEncodings(header), [], String(header))
    }
  })

  test('names the same coding alone as beside blanks and in capitals', () => {
    for (const [name, coding] of [
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['deflate', 'deflate'],
      ['br', 'br'],
      ['zstd', 'zstd'],
    ] as const)
      for (const header of [name, ` ${name} `, name.toUpperCase()])
        assert.deepEqual(readEncodings(header), [coding], header)
  })

  test('is refused with more codings than anybody applies', () => {
    assert.equal(readEncodings('gzip,gzip,gzip,gzip'), null)
  })
})

describe('a body of another coding', () => {
  const LIMIT = 1024 * 1024
  const TEXT = JSON.stringify({ message: 'something longer than a few bytes', list: [1, 2, 3] })
  const CODED = [
    { name: 'deflate', coding: 'deflate', pack: deflateSync },
    { name: 'deflate without its wrapper', coding: 'deflate', pack: deflateRawSync },
    { name: 'br', coding: 'br', pack: brotliCompressSync },
    { name: 'zstd', coding: 'zstd', pack: zstdCompressSync },
  ] as const
  // Small ones are inflated at once, large ones in the pool.
  for (const syncBytesMax of [1_024, 1])
    for (const { name, coding, pack } of CODED)
      test(`${name}, cut off anywhere, is invalid, and the whole one behind it is read (${syncBytesMax} bytes at once)`, async () => {
        const inflater = createInflater({ outputBytesMax: LIMIT, syncBytesMax, heldBytesMax: LIMIT })
        const whole = pack(TEXT)
        for (let at = 1; at < whole.length; at++) {
          const answer = await inflater.inflate(whole.subarray(0, at), [coding])
          assert.ok(!answer.ok && answer.reason === 'invalid', `of ${at} bytes`)
        }
        const answer = await inflater.inflate(whole, [coding])
        assert.ok(answer.ok && Buffer.from(answer.bytes).toString() === TEXT)
        const large = await inflater.inflate(pack(Buffer.alloc(LIMIT + 1)), [coding])
        assert.ok(!large.ok && large.reason === 'too_large')
      })
})

describe('a gzip body', () => {
  const LIMIT = 4 * 1024 * 1024
  const inflater = createInflater({ outputBytesMax: LIMIT, syncBytesMax: 1_024, heldBytesMax: LIMIT })
  const inflate = async (body: Uint8Array) => shown(await inflater.inflate(body, ['gzip']))
  const shown = (answer: InflateAnswer) => (answer.ok ? Buffer.from(answer.bytes) : answer.reason)
  const saying = (body: Buffer, bytes: number) => {
    const lying = Buffer.from(body)
    lying.writeUInt32LE(bytes, lying.length - 4)
    return lying
  }

  for (const bytes of [0, 1, 63, 64, 65, 16_384, 100_000, 1_048_576, 1_048_577, LIMIT]) {
    test(`of ${bytes} bytes is given back whole`, async () => {
      const plain = Buffer.alloc(bytes, 'ab')
      assert.deepEqual(await inflate(gzipSync(plain)), plain)
    })
  }

  test('of one byte more than the limit is too large', async () => {
    assert.equal(await inflate(gzipSync(Buffer.alloc(LIMIT + 1))), 'too_large')
  })

  test('is not believed what it says of its size', async () => {
    for (const plain of [Buffer.from('{}'), Buffer.alloc(500_000, 'ab'), Buffer.alloc(2_000_000, 'ab')]) {
      for (const said of [
        0,
        1,
        plain.length - 1,
        plain.length + 1,
        LIMIT - 1,
        LIMIT,
        LIMIT + 1,
        2 ** 32 - 1,
      ]) {
        const answer = await inflate(saying(gzipSync(plain), said))
        // A lie is found by zlib; where it is a large one, nobody needs to look twice.
        assert.ok(answer === 'invalid' || answer === 'too_large', `${plain.length} said to be ${said}`)
      }
    }
  })

  test('of several members is read whole, whatever the last one says', async () => {
    const first = Buffer.alloc(3_000_000, 'ab')
    const two = Buffer.concat([gzipSync(first), gzipSync('end')])
    assert.deepEqual(await inflate(two), Buffer.concat([first, Buffer.from('end')]))
    const small = Buffer.concat([gzipSync('one '), gzipSync('two')])
    assert.deepEqual(await inflate(small), Buffer.from('one two'))
    const three = Buffer.concat([gzipSync(first), gzipSync(first), gzipSync('end')])
    assert.equal(await inflate(three), 'too_large')
  })

  test('cut off anywhere, or with a byte changed, is invalid and never anything else', async () => {
    const text = JSON.stringify({ message: 'something longer than a few bytes', list: [1, 2, 3] })
    const whole = gzipSync(text)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        assert.equal(await inflate(whole.subarray(0, at)), 'invalid')
        const changed = Buffer.from(whole)
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at)
        const answer = await inflate(changed)
        // Bits that nobody reads may change: the time in the header, the padding behind the last block.
        if (typeof answer !== 'string') assert.equal(answer.toString(), text)
      }),
    )
  })

  test('is read whole and right behind any that was broken', async () => {
    const cut = fc.record({
      text: fc.string({ maxLength: 400 }),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    const noise = fc.uint8Array({ maxLength: 200 })
    const kinds = fc.oneof(
      cut.map(({ text, at }) => {
        const body = gzipSync(text)
        return { body: body.subarray(0, Math.floor(at * body.length)), plain: null }
      }),
      noise.map((bytes) => ({ body: Buffer.from(bytes), plain: null })),
      // A beginning of a true one, and then anything.
      fc.tuple(cut, noise).map(([{ text, at }, bytes]) => {
        const body = gzipSync(text)
        return { body: Buffer.concat([body.subarray(0, Math.floor(at * body.length)), bytes]), plain: null }
      }),
      fc.string({ maxLength: 400 }).map((text) => ({ body: gzipSync(text), plain: text })),
      // A true one, and more behind it.
      fc
        .tuple(fc.string(), noise)
        .map(([text, bytes]) => ({ body: Buffer.concat([gzipSync(text), bytes]), plain: null })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 20 }), async (bodies) => {
        for (const { body, plain } of bodies) {
          const answer = await inflate(body)
          const expected = plain ?? expectedOf(body)
          if (expected !== undefined) assert.equal(answer.toString(), expected)
          else assert.equal(answer, 'invalid')
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is inflated beside others only as far as there is room, and all are answered', async () => {
    const plain = Buffer.alloc(1_500_000, 'ab')
    const body = gzipSync(plain)
    const answers = await Promise.all(Array.from({ length: 12 }, () => inflate(body)))
    for (const answer of answers) assert.deepEqual(answer, plain)
  })
})
