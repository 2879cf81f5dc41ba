import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type CorpusKind, corpusEvent, digestOf, envelopeOf, gzipped, stackNumberOf } from './corpus.ts'

const AT_MS = Date.UTC(2026, 10, 21)
const SEED = 7

interface SentEvent {
  readonly event_id: string
  readonly timestamp: number
  readonly user?: { readonly id: string }
  readonly exception?: {
    readonly values: readonly {
      readonly value: string
      readonly stacktrace: { readonly frames: readonly object[] }
    }[]
  }
}

function events(kind: CorpusKind, stacks: number | 'all', count: number): readonly SentEvent[] {
  return Array.from({ length: count }, (_, number) =>
    JSON.parse(corpusEvent({ kind, stacks, seed: SEED }, number, AT_MS + number).json),
  )
}

const distinct = (values: readonly unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size
const framesOf = (event: SentEvent) => event.exception?.values[0]?.stacktrace.frames

describe('the corpus', () => {
  for (const kind of ['error-5k', 'error-18k', 'transaction-28k'] as const) {
    it(`is the same every time: ${kind}`, () => {
      const spec = { kind, stacks: 400, seed: SEED }
      for (const number of [0, 1, 999, 1_000_000])
        assert.deepEqual(corpusEvent(spec, number, AT_MS), corpusEvent(spec, number, AT_MS))
      assert.notEqual(corpusEvent(spec, 1, AT_MS).json, corpusEvent({ ...spec, seed: 8 }, 1, AT_MS).json)
    })
  }

  it('gives every event its own id, time, message and mostly its own person', () => {
    const all = events('error-5k', 3, 2_000)
    assert.equal(distinct(all.map((event) => event.event_id)), 2_000)
    assert.equal(distinct(all.map((event) => event.timestamp)), 2_000)
    assert.equal(distinct(all.map((event) => event.exception?.values[0]?.value)), 2_000)
    assert.ok(distinct(all.map((event) => event.user?.id)) > 1_500)
    for (const { event_id: id } of all) assert.match(id, /^[0-9a-f]{32}$/)
  })

  it('has as many stacks as asked for', () => {
    assert.equal(distinct(events('error-5k', 3, 300).map(framesOf)), 3)
    assert.equal(distinct(events('error-18k', 400, 5_000).map(framesOf)), 400)
    assert.equal(distinct(events('error-5k', 'all', 1_000).map(framesOf)), 1_000)
  })

  it('repeats some of many stacks far more often than others', () => {
    const counts = new Map<number, number>()
    for (let number = 0; number < 20_000; number++) {
      const stack = stackNumberOf({ kind: 'error-5k', stacks: 400, seed: SEED }, number)
      counts.set(stack, (counts.get(stack) ?? 0) + 1)
    }
    assert.ok((counts.get(0) ?? 0) > 10 * (counts.get(399) ?? 0))
  })

  for (const [kind, bytes] of [
    ['error-5k', 5_000],
    ['error-18k', 18_000],
    ['transaction-28k', 28_000],
  ] as const) {
    it(`has the size its name says: ${kind}`, () => {
      const all = Array.from({ length: 200 }, (_, number) =>
        corpusEvent({ kind, stacks: 400, seed: SEED }, number, AT_MS),
      )
      const mean = all.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0) / all.length
      assert.ok(Math.abs(mean / bytes - 1) < 0.1, `${mean} bytes`)
    })
  }

  it('frames an event as an envelope of three lines', () => {
    const spec = { kind: 'error-5k', stacks: 3, seed: SEED } as const
    const event = corpusEvent(spec, 4, AT_MS)
    const lines = gunzipSync(gzipped(envelopeOf(spec, event, AT_MS)))
      .toString()
      .split('\n')
    assert.equal(lines.length, 3)
    assert.equal(JSON.parse(lines[0] ?? '').event_id, event.id)
    assert.deepEqual(JSON.parse(lines[1] ?? ''), { type: 'event' })
    assert.equal(lines[2], event.json)
  })

  it('tells the number that the error page of a server’s stack shows', () => {
    const spec = { kind: 'error-5k', stacks: 400, seed: SEED } as const
    const number = Array.from({ length: 5_000 }, (_, index) => index).find(
      (index) => stackNumberOf(spec, index) === 2,
    )
    assert.ok(number !== undefined)
    assert.ok(corpusEvent(spec, number, AT_MS).json.includes(`"digest":"${digestOf(spec, 2)}"`))
    assert.throws(() => digestOf(spec, 0), /browser/)
  })
})
