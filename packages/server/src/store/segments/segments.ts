/** Payloads and row records: zstd blocks in one append-only file per kind, day of receipt and retention class. */
import { promisify } from 'node:util'
import { crc32, zstdDecompress } from 'node:zlib'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { assert, ErrataError } from '#base/errors.ts'
import { type EventId, type ProjectId, type Seq, seq as seqOf } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Damage } from '#model/damage.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { FileBytes } from '#ports/care.ts'
import type { AppendedBlock, BlockEntry, EventPlace, RowRecord } from '#ports/telemetry.ts'
import type {
  PayloadCare,
  RewritePayloads,
  StoredBatch,
  UnpackedBlock,
} from '#store/embedded/care/stores/payloads.ts'
import type { VerifyPlace, VerifyStep } from '#store/embedded/care/stores/verify-files.ts'
import { BlockCache } from './block-cache.ts'
import type { BlockIndex } from './block-index.ts'
import {
  type BlockHeader,
  blockEnd,
  encodeBlock,
  findEntry,
  readBlockEntries,
  SEGMENT_HEADER_BYTES,
} from './format.ts'
import { Gate } from './gate.ts'
import { type FileIndex, type OpenFile, OpenFiles } from './open-files.ts'
import { type RecordSource, readRecords } from './read-records.ts'
import { copyTail, rewriteBlocks } from './rewrite-file.ts'
import type { SegmentFile } from './segment-file.ts'
import { verifySlice } from './verify-slice.ts'

const unpack = promisify(zstdDecompress)
/** The least that zlib takes as the size of a piece. */
const UNPACK_BYTES_MIN = 64

/**
 * Opens the payload files of `directory`, made where absent and readable by its owner alone. After a failed append
 * further ones are refused until `truncateBeyond` has put the files in order.
 */
export function openSegments(options: {
  readonly directory: string
  readonly log: Log
  readonly disk?: Disk
  /** Hears of a file in which a read met damage. */
  readonly onDamage?: OnDamage
}): PayloadCare {
  return new Segments(new OpenFiles(options.directory, options.disk ?? nodeDisk), options)
}

type OnDamage = (damage: Damage) => void

class Segments implements PayloadCare {
  readonly #files: OpenFiles
  readonly #log: Log
  readonly #onDamage: OnDamage
  readonly #cache = new BlockCache()
  readonly #reads = new Gate(max('payloadReadsMax'))
  /** Appends and cuts, one after the other. */
  readonly #writes = new Gate(1)
  #failed = false
  #rewriting = false
  /** By stem: the last seq of the batch at the end of a file, as recovery found it. Absent once the file changed. */
  readonly #endSeqs = new Map<string, number>()
  /** Names files in the cache: one that was rewritten has other blocks at the same places. */
  readonly #cacheNames = new WeakMap<SegmentFile, string>()
  #named = 0

  /** By stem: how often a file was written anew. */
  readonly #versions = new Map<string, number>()

  constructor(
    files: OpenFiles,
    { log, onDamage = () => {} }: { readonly log: Log; readonly onDamage?: OnDamage },
  ) {
    this.#files = files
    this.#log = log
    this.#onDamage = onDamage
  }

