import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readEnvelope, writeEnvelope } from './envelope.ts'
import { EnvelopeBroken, type EnvelopePart, EnvelopeStream } from './envelope-stream.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const LIMITS = { headerBytesMax: 200, itemHeaderBytesMax: 100, itemsMax: 5 }

/** Outline of what was read: the same for both readers. */
function outline(pieces: readonly Uint8Array[]) {
  const stream = new EnvelopeStream(LIMITS)
  const items: { type: string; payload: string }[] = []
  let header: unknown = null
  const take = (parts: Iterable<EnvelopePart>) => {
    for (const part of parts) {
      if (part.kind === 'header') header = part.header
      else if (part.kind === 'item') items.push({ type: part.type, payload: '' })
      else if (part.kind === 'bytes') {
        const last = items.at(-1)
        if (last !== undefined) last.payload += Buffer.from(part.bytes).toString('latin1')
      }
    }
  }
  try {
    for (const piece of pieces) take(stream.push(piece))
    take(stream.end())
  } catch (cause) {
    if (!(cause instanceof EnvelopeBroken)) throw cause
    return cause.problem.code
  }
  return { header, items }
}

function expected(whole: Uint8Array) {
  const answer = readEnvelope(whole, LIMITS)
  if (!answer.ok) return answer.problem.code
  const { header, items } = answer.envelope
  return {
    header,
    items: items.map(({ type, start, end }) => ({
      type,
      payload: Buffer.from(whole.subarray(start, end)).toString('latin1'),
    })),
  }
}

const CASES = [
  '',
  '{}',
  '{}\n\n\n',
  'nope\n',
  '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n',
  '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}',
  '{}\n{"type":"attachment","length":3}',
  '{}\n{"type":"attachment"}\nhelloworld',
  '{}\n{"type":"attachment"}',
  '{}\n{"type":"attachment","length":4}\na\nb\n\n{"type":"event"}\n{}\n\n\n',
  '{}\n{"type":"event","length":50}\n{"message":"x"}\n',
  '{}\n{"type":"event","length":5}\n{"message":"x"}\n',
  '{}\n{"type":"event","length":-1}\n{}\n',
  '{}\n{"type":"event","length":1.5}\n{}\n',
  '{}\n{"type":"event"}\n{}\n\n{"type":"event"}\n{}',
  '{}\n{"nope":1}\nx',
  '{}\nnope\nx',
  `{"a":"${'x'.repeat(300)}"}\n`,
  `{}\n{"type":"event","a":"${'x'.repeat(300)}"}\n`,
  `{}\n${'{"type":"event"}\n{}\n'.repeat(6)}`,
]

describe('an envelope that is read as it comes', () => {
  for (const text of CASES) {
    it(`reads ${JSON.stringify(text).slice(0, 60)} as it is read whole, whatever the pieces`, () => {
      const whole = bytes(text)
      for (const size of [1, 2, 7, 1_000]) {
        const pieces = []
        for (let at = 0; at < whole.length; at += size)
          pieces.push(Buffer.from(whole.subarray(at, at + size)))
        assert.deepEqual(outline(pieces), expected(whole), `pieces of ${size}`)
      }
    })
  }

  it('reads any envelope, cut and broken anywhere, as it is read whole', () => {
    const payload = fc
      .uint8Array({ maxLength: 12 })
      .map((all) => all.map((byte) => (byte % 3 === 0 ? 0x0a : byte)))
    const property = fc.property(
      fc.array(fc.tuple(fc.constantFrom('event', 'attachment'), payload), { maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      (items, cut, flip, size) => {
        const whole = writeEnvelope(
          { event_id: 'a' },
          items.map(([type, of]) => ({ header: { type }, payload: of })),
        )
        const broken = whole.slice(0, whole.length - (cut % 20))
        if (flip % 3 === 0 && broken.length > 0) broken[flip % broken.length] = 0x0a
        const pieces = []
        for (let at = 0; at < broken.length; at += size)
          pieces.push(Buffer.from(broken.subarray(at, at + size)))
        assert.deepEqual(outline(pieces), expected(broken))
      },
    )
    fc.assert(property, { numRuns: 500 })
  })
})
