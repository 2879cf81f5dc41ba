/** Payload file on disk: appending, checking its end, walking its blocks. */
import type { Disk, DiskFile } from '#base/disk.ts'
import type { Seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import {
  BLOCK_HEADER_BYTES,
  BLOCK_MAGIC_BYTES,
  type BlockHeader,
  blockEnd,
  encodeSegmentHeader,
  isFileHeader,
  isHeaderIntact,
  readBlockStart,
  readTrailer,
  SEGMENT_HEADER_BYTES,
  TRAILER_BYTES,
} from './format.ts'

/** Bytes read at once while walking headers: many small blocks cost one read, large bodies are skipped. */
const WINDOW_BYTES = 512 * 1024

/** A block found in a file, with its intact header's bytes. */
export interface FoundBlock {
  readonly block: BlockHeader
  readonly header: Buffer
}

export class SegmentFile {
  readonly file: FileName
  readonly #handle: DiskFile
  /** Offset of the next block. Bytes beyond it are of a failed append. */
  #end: number

  private constructor(file: FileName, handle: DiskFile, end: number) {
    this.file = file
    this.#handle = handle
    this.#end = end
  }

  /**
   * Opens the file. Its header is written where there is none, where a crash cut it short, and where nothing follows
   * it: the sync of one that reads well may have failed, and no later sync would make up for that.
   */
  static async open(disk: Disk, path: string, file: FileName): Promise<SegmentFile> {
    const handle = await disk.open(path, 'make')
    try {
      const size = await handle.size()
      const opened = new SegmentFile(file, handle, size)
      if (size > SEGMENT_HEADER_BYTES) {
        if (isFileHeader(await opened.#readAt(0, SEGMENT_HEADER_BYTES), file)) return opened
        throw new Error(`payload file ${path} is damaged or of another version: restore it or move it away`)
      }
      await handle.truncate(0)
      await handle.write([encodeSegmentHeader(file)], 0)
      // Before any block: else a power loss could leave a torn header before blocks of a committed batch.
      await handle.sync()
      return new SegmentFile(file, handle, SEGMENT_HEADER_BYTES)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  get end(): number {
    return this.#end
  }

  /** Writes at the end and answers where the bytes end; nothing counts before `sync` and `accept`. */
  async write(bytes: Uint8Array): Promise<number> {
    await this.#handle.write([bytes], this.#end)
    return this.#end + bytes.length
  }

  async sync(): Promise<void> {
    await this.#handle.sync()
  }

  /** Makes what was written up to `end` part of the file. */
  accept(end: number): void {
    this.#end = end
  }

  /** Cuts the file, durably. */
  async truncate(end: number): Promise<void> {
    await this.#handle.truncate(end)
    await this.#handle.sync()
    this.#end = end
  }

  /** The last block, found by its trailer; `null` when the file's end is not that of an intact block. */
  async blockBefore(end: number): Promise<FoundBlock | null> {
    if (end < SEGMENT_HEADER_BYTES + BLOCK_HEADER_BYTES + TRAILER_BYTES) return null
    const length = readTrailer(await this.#readAt(end - TRAILER_BYTES, TRAILER_BYTES))
    if (length === null || end - length < SEGMENT_HEADER_BYTES) return null
    const found = await this.blockAt(end - length)
    return found !== null && blockEnd(found.block) === end ? found : null
  }

  /**
   * Returns the start of a damaged block that ends at `end` and belongs to a batch up to `seq`; `null` if
   * there is none. Of a batch that a crash cut short, what did not reach the disk reads as zeros.
   */
  async damagedCommittedBefore(end: number, seq: Seq): Promise<number | null> {
    if (end < SEGMENT_HEADER_BYTES + BLOCK_HEADER_BYTES + TRAILER_BYTES) return null
    const length = readTrailer(await this.#readAt(end - TRAILER_BYTES, TRAILER_BYTES))
    if (length === null || end - length < SEGMENT_HEADER_BYTES) return null
    const start = end - length
    const block = readBlockStart(await this.#readAt(start, BLOCK_HEADER_BYTES), start)
    if (block === null || blockEnd(block) !== end) return null
    const { firstSeq, batchLastSeq } = block
    return firstSeq > 0 && firstSeq <= batchLastSeq && batchLastSeq <= seq ? start : null
  }

  /** The block that begins at `start`, or `null` where no intact one does. */
  async blockAt(start: number): Promise<FoundBlock | null> {
    const fixed = await this.#readAt(start, BLOCK_HEADER_BYTES)
    const block = readBlockStart(fixed, start)
    if (block === null || blockEnd(block) > this.#end) return null
    const header = await this.#readAt(start, block.headerBytes)
    return isHeaderIntact(header) ? { block, header } : null
  }

  /** The intact header at `start` of a batch up to `seq`: a block that was stored whole, whatever became of its body. */
  async committedHeaderAt(start: number, seq: Seq): Promise<BlockHeader | null> {
    const block = readBlockStart(await this.#readAt(start, BLOCK_HEADER_BYTES), start)
    if (block === null || block.batchLastSeq > seq) return null
    return isHeaderIntact(await this.#readAt(start, block.headerBytes)) ? block : null
  }

  /** Every intact block from `from`, where one begins, to `end`, in order; damaged stretches are skipped. */
  async *blocks(end: number = this.#end, from: number = SEGMENT_HEADER_BYTES): AsyncGenerator<FoundBlock> {
    const window = new Window((at, bytes, into) => this.#readAt(at, bytes, into))
    for (let at = from; at < end; ) {
      const found = await this.#blockIn(window, at)
      if (found !== null) {
        yield found
        at = blockEnd(found.block)
        continue
      }
      const next = await this.#nextMagic(at + 1)
      if (next === null) return
      at = next
    }
  }

  /** The packed body of a block. */
  body(block: BlockHeader): Promise<Buffer> {
    return this.#readAt(block.start + block.headerBytes, block.bodyBytes)
  }

  /** Bytes as they lie in the file, fewer at its end. */
  raw(at: number, bytes: number): Promise<Buffer> {
    return this.#readAt(at, bytes)
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #blockIn(window: Window, start: number): Promise<FoundBlock | null> {
    const block = readBlockStart(await window.read(start, BLOCK_HEADER_BYTES), start)
    if (block === null || blockEnd(block) > this.#end) return null
    // A copy: the window moves on while a caller may keep the header.
    const header = Buffer.from(await window.read(start, block.headerBytes))
    return isHeaderIntact(header) ? { block, header } : null
  }

  async #nextMagic(from: number): Promise<number | null> {
    for (let at = from; at < this.#end; at += WINDOW_BYTES) {
      const bytes = await this.#readAt(at, WINDOW_BYTES + BLOCK_MAGIC_BYTES.length - 1)
      const found = bytes.indexOf(BLOCK_MAGIC_BYTES)
      if (found >= 0) return at + found
    }
    return null
  }

  /** Up to `bytes` bytes from `at`; fewer at the end of the file. */
  #readAt(at: number, bytes: number, into?: Buffer): Promise<Buffer> {
    return this.#handle.read(at, Math.max(0, Math.min(bytes, this.#end - at)), into)
  }
}

/** Reads ahead, so that walking small blocks does not cost a system call each. What it answers is gone with the next. */
class Window {
  readonly #fetch: (at: number, bytes: number, into: Buffer) => Promise<Buffer>
  /**
   * Buffer for the whole walk: V8 collects all of a thread's memory for every few dozen megabytes of new
   * ones.
   */
  readonly #room = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #bytes: Buffer = this.#room.subarray(0, 0)

  constructor(fetch: (at: number, bytes: number, into: Buffer) => Promise<Buffer>) {
    this.#fetch = fetch
  }

  async read(at: number, bytes: number): Promise<Buffer> {
    const from = at - this.#start
    if (from < 0 || from + bytes > this.#bytes.length) {
      this.#start = at
      this.#bytes = await this.#fetch(at, Math.max(bytes, WINDOW_BYTES), this.#room)
      return this.#bytes.subarray(0, bytes)
    }
    return this.#bytes.subarray(from, from + bytes)
  }
}