  append(blocks: readonly AppendedBlock[]): Promise<void> {
    return this.#writes.pass(async () => {
      assert(!this.#failed, 'payloads are put in order after a failed append')
      const batchLastSeq = seqOf(blocks.flatMap(({ entries }) => entries).reduce(greaterSeq, 0))
      try {
        await this.#appendTo([...groupBlocksByFile(blocks).values()], batchLastSeq, [])
      } catch (error) {
        this.#failed = true
        await this.#files.drop()
        throw error
      }
    })
  }

  truncateBeyond(seq: Seq): Promise<void> {
    return this.#writes.pass(async () => {
      this.#cache.clear()
      this.#endSeqs.clear()
      await this.#files.drop()
      if (!this.#rewriting) await this.#files.removeFresh()
      for (const file of this.#files.names()) {
        await this.#files.use(file, ({ segment }) => this.#cut(segment, seq))
      }
      // Indices made before the cut would name blocks that are gone.
      await this.#files.drop()
      this.#failed = false
    })
  }

  read(file: FileName, project: ProjectId, id: EventId): Promise<Uint8Array | null> {
    return this.#inFile(file, null, async ({ segment }, { blocks, damaged }) => {
      for (const start of blocks.find(project, id)) {
        const found = await segment.blockAt(start)
        if (found === null) throw this.#damaged(file, start)
        const entry = findEntry(found.header, project, id)
        if (entry === null) continue
        if (entry.bytes === 0) return new Uint8Array()
        const body = await this.#unpacked(segment, found.block)
        // A copy: the block stays in the cache, and a view would take all of it across threads.
        return body.slice(entry.offset, entry.offset + entry.bytes)
      }
      if (damaged) throw this.#damaged(file, null)
      return null
    })
  }

  records(
    file: FileName,
    events: readonly EventPlace[],
    bytesMax: number,
  ): Promise<readonly (RowRecord | null)[]> {
    const none = events.map(() => null)
    return this.#inFile(file, none, async ({ segment }, { blocks, damaged }) => {
      const records = await readRecords(this.#sourceOf(segment, blocks), events, bytesMax)
      // It may have been in the part that cannot be read.
      if (damaged && records.includes(null)) throw this.#damaged(file, null)
      return records
    })
  }

  #sourceOf(segment: SegmentFile, index: BlockIndex): RecordSource {
    return {
      index,
      blockAt: async (start) => {
        const found = await segment.blockAt(start)
        if (found === null) throw this.#damaged(segment.file, start)
        return found
      },
      isCached: (block) => this.#cache.get(this.#cacheKey(segment, block)) !== undefined,
      unpacked: (block) => this.#unpacked(segment, block),
    }
  }

  /** Reads of a file with its index, `absent` where there is none; at most `payloadReadsMax` at once. */
  async #inFile<T>(
    file: FileName,
    absent: T,
    work: (open: OpenFile, index: FileIndex) => Promise<T>,
  ): Promise<T> {
    if (!this.#files.has(file)) return absent
    return this.#reads.pass(async () => {
      // Looked at again after waiting: reading never makes a file.
      if (!this.#files.has(file)) return absent
      return this.#files.use(file, async (open) => work(open, await this.#files.index(open)))
    })
  }

  verify(file: FileName, place: VerifyPlace | null): Promise<VerifyStep> {
    const version = this.#versions.get(fileStem(file)) ?? 0
    const isAnew = place !== null && place.version !== version
    if (!this.#files.has(file)) return Promise.resolve({ next: null, bytes: 0, damagedAt: [], isAnew })
    return this.#files.use(file, async ({ segment }) => {
      const { next, ...found } = await verifySlice(segment, place === null || isAnew ? 0 : place.at)
      return { ...found, isAnew, next: next === null ? null : { at: next, version } }
    })
  }

  async *scan(
    file: FileName,
    afterSeq: Seq = seqOf(0),
    onDamage: () => void = () => {},
  ): AsyncGenerator<BlockEntry> {
    const endSeq = this.#endSeqs.get(fileStem(file))
    if ((endSeq !== undefined && endSeq <= afterSeq) || !this.#files.has(file)) return
    const open = await this.#files.acquire(file)
    try {
      if (await this.#endsBefore(open.segment, afterSeq)) return
      let expected = SEGMENT_HEADER_BYTES
      for await (const { block, header } of open.segment.blocks()) {
        if (block.start !== expected) onDamage()
        expected = blockEnd(block)
        if (block.batchLastSeq > afterSeq) yield* readBlockEntries(header)
      }
      if (expected !== open.segment.end) onDamage()
    } finally {
      await this.#files.release(open)
    }
  }

  async *blocks(file: FileName, onDamage: (start: number) => void): AsyncGenerator<UnpackedBlock> {
    if (!this.#files.has(file)) return
    const open = await this.#files.acquire(file)
    try {
      let expected = SEGMENT_HEADER_BYTES
      for await (const { block, header } of open.segment.blocks()) {
        if (block.start !== expected) onDamage(expected)
        expected = blockEnd(block)
        const body = await unpackedBody(open.segment, block)
        const batchLastSeq = seqOf(block.batchLastSeq)
        if (body === null) onDamage(block.start)
        else yield { entries: readBlockEntries(header), body, batchLastSeq }
      }
      if (expected !== open.segment.end) onDamage(expected)
    } finally {
      await this.#files.release(open)
    }
  }

  async newestBatches(file: FileName, limit: number): Promise<readonly StoredBatch[]> {
    if (!this.#files.has(file)) return []
    return this.#files.use(file, async ({ segment }) => {
      const batches = new Map<number, StoredBatch>()
      for (let end = segment.end; ; ) {
        const last = await segment.blockBefore(end)
        if (last === null) break
        const { batchLastSeq, firstSeq, start } = last.block
        const known = batches.get(batchLastSeq)
        if (known === undefined && batches.size === limit) break
        const first = seqOf(Math.min(firstSeq, known?.firstSeq ?? firstSeq))
        batches.set(batchLastSeq, { firstSeq: first, lastSeq: seqOf(batchLastSeq) })
        end = start
      }
      return [...batches.values()]
    })
  }

  async files(): Promise<readonly FileName[]> {
    return this.#files.names()
  }

  async bytes(): Promise<number> {
    return this.#files.bytes()
  }

  async fileBytes(): Promise<readonly FileBytes[]> {
    return this.#files.fileBytes()
  }

  async rewrite(file: FileName, options: RewritePayloads) {
    assert(!this.#rewriting, 'one payload file is rewritten at a time')
    this.#rewriting = true
    try {
      return await this.#files.use(file, (open) => this.#rewrite(open.segment, options))
    } finally {
      this.#rewriting = false
    }
  }

  remove(file: FileName): Promise<void> {
    return this.#writes.pass(() => {
      this.#endSeqs.delete(fileStem(file))
      return this.#files.remove(file)
    })
  }

  async close(): Promise<void> {
    await this.#writes.pass(() => this.#files.drop())
    this.#cache.clear()
  }

  /** Holds every file of the batch open, writes all, then syncs all. */
  async #appendTo(rest: readonly FileBlocks[], batchLastSeq: Seq, held: readonly Pending[]): Promise<void> {
    const [next, ...later] = rest
    if (next === undefined) {
      await this.#files.syncNames()
      return finishAppend(held)
    }
    this.#endSeqs.delete(fileStem(next.file))
    await this.#files.use(next.file, async (open) => {
      const parts = next.blocks.map(({ block, entries }) => encodeBlock(block, entries, batchLastSeq))
      const end = await open.segment.write(Buffer.concat(parts))
      const lengths = parts.map((part) => part.length)
      await this.#appendTo(later, batchLastSeq, [...held, { open, end, lengths, blocks: next.blocks }])
    })
  }

  async #rewrite(old: SegmentFile, options: RewritePayloads) {
    const fresh = await this.#files.makeFresh(old.file)
    const parts = {
      ...{ old, fresh },
      unpack: (block: BlockHeader) => unpackedBody(old, block),
    }
    try {
      const { tailStart, items, unread } = await rewriteBlocks(parts, options)
      const exchange = async () => {
        this.#endSeqs.delete(fileStem(old.file))
        // Opened anew where a failed commit was cut off meanwhile: its end is the true one.
        await this.#files.use(old.file, ({ segment }) => copyTail({ old: segment, fresh }, tailStart))
        await this.#files.swap(old.file, fresh)
        this.#versions.set(fileStem(old.file), (this.#versions.get(fileStem(old.file)) ?? 0) + 1)
      }
      await options.guard(() => this.#writes.pass(exchange))
      if (unread > 0) {
        this.#log.error('damaged parts of a payload file were taken over as they are', {
          file: fileStem(old.file),
          parts: unread,
        })
      }
      return { items, bytes: fresh.end, isEmpty: fresh.end === SEGMENT_HEADER_BYTES }
    } catch (error) {
      // The old file is untouched.
      await this.#files.dropFresh(old.file, fresh)
      throw error
    }
  }

  async #cut(segment: SegmentFile, seq: Seq): Promise<void> {
    const size = segment.end
    let end = size
    while (end > SEGMENT_HEADER_BYTES) {
      const last = await segment.blockBefore(end)
      if (last === null) {
        const start = await segment.damagedCommittedBefore(end, seq)
        if (start === null) end = await endOfCommitted(segment, seq)
        else this.#tellDamagedEnd(segment, end - start)
        break
      }
      if (last.block.batchLastSeq <= seq) {
        if (end === size) this.#endSeqs.set(fileStem(segment.file), last.block.batchLastSeq)
        break
      }
      end = last.block.start
    }
    if (end === size) return
    const lost = await segment.committedHeaderAt(end, seq)
    if (lost !== null) {
      this.#log.error('the end of a payload file is damaged: stored events are lost', {
        file: fileStem(segment.file),
        events: lost.count,
        bytes: size - end,
      })
    }
    await segment.truncate(end)
    this.#log.info('cut payload blocks of an unfinished batch', {
      file: fileStem(segment.file),
      bytes: size - end,
      beyond: seq,
    })
  }

  /** Reports a damaged end. What was committed stays: a backup may have it, and verification reports it. */
  #tellDamagedEnd({ file }: SegmentFile, bytes: number): void {
    const message = 'the end of a payload file is damaged: its events cannot be shown'
    this.#log.error(message, { file: fileStem(file), bytes })
  }

  /** Looks at the end of the file alone. */
  async #endsBefore(segment: SegmentFile, seq: Seq): Promise<boolean> {
    if (seq === 0) return false
    const last = await segment.blockBefore(segment.end)
    return last !== null && last.block.batchLastSeq <= seq
  }

  async #unpacked(segment: SegmentFile, block: BlockHeader): Promise<Uint8Array> {
    const key = this.#cacheKey(segment, block)
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const body = await unpackedBody(segment, block)
    if (body === null) throw this.#damaged(segment.file, block.start)
    this.#cache.add(key, body)
    return body
  }

  #cacheKey(segment: SegmentFile, { start }: BlockHeader): string {
    const name = this.#cacheNames.get(segment) ?? String(++this.#named)
    this.#cacheNames.set(segment, name)
    return `${name}:${start}`
  }

  /** Tells of the damage that a read met; answers the error for whoever asked. */
  #damaged(file: FileName, start: number | null): ErrataError {
    const where = start === null ? '' : ` in the block at byte ${start}`
    const effect = start === null ? 'the event may have been there' : 'its events cannot be shown'
    this.#onDamage({
      code: 'payloads_damaged',
      file,
      detail: start === null ? '' : `a block at byte ${start}`,
    })
    return new ErrataError('internal', `payload file ${fileStem(file)} is damaged${where}: ${effect}`)
  }
}

