import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import * as zlib from 'node:zlib'
import { systemClock } from '#base/clock.ts'
import { dayOf, keyId, projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openJournal } from '#journal/writer.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { eventIdAt } from '#kinds/row-columns.ts'
import { max } from '#limits/limits.ts'
import type { ProcessedBatch } from '#model/batch.ts'
import type { SequencedRecord } from '#model/record.ts'
import { encodeRows, writtenRow } from '#store/duckdb/row-lines.ts'
import {
  anEnvelope,
  blocksOf,
  directoryWith,
  envelopeOf,
  eventOfBatch,
  eventsOf,
  ID,
  outcomesOf,
  processRecords,
  RECEIVED_MS,
} from '#testing/builders/records.ts'
import { ProcessFailure } from './process-failure.ts'
import { packBatch, unpackBatch } from './transfer.ts'
import { runWorkerLoop, type WorkerAnswer, type WorkerRequest } from './worker-loop.ts'

type Comparable = Omit<ProcessedBatch, 'parts'> & {
  readonly parts: readonly Pick<ProcessedBatch['parts'][number], 'kind' | 'blocks'>[]
}

describe('items', () => {
  test('a bad item is counted and its neighbours are unharmed', () => {
    const body = envelopeOf(
      ['event', '{"message":'],
      ['event', '[1]'],
      ['event', { message: 'good' }],
      ['event', ''],
      ['session', '{'],
      ['log', { items: [] }, { item_count: 12 }],
      ['transaction', {}],
      ['who_knows', 'x'],
      ['client_report', 'nope'],
    )
    const batch = processRecords([
      anEnvelope(body),
      anEnvelope('not an envelope'),
      anEnvelope(envelopeOf(['event', { message: 'next' }])),
    ])
    assert.deepEqual([eventOfBatch(batch, 0).message, eventOfBatch(batch, 1).message], ['good', 'next'])
    assert.deepEqual(outcomesOf(batch).toSorted(), [
      'invalid invalid_envelope default 1',
      'invalid invalid_json error 2',
      'invalid invalid_json internal 1',
      'invalid invalid_json session 1',
      'invalid missing_trace transaction 1',
      'invalid not_an_object error 1',
      'unsupported unsupported_kind default 1',
      'unsupported unsupported_kind log_item 12',
    ])
    for (const { example } of batch.outcomes) assert.ok(!example?.includes('nope'), example)
  })

  test('an event nested absurdly is counted as such', () => {
    const deep = `{"extra":{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}}`
    const batch = processRecords([anEnvelope(envelopeOf(['event', deep]))])
    assert.deepEqual(outcomesOf(batch), ['invalid too_deep error 1'])
  })

  test('items that accept left out are not counted again', () => {
    const batch = processRecords([
      anEnvelope(envelopeOf(['event', { message: 'a' }], ['session', {}]), { skippedItems: [0] }),
    ])
    assert.equal(eventsOf(batch).length, 0)
    assert.deepEqual(outcomesOf(batch), ['invalid no_release session 1'])
  })

  test('what the SDK itself discarded becomes its outcomes, whatever the reason', () => {
    const report = {
      timestamp: 1,
      discarded_events: [
        { reason: 'before_send', category: 'error', quantity: 3 },
        { reason: 'something new!', category: 'span', quantity: 1e300 },
        { reason: 'x', category: '<script>', quantity: 2 },
        { reason: 'none', category: 'error', quantity: 0 },
        5,
        { category: 'error' },
      ],
    }
    const batch = processRecords([anEnvelope(envelopeOf(['client_report', report]))])
    assert.deepEqual(outcomesOf(batch).toSorted(), [
      'client_discard before_send error 3',
      'client_discard unknown error 1',
      'client_discard unknown span 1000000000',
      'client_discard x default 2',
      'invalid not_an_object internal 1',
    ])
  })

  test('refusals that accept counted pass through, the same ones of a minute summed', () => {
    const outcome = {
      outcome: 'rate_limited',
      reason: 'key_limit',
      category: 'error',
      quantity: 2,
      projectId: projectId(7),
      keyId: keyId(9),
      atMs: RECEIVED_MS,
    } as const
    const record: SequencedRecord = {
      type: 'outcomes',
      receivedMs: RECEIVED_MS,
      outcomes: [outcome, outcome],
      seq: seq(1),
    }
    assert.deepEqual(processRecords([record]).outcomes, [{ ...outcome, quantity: 4 }])
  })

  test('the transaction of an old client is no error', () => {
    const batch = processRecords([
      anEnvelope(JSON.stringify({ type: 'transaction', spans: [] }), { format: 'store' }),
    ])
    assert.deepEqual(outcomesOf(batch), ['unsupported unsupported_kind transaction 1'])
  })
})

