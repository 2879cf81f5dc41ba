/** Attachments on a disk that is full, or fails, between any two steps. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createAccept } from '#accept/accept.ts'
import { SAMPLE_SHOP, SHOP_KEY, sampleDirectory } from '#accept/sample-directory.ts'
import { systemClock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { ErrataError } from '#base/errors.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { JournalRecord } from '#model/record.ts'
import { openLargeBlobs } from '#store/blobs/large-blobs.ts'

const ID = 'a'.repeat(32)
const SIZES = [100, 3 * max('blobPieceBytes')]

function envelope(bytes: number): Buffer {
  const event = `{"event_id":"${ID}"}\n{"type":"event"}\n{"event_id":"${ID}","message":"m"}\n`
  const head = `{"type":"attachment","length":${bytes},"filename":"a.bin"}\n`
  return Buffer.concat([Buffer.from(event + head), Buffer.alloc(bytes, 'x'), Buffer.from('\n')])
}

/** An accept step over a journal and a disk that refuse at a step. */
async function aStep(directory: string, failing: { step: string | null }) {
  const done: string[] = []
  const reach = (step: string) => {
    if (failing.step === step) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    done.push(step)
  }
  const disk: Disk = {
    ...nodeDisk,
    async create(path) {
      reach('create')
      const file = await nodeDisk.create(path)
      return {
        writesAreDurable: false,
        read: (...of) => file.read(...of),
        async write(...of) {
          reach(done.includes('write') ? 'later write' : 'write')
          await file.write(...of)
        },
        async sync() {
          reach('sync')
          await file.sync()
        },
        truncate: (bytes) => file.truncate(bytes),
        size: () => file.size(),
        close: () => file.close(),
      }
    },
    async rename(from, to) {
      reach('rename')
      await nodeDisk.rename(from, to)
    },
  }
  const records: JournalRecord[] = []
  const blobs = await openLargeBlobs({ directory, disk })
  const accept = createAccept({
    journal: {
      async append(record) {
        if (failing.step === 'journal') throw new ErrataError('overloaded', 'the disk is full')
        // Counted refusals come when they come.
        if (record.type === 'envelope') {
          done.push('journal')
          records.push(record)
        }
        return seq(records.length)
      },
    },
    ...{ directory: sampleDirectory(), blobs, clock: systemClock, random: systemRandom, log: silentLog },
  })
  const described = {
    ...{ projectRef: String(SAMPLE_SHOP), query: new URLSearchParams({ sentry_key: SHOP_KEY }) },
    format: 'envelope',
    ...{ sentryAuth: null, authorization: null, contentEncoding: null, contentType: null, origin: null },
    ...{ referer: null, userAgent: null, clientAddress: '192.0.2.1', relay: null },
  } as const
  async function* pieces(body: Buffer) {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
  }
  const send = (body: Buffer) =>
    body.length < max('largeBodyBytesMin')
      ? accept.accept({ ...described, body })
      : accept.acceptLarge(described, { pieces: pieces(body), hold: () => true })
  return { send, records, done, blobs, accept }
}

describe('an attachment on a disk that refuses', () => {
  for (const bytes of SIZES) {
    for (const step of ['create', 'write', 'later write', 'sync', 'rename', 'journal']) {
      if (step === 'later write' && bytes < max('blobPieceBytes')) continue
      it(`at "${step}" is answered 503, leaves nothing half written, and is stored once when it comes again (${bytes} bytes)`, async (t) => {
        const directory = await mkdtemp(join(tmpdir(), 'errata-full-'))
        t.after(() => rm(directory, { recursive: true }))
        const failing: { step: string | null } = { step }
        const { send, records, done, blobs, accept } = await aStep(directory, failing)
        t.after(() => accept.close())
        const refused = await send(envelope(bytes))
        assert.deepEqual([refused.status, records.length], [503, 0])
        assert.deepEqual(
          readdirSync(directory).filter((name) => name.startsWith('.writing-')),
          [],
        )
        failing.step = null
        done.length = 0
        assert.equal((await send(envelope(bytes))).status, 200)
        assert.deepEqual(
          done.slice(-3),
          ['sync', 'rename', 'journal'],
          'on the disk before it is named and journaled',
        )
        const [record] = records
        assert.ok(record?.type === 'envelope' && record.setAside?.length === 1)
        const names: string[] = []
        for (const area of await blobs.areas())
          for await (const { name } of blobs.list(area)) names.push(name)
        assert.deepEqual(names, [record.setAside[0]?.name])
        assert.equal(await blobs.bytes(names[0] ?? ''), bytes)
      })
    }
  }
})