/** Returns the block's body; `null` if it is not what was written. */
async function unpackedBody(segment: SegmentFile, block: BlockHeader): Promise<Uint8Array | null> {
  const packed = await segment.body(block)
  if (packed.length !== block.bodyBytes || crc32(packed) !== block.bodyCrc) return null
  const length = Math.max(1, block.rawBytes)
  // In one piece: each of the default's 16 KB costs a turn of the pool, 15 ms instead of 1.2 for a block of 3.4 MB. One
  // byte more than needed: a piece that is full to the brim asks for another of its size, 7.2 ms instead of 2.1 at 12 MB.
  const body = await unpack(packed, {
    maxOutputLength: length,
    chunkSize: Math.max(UNPACK_BYTES_MIN, length + 1),
  })
  return body.length === block.rawBytes ? new Uint8Array(body.buffer, body.byteOffset, body.length) : null
}

interface FileBlocks {
  readonly file: FileName
  readonly blocks: readonly AppendedBlock[]
}

/** Written, not yet synced. */
interface Pending {
  readonly open: OpenFile
  readonly end: number
  readonly lengths: readonly number[]
  readonly blocks: readonly AppendedBlock[]
}

function greaterSeq(greatest: number, { seq }: BlockEntry): number {
  return Math.max(greatest, seq)
}

