/**
 * A payload file written anew: items sorted by what makes them alike, in blocks of one kind of event, packed tighter, without those
 * that go. In windows of `compactionWindowBytes`: what lies further apart would gain little and cost all memory. What
 * cannot be read is taken over as it is: one block must not keep the others, and it may be read one day.
 *
 * ```
 * old   │ block │ block │ damaged │ block │ block │ tail: beyond what is applied, or appended meanwhile │
 *          └─ unpacked ─┘    │         └─ sorted ─┘                    │ byte for byte
 * fresh │  block of 128 │ damaged │  block of 128   │                 tail                           │ ─▶ takes the place
 * ```
 */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { assert } from '#base/errors.ts'
import type { Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import type { ChangedItem, RewritePayloads, UnpackedBlock } from '#store/embedded/care/stores/payloads.ts'
import { type BlockHeader, blockEnd, encodeBlock, readBlockEntries, SEGMENT_HEADER_BYTES } from './format.ts'
import type { FoundBlock, SegmentFile } from './segment-file.ts'

const pack = promisify(zstdCompress)
/** A twentieth less than 9 at up to twice its time; 15 takes ten times as long for as much again (2026-11-22). */
const LEVEL = 11
/** Shorter repeats cost as much to name as they save, and time to find: 5 to 18 % less of that (2026-11-23). */
const MATCH_BYTES_MIN = 6
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: LEVEL,
  [constants.ZSTD_c_minMatch]: MATCH_BYTES_MIN,
}
/** Bytes taken over at once. */
const COPY_BYTES = 1024 * 1024

export interface RewriteParts {
  readonly old: SegmentFile
  /** Empty but for its header. */
  readonly fresh: SegmentFile
  /** Returns the block's body; `null` if it is not what was written. */
  readonly unpack: (block: BlockHeader) => Promise<Uint8Array | null>
}

/** Start of the tail, and what was written before it. */
export interface RewrittenTail {
  readonly tailStart: number
  readonly items: number
  /** Stretches that could not be read and were taken over. */
  readonly unread: number
}

/** Writes everything but the tail. */
export async function rewriteBlocks(parts: RewriteParts, options: RewritePayloads): Promise<RewrittenTail> {
  const { old, fresh } = parts
  const { upToSeq, pause } = options
  const window = new PackingWindow(fresh)
  let tailStart = SEGMENT_HEADER_BYTES
  let unread = 0
  /**
   * Copies an unreadable stretch to its place among the blocks: their batches grow towards the end of a file.
   */
  const takeOver = async (start: number, end: number): Promise<void> => {
    await window.flush(pause)
    await copyRange(parts, start, end)
    unread++
  }
  for await (const found of old.blocks()) {
    const { block } = found
    if (block.start !== tailStart) await takeOver(tailStart, block.start)
    tailStart = block.start
    if (block.batchLastSeq > upToSeq) break
    const isRead = await addBlock(window, found, { parts, options })
    tailStart = blockEnd(block)
    if (!isRead) await takeOver(block.start, tailStart)
    if (window.bytes >= max('compactionWindowBytes')) await window.flush(pause)
    await pause()
  }
  // Where nothing more is found, the rest goes as the tail does, read or not.
  await window.flush(pause)
  return { tailStart, items: window.items, unread }
}

/** False for a block that cannot be read and may hold what stays. */
async function addBlock(
  window: PackingWindow,
  { block, header }: FoundBlock,
  { parts, options }: { readonly parts: RewriteParts; readonly options: RewritePayloads },
): Promise<boolean> {
  const entries = readBlockEntries(header)
  const body = await parts.unpack(block)
  if (body === null) return options.allGo(entries)
  const batchLastSeq = block.batchLastSeq as Seq // written from one
  const unpacked = { entries, body, batchLastSeq }
  window.add(unpacked, options.keysOf(unpacked), options.changesOf?.(unpacked) ?? [])
  return true
}

