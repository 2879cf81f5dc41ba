import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { day, seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { PayloadSegments } from '#ports/telemetry.ts'
import type { PayloadCare, RewritePayloads } from '#store/embedded/care/stores/payloads.ts'
import { aBlock, aPayload } from '../../builders/payload-block.ts'

const FILE: FileName = { kind: 'error', day: day(20_000), retentionDays: 90 }

export type PayloadStore = PayloadSegments & PayloadCare

/** Rewriting and removing files. */
export function payloadUpkeepTests(
  openIn: (
    t: TestContext,
  ) => Promise<{ readonly store: () => PayloadStore; reopen(): Promise<PayloadStore> }>,
): void {
  const text = async (store: PayloadStore, number: number) => {
    const { projectId, eventId } = aPayload(number)
    const bytes = await store.read(FILE, projectId, eventId)
    return bytes === null ? null : Buffer.from(bytes).toString()
  }
  const options = (change: Partial<RewritePayloads> = {}): RewritePayloads => ({
    upToSeq: seq(1_000),
    keysOf: ({ entries }) => entries.map((entry) => entry.eventId),
    allGo: () => false,
    pause: async () => {},
    guard: (exchange) => exchange(),
    ...change,
  })
  const fill = async (store: PayloadStore, numbers: readonly number[]) => {
    for (const number of numbers) await store.append([aBlock(FILE, [aPayload(number)])])
  }

  it('rewrites a file: every payload that stays byte for byte, the others gone', async (t) => {
    const { store, reopen } = await openIn(t)
    await fill(store(), [1, 2, 3, 4, 5, 6])
    for (const number of [1, 2]) assert.ok((await text(store(), number)) !== null)
    const bytes = await store().bytes()
    const keysOf: RewritePayloads['keysOf'] = ({ entries }) =>
      entries.map((entry) => (entry.seq % 2 === 0 ? String(10 - entry.seq) : null))
    const rewritten = await store().rewrite(FILE, options({ keysOf }))
    assert.equal(rewritten.items, 3)
    assert.equal(rewritten.bytes, await store().bytes())
    assert.ok(rewritten.bytes < bytes)
    const check = async (of: PayloadStore) => {
      for (const number of [1, 3, 5]) assert.equal(await text(of, number), null)
      for (const number of [2, 4, 6]) assert.equal(await text(of, number), aPayload(number).text)
    }
    await check(store())
    await check(await reopen())
  })

  it('rewrites a file with items as they are from now on, and finds them and their rows', async (t) => {
    const { store, reopen } = await openIn(t)
    await fill(store(), [1, 2, 3])
    const change = {
      payload: Buffer.from('{"as":"written"}'.repeat(900)),
      rowRecord: Buffer.from('[1,2,"x"]'),
    }
    const changesOf: RewritePayloads['changesOf'] = ({ entries }) =>
      entries.map((entry) => (entry.seq === 2 ? change : null))
    const keysOf: RewritePayloads['keysOf'] = ({ entries }) => entries.map((entry) => String(9 - entry.seq))
    await store().rewrite(FILE, options({ keysOf, changesOf, upToSeq: seq(2) }))
    for (const each of [store(), await reopen()]) {
      for (const number of [1, 3]) assert.equal(await text(each, number), aPayload(number).text)
      assert.equal(await text(each, 2), change.payload.toString())
      const { projectId, eventId } = aPayload(2)
      const [record] = await each.records(FILE, [{ projectId, eventId: eventId ?? assert.fail() }], 1_000_000)
      assert.equal(Buffer.from(record?.text ?? []).toString(), '[1,2,"x"]')
    }
  })

  it('takes over blocks beyond the seq as they are, and can still cut them off', async (t) => {
    const { store } = await openIn(t)
    await fill(store(), [1, 2, 3, 4])
    await store().rewrite(
      FILE,
      options({ upToSeq: seq(2), keysOf: ({ entries }) => entries.map(() => null) }),
    )
    assert.equal(await text(store(), 2), null)
    assert.equal(await text(store(), 3), aPayload(3).text)
    await store().truncateBeyond(seq(3))
    assert.equal(await text(store(), 4), null)
    assert.equal(await text(store(), 3), aPayload(3).text)
  })

  it('reads and appends while a file is rewritten, and never answers another event’s bytes', async (t) => {
    const { store } = await openIn(t)
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
    await fill(store(), numbers)
    for (const number of numbers) await text(store(), number)
    let reads: Promise<unknown>[] = []
    const guard = async (exchange: () => Promise<void>) => {
      const read = async (number: number) => assert.equal(await text(store(), number), aPayload(number).text)
      reads = numbers.map(read)
      const appended = store().append([aBlock(FILE, [aPayload(99)])])
      await Promise.all([exchange(), appended])
      reads.push(...numbers.map(read))
    }
    await store().rewrite(FILE, options({ guard }))
    await Promise.all(reads)
    assert.equal(await text(store(), 99), aPayload(99).text)
  })

  it('leaves the old file when the exchange is refused, and nothing of the new one after the next recovery', async (t) => {
    const { store, reopen } = await openIn(t)
    await fill(store(), [1, 2])
    const refused = store().rewrite(
      FILE,
      options({
        guard: async () => {
          throw new Error('held')
        },
      }),
    )
    await assert.rejects(refused, /held/)
    assert.equal(await text(store(), 1), aPayload(1).text)
    const reopened = await reopen()
    await reopened.truncateBeyond(seq(2))
    assert.deepEqual(await reopened.files(), [FILE])
    assert.equal(await text(reopened, 2), aPayload(2).text)
  })

  it('removes a file, makes none by reading, and begins a new one by appending', async (t) => {
    const { store } = await openIn(t)
    await fill(store(), [1])
    await store().remove(FILE)
    await store().remove(FILE)
    assert.equal(await text(store(), 1), null)
    assert.deepEqual(await store().files(), [])
    await fill(store(), [2])
    assert.deepEqual([await text(store(), 1), await text(store(), 2)], [null, aPayload(2).text])
  })
}