/** Blocks whose items are all duplicates are left out: nothing in them could be reached. */
function groupBlocksByFile(
  blocks: readonly AppendedBlock[],
): ReadonlyMap<string, { file: FileName; blocks: AppendedBlock[] }> {
  const files = new Map<string, { file: FileName; blocks: AppendedBlock[] }>()
  for (const appended of blocks) {
    if (appended.entries.length === 0) continue
    const { file } = appended.block
    const entry = files.get(fileStem(file)) ?? { file, blocks: [] }
    entry.blocks.push(appended)
    files.set(fileStem(file), entry)
  }
  return files
}

async function finishAppend(held: readonly Pending[]): Promise<void> {
  await Promise.all(held.map(({ open }) => open.segment.sync()))
  for (const { open, end, lengths, blocks } of held) {
    let start = open.segment.end
    open.segment.accept(end)
    // No index yet: the first read makes it. One that fails is made again by the next read.
    const index = open.index
    blocks.forEach(({ entries }, position) => {
      const blockStart = start
      void index?.then(
        (made) => made.blocks.add(blockStart, entries),
        () => {},
      )
      start += lengths[position] ?? 0
    })
  }
}

/** End of the last intact block of a committed batch, found by walking the whole file. */
async function endOfCommitted(segment: SegmentFile, seq: Seq): Promise<number> {
  let end = SEGMENT_HEADER_BYTES
  for await (const { block } of segment.blocks()) {
    if (block.batchLastSeq > seq) break
    end = blockEnd(block)
  }
  return end
}