describe('bytes', () => {
  const body = Buffer.from(envelopeOf(['event', { message: 'héllo' }]))
  for (const [name, record] of [
    ['gzip', anEnvelope(zlib.gzipSync(body), { encodings: ['gzip'] })],
    ['deflate', anEnvelope(zlib.deflateSync(body), { encodings: ['deflate'] })],
    ['raw deflate', anEnvelope(zlib.deflateRawSync(body), { encodings: ['deflate'] })],
    ['br', anEnvelope(zlib.brotliCompressSync(body), { encodings: ['br'] })],
    ['zstd', anEnvelope(zlib.zstdCompressSync(body), { encodings: ['zstd'] })],
    ['a chain', anEnvelope(zlib.brotliCompressSync(zlib.gzipSync(body)), { encodings: ['gzip', 'br'] })],
    ['store JSON', anEnvelope('{"message":"héllo"}', { format: 'store' })],
    [
      'store base64 of zlib',
      anEnvelope(zlib.deflateSync('{"message":"héllo"}').toString('base64'), { format: 'store' }),
    ],
    [
      'bare NaN',
      anEnvelope('{"message":"héllo","extra":{"a":NaN,"b":-Infinity,"c":"NaN"}}', { format: 'store' }),
    ],
    [
      'a byte order mark',
      anEnvelope('\ufeff{"message":"héllo"}', {
        format: 'envelope',
        body: Buffer.from(envelopeOf(['event', '\ufeff{"message":"héllo"}'])),
      }),
    ],
  ] as const) {
    test(`${name} is read`, () => {
      const batch = processRecords([record])
      assert.equal(eventOfBatch(batch).message, 'héllo')
      if (name === 'bare NaN') assert.deepEqual(eventOfBatch(batch).extra, { a: null, b: null, c: 'NaN' })
    })
  }

  test('what cannot be decompressed is counted, and a bomb costs its limit', () => {
    const bomb = zlib.zstdCompressSync(Buffer.alloc(max('bodyInflatedBytesMax') + 1))
    const batch = processRecords([
      anEnvelope('x', { encodings: ['gzip'] }),
      anEnvelope(bomb, { encodings: ['zstd'] }),
    ])
    assert.deepEqual(outcomesOf(batch), ['invalid invalid_encoding default 1', 'invalid too_large default 1'])
  })
})

describe('events', () => {
  test('an event gets the id that was answered, its day of receipt and the project’s retention', () => {
    const batch = processRecords(
      [anEnvelope(envelopeOf(['event', { event_id: 'f'.repeat(32), message: 'm' }]), { eventId: ID })],
      { retentionDays: 30 },
    )
    const [event] = eventsOf(batch)
    assert.equal(event?.row.eventId, ID)
    assert.equal(event?.row.day, dayOf(RECEIVED_MS))
    assert.equal(event?.row.retentionDays, 30)
    assert.equal(event?.keyId, 9)
    assert.equal(eventOfBatch(batch).event_id, ID)
  })

  test('events stay in seq order while blocks hold neighbours of a group, each within its bounds', () => {
    const records = Array.from({ length: 400 }, (_, at) =>
      anEnvelope(
        envelopeOf([
          'event',
          { message: `${at % 2 === 0 ? 'even' : 'odd'} thing`, extra: { at, fill: 'x'.repeat(200) } },
        ]),
      ),
    )
    const batch = processRecords(records)
    assert.deepEqual(
      eventsOf(batch).map(({ row }) => Number(row.seq)),
      records.map((_, at) => at + 1),
    )
    assert.deepEqual(
      eventsOf(batch).map((_, at) => eventOfBatch(batch, at).extra?.at),
      records.map((_, at) => at),
    )
    assert.equal(blocksOf(batch).length, Math.ceil(400 / max('blockEventsMax')))
    const ofFirstBlock = new Set(
      eventsOf(batch)
        .filter(({ block }) => block === 0)
        .map(({ row }) => row.groupHash),
    )
    assert.equal(ofFirstBlock.size, 1)
  })

  test('events of a project that is gone are counted for the installation', () => {
    const batch = processRecords([
      anEnvelope(envelopeOf(['event', { message: 'm' }]), { projectId: projectId(8) }),
    ])
    assert.deepEqual(outcomesOf(batch), ['invalid unknown_key error 1'])
    assert.equal(batch.outcomes[0]?.projectId, null)
    assert.deepEqual(batch.parts, [])
  })

  test('items of a project that is gone count as many as they hold, whatever they say', () => {
    const gone = { projectId: projectId(8) }
    const span = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), start_timestamp: 1, end_timestamp: 2 }
    const items = [1, 2, 3].map((at) => ({
      ...span,
      span_id: `${at}`.repeat(16),
      name: 'GET /',
      is_segment: true,
    }))
    const discarded = [{ reason: 'sample_rate', category: 'error', quantity: 4 }]
    const records = (of: object) => [
      anEnvelope(envelopeOf(['span', { items }]), of),
      anEnvelope(envelopeOf(['client_report', { timestamp: 1, discarded_events: discarded }]), of),
      anEnvelope(envelopeOf(['nobody_knows', {}]), of),
    ]
    const batch = processRecords(records(gone))
    const quantities = (all: readonly { readonly category: string; readonly quantity: number }[]) =>
      all.map(({ category, quantity }) => `${category} ${quantity}`).sort()
    assert.deepEqual(quantities(batch.outcomes), ['default 1', 'error 4', 'span 3'])
    assert.ok(batch.outcomes.every((outcome) => outcome.projectId === null && outcome.keyId === null))
    assert.deepEqual(batch.parts, [])
  })

  test('what is packed for another thread unpacks to the same', () => {
    const batch = processRecords(
      [
        anEnvelope(envelopeOf(['event', { message: 'm' }])),
        anEnvelope('bad'),
        anEnvelope(envelopeOf(['event', { message: 'q' }])),
      ],
      {},
      [3],
    )
    const { message, transfer } = packBatch(batch, { kinds: KINDS, encoding: encodeRows })
    const unpacked = unpackBatch(structuredClone(message, { transfer }), KINDS)
    const plain = ({ parts, quarantined, range, outcomes }: Comparable) => ({
      ...{ range, outcomes },
      blocks: parts.map(({ kind, blocks }) => [
        kind,
        blocks.map((block) => ({ ...block, compressed: [...block.compressed] })),
      ]),
      quarantined: quarantined.map((one) => ({ ...one, body: [...one.body] })),
    })
    assert.deepEqual(plain(unpacked), plain(batch))
    const [part] = unpacked.parts
    assert.ok(part !== undefined)
    assert.deepEqual(
      eventsOf(batch).map((_, place) => eventIdAt(part.columns, place)),
      eventsOf(batch).map(({ row }) => row.eventId),
    )
    assert.equal(
      Buffer.from(part.lines).toString('utf8'),
      eventsOf(batch)
        .map(({ row }) => writtenRow(ERRORS, row).line)
        .join(''),
    )
    assert.equal(message.bytes.length, 0, 'the buffer was moved, not copied')
  })
})