/** Appends the tail and makes all of the fresh file durable. Nobody may append to the old one meanwhile. */
export async function copyTail(parts: Pick<RewriteParts, 'old' | 'fresh'>, tailStart: number): Promise<void> {
  await copyRange(parts, tailStart, parts.old.end)
  await parts.fresh.sync()
}

/** Appends bytes of the old file as they are. */
async function copyRange(
  { old, fresh }: Pick<RewriteParts, 'old' | 'fresh'>,
  start: number,
  end: number,
): Promise<void> {
  for (let at = start; at < end; ) {
    const bytes = await old.raw(at, Math.min(COPY_BYTES, end - at))
    assert(bytes.length > 0, 'a payload file is as long as was written')
    fresh.accept(await fresh.write(bytes))
    at += bytes.length
  }
}

interface WindowItem {
  readonly key: string
  readonly entry: BlockEntry
  /** Payload and row record. */
  readonly part: Uint8Array
}

class PackingWindow {
  readonly #fresh: SegmentFile
  #waiting: WindowItem[] = []
  #bytes = 0
  #items = 0
  /** Grows from window to window, as that of appended blocks does: what cuts a file at a seq looks at its end. */
  #batchLastSeq = 0

  constructor(fresh: SegmentFile) {
    this.#fresh = fresh
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Kept so far. */
  get items(): number {
    return this.#items
  }

  add(
    { entries, body, batchLastSeq }: UnpackedBlock,
    keys: readonly (string | null)[],
    changes: readonly (ChangedItem | null)[],
  ): void {
    assert(keys.length === entries.length, 'each item has a key or goes')
    entries.forEach((entry, index) => {
      const key = keys[index] ?? null
      if (key === null) return
      const item = changedItem(entry, changes[index] ?? null) ?? {
        entry,
        part: body.subarray(entry.offset, entry.offset + entry.bytes + entry.rowBytes),
      }
      this.#waiting.push({ key, ...item })
      this.#bytes += item.part.length
      this.#items++
    })
    this.#batchLastSeq = Math.max(this.#batchLastSeq, batchLastSeq)
  }

  async flush(pause: () => Promise<void>): Promise<void> {
    const sorted = this.#waiting.sort(compareKeys)
    this.#waiting = []
    this.#bytes = 0
    for (const block of splitIntoBlocks(sorted)) {
      await this.#write(block)
      await pause()
    }
  }

  async #write(members: readonly WindowItem[]): Promise<void> {
    let offset = 0
    const entries = members.map(({ entry, part }) => {
      const placed = { ...entry, offset }
      offset += part.length
      return placed
    })
    const raw = Buffer.concat(
      members.map(({ part }) => part),
      offset,
    )
    const compressed = await pack(raw, { params: PARAMS })
    const block = { file: this.#fresh.file, rawBytes: offset, compressed }
    const fresh = this.#fresh
    fresh.accept(await fresh.write(encodeBlock(block, entries, this.#batchLastSeq)))
  }
}

function changedItem(entry: BlockEntry, changed: ChangedItem | null): Omit<WindowItem, 'key'> | null {
  if (changed === null) return null
  const { payload, rowRecord } = changed
  return {
    entry: { ...entry, bytes: payload.length, rowBytes: rowRecord.length },
    part: Buffer.concat([payload, rowRecord]),
  }
}

function compareKeys(a: WindowItem, b: WindowItem): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1
  return a.entry.seq - b.entry.seq
}

function* splitIntoBlocks(sorted: readonly WindowItem[]): Generator<readonly WindowItem[]> {
  let block: WindowItem[] = []
  let bytes = 0
  for (const member of sorted) {
    const isFull =
      block.length >= max('compactionBlockEventsMax') ||
      bytes + member.part.length > max('compactionBlockBytesMax')
    if (isFull && block.length > 0) {
      yield block
      block = []
      bytes = 0
    }
    block.push(member)
    bytes += member.part.length
  }
  if (block.length > 0) yield block
}
