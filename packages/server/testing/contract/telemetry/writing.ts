import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { day, type Seq, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { EventReads } from '#ports/telemetry.ts'
import { randomEventId, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** Each test has days of its own: seqs of the store only grow. */
export function writingTests({ store, reopen, append }: StoreUnderTest): void {
  it('gives back every row exactly as it was, whatever its texts hold', async () => {
    let number = 100
    const awkward = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
      fc.constantFrom('', ' ', '\x1a', '\x1d', '\x1e', '\x1f', 'a\x1fb', "'", '"', '\\', '\\e', '=', 'null'),
      fc.constantFrom('\r\n', '\u2028', '😀👩‍👩‍👧', 'é́', '$1', '%_*', '[]', '{}', 'x'.repeat(16_384)),
    )
    const nullable = fc.option(awkward)
    const rowOf = fc.record({
      title: awkward,
      culprit: awkward,
      environment: nullable,
      release: nullable,
      dist: nullable,
      transaction: nullable,
      url: nullable,
      user: nullable,
      people: fc.array(awkward, { maxLength: 4 }),
      route: nullable,
      sdk: nullable,
      handled: fc.option(fc.boolean()),
      isMirror: fc.boolean(),
      timestampMs: fc.double({ min: 0, max: 4e12, noNaN: true }).map((value) => value + 0),
      tags: fc.oneof(
        fc.array(fc.tuple(fc.oneof(awkward, fc.constantFrom('url', 'user', 'route', 'handled')), awkward), {
          maxLength: 6,
        }),
        // In order and with keys that columns have too.
        fc.constantFrom<EventRow['tags']>(
          [
            ['handled', 'yes'],
            ['level', 'error'],
            ['url', 'https://shop.example.com/orders/7'],
          ],
          [
            ['environment', 'production'],
            ['handled', 'no'],
            ['plan', 'a\x1bb\x1dc'],
            ['user', ''],
          ],
        ),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf, { minLength: 1, maxLength: 8 }), async (contents) => {
        const rows = contents.map((content) => anEventRow({ ...content, seq: seq(++number) }))
        await append(rows, seq(number))
        for (const row of rows) assert.deepEqual(await readRow(store(), row), row)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps numbers exact up to the greatest seq and to a fraction of a millisecond', async () => {
    const file = { kind: 'error', day: day(FIRST_DAY + 1), retentionDays: 30 as const }
    const row = anEventRow({
      ...placeInFile(file),
      seq: seq(Number.MAX_SAFE_INTEGER),
      timestampMs: 1_728_000_000_123.4568,
    })
    await append([row], row.seq)
    assert.deepEqual(await readRow(store(), row), row)
  })

  it('replaces what UTF-8 cannot hold instead of refusing the batch', async () => {
    const at = { day: day(FIRST_DAY + 2), seq: seq(1) }
    const row = anEventRow({ ...at, title: 'half \ud800 a pair', tags: [['k', '\udfff']] })
    const separated = anEventRow({ ...at, title: 'a\x1fb \ud800', tags: [['k\x1e', '\udfff']] })
    await append([row, separated], seq(1))
    assert.equal((await readRow(store(), row))?.title, 'half \ufffd a pair')
    assert.deepEqual((await readRow(store(), separated))?.tags, [['k\x1e', '\ufffd']])
  })

  it('stores a batch once however often it is appended', async () => {
    const file = { kind: 'error', day: day(FIRST_DAY + 3), retentionDays: 90 as const }
    const batch = rowsOf(file, [1, 2, 3])
    await append(batch, seq(5))
    await append(batch, seq(5))
    assert.equal(await countRows(store(), file), 3)
  })

  it('completes a batch that reached only some of its files', async () => {
    const one = { kind: 'error', day: day(FIRST_DAY + 4), retentionDays: 90 as const }
    const other = { kind: 'error', day: day(FIRST_DAY + 4), retentionDays: 30 as const }
    const [first, second] = [rowsOf(one, [1, 3]), rowsOf(other, [2, 4])]
    await append(first, seq(4))
    await append([...first, ...second], seq(4))
    assert.equal(await countRows(store(), one), 2)
    assert.equal(await countRows(store(), other), 2)
  })

  it('removes what lies beyond a seq, and takes it again', async () => {
    const file = { kind: 'error', day: day(FIRST_DAY + 5), retentionDays: 90 as const }
    // Beyond every seq that other tests use, so that only this file is touched.
    const base = Number.MAX_SAFE_INTEGER - 1_000
    const [kept, lost] = [rowsOf(file, [base, base + 1]), rowsOf(file, [base + 2, base + 3])]
    await append(kept, seq(base + 1))
    await append(lost, seq(base + 3))
    await store().removeBeyond(seq(base + 1))
    await store().removeBeyond(seq(base + 1))
    assert.deepEqual(await seqsOf(store(), file), [base + 1, base])
    await append(lost, seq(base + 3))
    assert.deepEqual(await seqsOf(store(), file), [base + 3, base + 2, base + 1, base])
  })

  it('keeps everything over a restart and names its files newest first', async () => {
    const file = { kind: 'error', day: day(FIRST_DAY + 6), retentionDays: 365 as const }
    const rows = rowsOf(file, [7, 8])
    await append(rows, seq(8))
    const before = await store().files()
    const reopened = await reopen()
    assert.deepEqual(await reopened.files(), before)
    assert.deepEqual(
      before,
      [...before].sort((a, b) => b.day - a.day || b.retentionDays - a.retentionDays),
    )
    assert.deepEqual(await seqsOf(reopened, file), [8, 7])
    await append(rows, seq(8))
    assert.equal(await countRows(reopened, file), 2)
    assert.ok((await reopened.bytes()) > 0)
  })

  it('does nothing for a batch without rows', async () => {
    const before = await store().files()
    await append([], seq(10))
    assert.deepEqual(await store().files(), before)
  })
}

function rowsOf(file: FileName, seqs: readonly number[]): EventRow[] {
  return seqs.map((number) =>
    anEventRow({
      ...placeInFile(file),
      seq: seq(number),
      eventId: randomEventId(),
      timestampMs: 1_728_000_000_000 + (number % 1_000),
    }),
  )
}

function readRow(store: EventReads<EventRow>, { day, retentionDays, projectId, eventId }: EventRow) {
  return store.event(aScope(projectId), { kind: 'error', day, retentionDays }, projectId, eventId)
}

async function countRows(store: EventReads<EventRow>, file: FileName): Promise<number> {
  return (await seqsOf(store, file)).length
}

async function seqsOf(store: EventReads<EventRow>, file: FileName): Promise<readonly Seq[]> {
  const groups = [{ projectId: SHOP, hash: anEventRow().groupHash }]
  const page = await store.events(aScope(SHOP), { groups, files: [file] }, { limit: 1_000, cursor: null })
  return page.rows.map((row) => row.seq)
}