test('a failure names the envelope and quotes nothing of it', () => {
  const failure = new ProcessFailure(seq(5), new TypeError('cannot read "hunter2"'))
  assert.equal(failure.seq, 5)
  assert.ok(!failure.message.includes('hunter2') && failure.message.includes('TypeError'))
})

describe('a process thread', () => {
  test('reads its range of the journal by itself, answers a packed batch, and survives a range it cannot read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-process-'))
    const { port1, port2 } = new MessageChannel()
    const journal = await openJournal({ directory, clock: systemClock, appliedSeq: seq(0), log: silentLog })
    try {
      await journal.append(
        anEnvelope(zlib.gzipSync(envelopeOf(['event', { message: 'from the journal' }])), {
          encodings: ['gzip'],
        }),
      )
      await journal.append(anEnvelope('bad'))
      const range = journal.takeRange(10, 1_000_000)
      assert.ok(range !== null)
      runWorkerLoop(port2, { log: silentLog, kinds: KINDS, encoding: encodeRows })
      const ask = async (request: WorkerRequest): Promise<WorkerAnswer> => {
        port1.postMessage(request)
        const [answer] = (await once(port1, 'message')) as [WorkerAnswer] // what the loop posts
        return answer
      }
      port1.postMessage({ type: 'directory', directory: directoryWith() } satisfies WorkerRequest)
      const lost = await ask({
        type: 'range',
        range: { ...range, file: join(directory, 'absent') },
        quarantine: [],
      })
      assert.ok(lost.type === 'failure' && lost.seq === null && lost.firstSeq === range.firstSeq)
      const answer = await ask({ type: 'range', range, quarantine: [] })
      assert.ok(answer.type === 'batch')
      const [plain, compressed] = answer.works
      assert.deepEqual([plain?.form, compressed?.form], ['plain', 'compressed'])
      assert.ok((plain?.ms ?? 0) > 0 && (compressed?.bytes ?? 0) > 0, 'what each key took is told')
      const batch = unpackBatch(answer.packed, KINDS)
      const [block] = blocksOf(batch)
      assert.ok(block !== undefined && batch.parts[0]?.columns.count === 1)
      assert.match(zlib.zstdDecompressSync(block.compressed).toString('utf8'), /"message":"from the journal"/)
      assert.deepEqual(outcomesOf(batch), ['invalid invalid_envelope default 1'])
    } finally {
      port1.close()
      await journal.close()
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
