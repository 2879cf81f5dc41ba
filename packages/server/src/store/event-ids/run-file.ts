/**
 * A run: the sorted hashes of one payload file's events within a range of seqs. Written once, then only read, merged
 * into a larger one, or unlinked.
 *
 * ```
 * name  error-2026-11-21.90.FROM-UPTO.ids       events with FROM < seq <= UPTO
 *  0  "ERID"                 4  version u16 = 1   6  retention days u16
 *  8  day u32               12  hashes u32       16  from seq u64    24  up to seq u64
 * 32  crc32 of the hashes   36  crc32 of bytes 0 to 35
 * 40  hashes × u64, sorted
 * ```
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { nodeDisk } from '#base/disk.ts'
import { assert } from '#base/errors.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem, readFileStem } from '#model/file-name.ts'
import type { IdHash } from './id-hash.ts'
import { compareAt, hasHash, likelyStretch, type SortedHashes } from './sorted-hashes.ts'

const MAGIC = 0x44495245 // "ERID"
const VERSION = 1
const HEADER_BYTES = 40
const NAME = /^([a-z][a-z0-9-]*\.\d+)\.(\d+)-(\d+)\.ids$/

export interface RunRange {
  readonly file: FileName
  /** Exclusive. */
  readonly fromSeq: number
  readonly upToSeq: number
}

export class Run implements RunRange {
  readonly file: FileName
  readonly fromSeq: number
  readonly upToSeq: number
  readonly count: number
  readonly path: string
  /** `null` while the hashes are on the disk alone. */
  #hashes: SortedHashes | null

  private constructor(path: string, range: RunRange, count: number, hashes: SortedHashes | null) {
    this.path = path
    this.file = range.file
    this.fromSeq = range.fromSeq
    this.upToSeq = range.upToSeq
    this.count = count
    this.#hashes = hashes
  }

  /** Writes a run, durably and whole or not at all. It stays in memory. */
  static async write(directory: string, range: RunRange, hashes: SortedHashes): Promise<Run> {
    const name = `${fileStem(range.file)}.${range.fromSeq}-${range.upToSeq}.ids`
    const path = join(directory, name)
    const body = new Uint8Array(hashes.buffer)
    const temporary = `${path}.writing`
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(Buffer.concat([encodeRunHeader(range, body), body]))
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    await nodeDisk.syncDirectory(directory)
    return new Run(path, range, hashes.length / 2, hashes)
  }

  /** Opens a run by its name; `null` for a file that is none or is not whole. */
  static open(directory: string, name: string): Run | null {
    const range = readName(name)
    if (range === null) return null
    const path = join(directory, name)
    const descriptor = openSync(path, 'r')
    try {
      const header = Buffer.alloc(HEADER_BYTES)
      const bytesRead = readSync(descriptor, header, 0, HEADER_BYTES, 0)
      const count = bytesRead === HEADER_BYTES ? readRunCount(header, range) : null
      if (count === null || fstatSync(descriptor).size !== HEADER_BYTES + 8 * count) return null
      return new Run(path, range, count, null)
    } finally {
      closeSync(descriptor)
    }
  }

  get memoryBytes(): number {
    return this.#hashes?.byteLength ?? 0
  }

  /** True when the hash is in the run; reads the disk where the run is not in memory. */
  has(hash: IdHash): boolean {
    return this.#hashes === null ? this.#hasOnDisk(hash) : hasHash(this.#hashes, hash)
  }

  /** The hashes, checked; `null` where they are not what was written. */
  async load(): Promise<SortedHashes | null> {
    if (this.#hashes !== null) return this.#hashes
    const bytes = await readFile(this.path)
    const body = bytes.subarray(HEADER_BYTES)
    if (body.length !== 8 * this.count || crc32(body) !== bytes.readUInt32LE(32)) return null
    return new Uint32Array(new Uint8Array(body).buffer)
  }

  /** Keeps the hashes in memory; false where they are not what was written. */
  async keep(): Promise<boolean> {
    this.#hashes = await this.load()
    return this.#hashes !== null
  }

  /** Leaves the hashes to the disk. */
  letGo(): void {
    this.#hashes = null
  }

  async remove(): Promise<void> {
    this.#hashes = null
    await rm(this.path, { force: true })
  }

  #hasOnDisk(hash: IdHash): boolean {
    const descriptor = openSync(this.path, 'r')
    try {
      const { from, to } = likelyStretch(hash, this.count)
      const near = readHashes(descriptor, from, to)
      const last = near.length / 2 - 1
      const tooHigh = from > 0 && (last < 0 || compareAt(near, 0, hash) > 0)
      const tooLow = to < this.count && (last < 0 || compareAt(near, last, hash) < 0)
      return hasHash(tooHigh || tooLow ? readHashes(descriptor, 0, this.count) : near, hash)
    } finally {
      closeSync(descriptor)
    }
  }
}

function readHashes(descriptor: number, from: number, to: number): SortedHashes {
  const bytes = new Uint8Array(8 * Math.max(0, to - from))
  const bytesRead = readSync(descriptor, bytes, 0, bytes.length, HEADER_BYTES + 8 * from)
  return new Uint32Array(bytes.buffer, 0, 2 * Math.floor(bytesRead / 8))
}

function encodeRunHeader({ file, fromSeq, upToSeq }: RunRange, body: Uint8Array): Buffer {
  const count = body.length / 8
  assert(count <= 0xffff_ffff, 'a run of ids counts in 32 bits')
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(file.retentionDays, 6)
  header.writeUInt32LE(file.day, 8)
  header.writeUInt32LE(count, 12)
  header.writeBigUInt64LE(BigInt(fromSeq), 16)
  header.writeBigUInt64LE(BigInt(upToSeq), 24)
  header.writeUInt32LE(crc32(body), 32)
  header.writeUInt32LE(crc32(header.subarray(0, 36)), 36)
  return header
}

function readRunCount(header: Buffer, { file, fromSeq, upToSeq }: RunRange): number | null {
  const matches =
    header.readUInt32LE(0) === MAGIC &&
    header.readUInt16LE(4) === VERSION &&
    header.readUInt16LE(6) === file.retentionDays &&
    header.readUInt32LE(8) === file.day &&
    Number(header.readBigUInt64LE(16)) === fromSeq &&
    Number(header.readBigUInt64LE(24)) === upToSeq &&
    crc32(header.subarray(0, 36)) === header.readUInt32LE(36)
  return matches ? header.readUInt32LE(12) : null
}

function readName(name: string): RunRange | null {
  const match = NAME.exec(name)
  const file = match === null ? null : readFileStem(match[1] ?? '')
  if (match === null || file === null) return null
  return { file, fromSeq: Number(match[2]), upToSeq: Number(match[3]) }
}
