/** Promises of every store of payloads, as tests over real files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { day, type EventId, type ProjectId, projectId, type Seq, seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import type { PayloadCare } from '#store/embedded/care/stores/payloads.ts'
import { aBlock, aPayload, type PayloadSpec } from '../../builders/payload-block.ts'
import { type PayloadStore, payloadUpkeepTests } from './upkeep.ts'

export type OpenPayloads = (directory: string) => PayloadStore | Promise<PayloadStore>

const FILE: FileName = { kind: 'error', day: day(20_000), retentionDays: 90 }
const OTHER: FileName = { kind: 'error', day: day(20_001), retentionDays: 30 }

export function payloadsContract(name: string, open: OpenPayloads): void {
  const openIn = async (t: TestContext) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-payloads-'))
    let store = await open(directory)
    t.after(async () => {
      await store.close()
      await rm(directory, { recursive: true })
    })
    return {
      store: () => store,
      async reopen() {
        await store.close()
        store = await open(directory)
        return store
      },
    }
  }

  describe(`payloads: ${name}`, () => {
    payloadUpkeepTests(openIn)

    it('gives back each event byte for byte, before and after a restart', async (t) => {
      const { store, reopen } = await openIn(t)
      const specs = [1, 2, 3, 4, 5].map((number) => aPayload(number))
      await store().append([aBlock(FILE, specs.slice(0, 3)), aBlock(FILE, specs.slice(3))])
      for (const spec of specs) assert.deepEqual(await readText(store(), FILE, spec), spec.text)
      const reopened = await reopen()
      for (const spec of specs) assert.deepEqual(await readText(reopened, FILE, spec), spec.text)
      assert.ok((await reopened.bytes()) > 0)
    })

    it('appends to an index that a read has made', async (t) => {
      const { store } = await openIn(t)
      const specs = Array.from({ length: 40 }, (_, number) => aPayload(number + 1))
      for (const spec of specs) {
        await store().append([aBlock(FILE, [spec])])
        assert.equal(await readText(store(), FILE, spec), spec.text)
      }
      assert.equal(await readText(store(), FILE, specs[0] ?? aPayload(1)), specs[0]?.text)
    })

    it('answers null for an event, project or file that is not there', async (t) => {
      const { store } = await openIn(t)
      const spec = aPayload(1)
      await store().append([aBlock(FILE, [spec])])
      assert.equal(await readText(store(), FILE, aPayload(2)), null)
      assert.equal(await readText(store(), OTHER, spec), null)
      assert.equal(await store().read(FILE, projectId(99), spec.eventId), null)
      assert.deepEqual(await store().files(), [FILE])
    })

    it('cannot reach what was left out of a block, nor keeps a block of which all was left out', async (t) => {
      const { store } = await openIn(t)
      const [kept, left] = [aPayload(1), aPayload(2)]
      const { block, entries } = aBlock(FILE, [kept, left])
      await store().append([
        { block, entries: entries.slice(0, 1) },
        { ...aBlock(OTHER, [left]), entries: [] },
      ])
      assert.equal(await readText(store(), FILE, kept), kept.text)
      assert.equal(await readText(store(), FILE, left), null)
      assert.deepEqual(await store().files(), [FILE])
    })

    it('cuts at the boundary of a batch, though seqs interleave between its blocks', async (t) => {
      const { store, reopen } = await openIn(t)
      const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((number) => aPayload(number))
      assert.ok(one && two && three && four && five)
      await store().append([aBlock(FILE, [one, four]), aBlock(FILE, [two]), aBlock(OTHER, [three])])
      await store().append([aBlock(FILE, [five])])
      await store().truncateBeyond(seq(4))
      assert.deepEqual(await seqsOf(store(), FILE), [1, 4, 2])
      assert.equal(await readText(store(), FILE, five), null)
      assert.equal(await readText(store(), OTHER, three), three.text)
      await store().append([aBlock(FILE, [five])])
      assert.equal(await readText(store(), FILE, five), five.text)
      const reopened = await reopen()
      await reopened.truncateBeyond(seq(0))
      assert.deepEqual(await seqsOf(reopened, FILE), [])
      assert.deepEqual(await seqsOf(reopened, OTHER), [])
    })

    it('names the newest batches of a file, and none of a file that is not there', async (t) => {
      const { store } = await openIn(t)
      assert.deepEqual(await store().newestBatches(FILE, 2), [])
      const [first, second, third] = [1, 2, 3].map((number) => aPayload(number))
      assert.ok(first !== undefined && second !== undefined && third !== undefined)
      await store().append([aBlock(FILE, [first])])
      await store().append([aBlock(FILE, [second]), aBlock(FILE, [third])])
      const [older, newer] = [
        { firstSeq: 1, lastSeq: 1 },
        { firstSeq: 2, lastSeq: 3 },
      ]
      assert.deepEqual(await store().newestBatches(FILE, 1), [newer])
      assert.deepEqual(await store().newestBatches(FILE, 5), [newer, older])
      await store().truncateBeyond(seq(2))
      assert.deepEqual(await store().newestBatches(FILE, 5), [older])
    })

    it('scans events in order, and from a seq on only the batches beyond it', async (t) => {
      const { store } = await openIn(t)
      for (const seqs of [[1, 2], [3, 4], [5]])
        await store().append([
          aBlock(
            FILE,
            seqs.map((at) => aPayload(at)),
          ),
        ])
      assert.deepEqual(await seqsOf(store(), FILE), [1, 2, 3, 4, 5])
      assert.deepEqual(await seqsOf(store(), FILE, seq(2)), [3, 4, 5])
      assert.deepEqual(await seqsOf(store(), FILE, seq(5)), [])
      assert.deepEqual(await seqsOf(store(), OTHER), [])
    })

    it('serves many reads and appends at once', async (t) => {
      const { store } = await openIn(t)
      const first = Array.from({ length: 60 }, (_, number) => aPayload(number + 1))
      await store().append(first.map((spec) => aBlock(FILE, [spec])))
      const later = Array.from({ length: 60 }, (_, number) => aPayload(number + 100))
      const [texts] = await Promise.all([
        Promise.all(first.map((spec) => readText(store(), FILE, spec))),
        Promise.all(later.map((spec) => store().append([aBlock(FILE, [spec])]))),
      ])
      assert.deepEqual(
        texts,
        first.map(({ text }) => text),
      )
      for (const spec of later) assert.equal(await readText(store(), FILE, spec), spec.text)
      assert.equal(await readText(store(), FILE, aPayload(999)), null)
    })

    it('keeps more files than are held open', async (t) => {
      const { store } = await openIn(t)
      const files = Array.from({ length: 50 }, (_, at) => ({
        kind: 'error',
        day: day(20_000 + at),
        retentionDays: 90 as const,
      }))
      const specs = files.map((_, at) => aPayload(at + 1))
      for (const [at, file] of files.entries()) {
        await store().append([aBlock(file, specs.slice(at, at + 1))])
      }
      const texts = await Promise.all(
        files.map((file, at) => readText(store(), file, specs[at] ?? aPayload(1))),
      )
      assert.deepEqual(
        texts,
        specs.map(({ text }) => text),
      )
      assert.deepEqual(await store().files(), [...files].reverse())
    })
  })
}

async function readText(
  store: PayloadCare,
  file: FileName,
  of: { readonly projectId: ProjectId; readonly eventId: EventId },
): Promise<PayloadSpec['text'] | null> {
  const bytes = await store.read(file, of.projectId, of.eventId)
  return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

async function seqsOf(store: PayloadCare, file: FileName, afterSeq?: Seq): Promise<Seq[]> {
  const events: BlockEntry[] = []
  for await (const event of store.scan(file, afterSeq)) events.push(event)
  return events.map((event) => event.seq)
}
