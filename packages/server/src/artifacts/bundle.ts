/**
 * A bundle as build tools upload it: `SYSB`, a version, a ZIP with `manifest.json`. Everything in it is hostile: sizes are
 * checked before anything is unpacked, and names of its files never reach a disk. docs/wire.md, section "Artifact bundles".
 */
import { Readable } from 'node:stream'
import * as yauzl from 'yauzl'
import { max } from '#limits/limits.ts'
import type { BundleBytes } from '#ports/artifact-files.ts'

/** Problem of an upload, in words for whoever sent it. */
export class BadUpload extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BadUpload'
  }
}

export interface OpenBundle {
  /** Names of its files, the manifest included. */
  readonly names: ReadonlySet<string>
  /** Unpacked size by name. */
  bytesOf(name: string): number
  /** All of a file; `null` for one that is not there or larger than `most`. @throws BadUpload for what does not unpack */
  read(name: string, most: number): Promise<Uint8Array | null>
  /** A file piece by piece; nothing for one that is not there. @throws BadUpload for what does not unpack */
  pieces(name: string): AsyncIterable<Uint8Array>
}

const FILES_MAX = max('bundleFilesMax')
const UNPACKED_MAX = max('bundleUnpackedBytesMax')
const RATIO_MAX = max('bundleRatioMax')
/** Below it no ratio is a bomb. */
const SMALL_BYTES = 1024 * 1024
/** Most bytes of all files together. */
const SMALL_BUNDLE_BYTES = 64 * SMALL_BYTES
const STORED = 0
const DEFLATED = 8
const MAGIC = 0x42535953 // "SYSB"
const HEADER_BYTES = 8

/**
 * Opens an uploaded bundle of artifacts.
 * @throws BadUpload
 */
export async function openBundle(file: BundleBytes): Promise<OpenBundle> {
  const head = await file.read(0, HEADER_BYTES)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new BadUpload('it is no artifact bundle')
  const { zip, entries } = await openEntries(file)
  return {
    names: new Set(entries.keys()),
    bytesOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    async read(name, most) {
      const entry = entries.get(name)
      if (entry === undefined || entry.uncompressedSize > most) return null
      const read: Uint8Array[] = []
      for await (const piece of unpackEntry(zip, entry)) read.push(piece)
      return Buffer.concat(read)
    },
    async *pieces(name) {
      const entry = entries.get(name)
      if (entry !== undefined) yield* unpackEntry(zip, entry)
    },
  }
}

interface Opened {
  readonly zip: yauzl.ZipFile
  readonly entries: ReadonlyMap<string, yauzl.Entry>
}

/** Offsets count from the start of the file; some writers count from the start of the archive. */
async function openEntries(file: BundleBytes): Promise<Opened> {
  const at = async (start: number) => {
    const zip = await openZip(file, start)
    return { zip, entries: await readZipEntries(zip, file.bytes) }
  }
  try {
    return await at(0)
  } catch (cause) {
    if (!(cause instanceof BadUpload)) throw cause
    return at(HEADER_BYTES).catch(() => {
      throw cause
    })
  }
}

/** Offsets in the archive count from `start`. */
function openZip(file: BundleBytes, start: number): Promise<yauzl.ZipFile> {
  const reader = new BundleReader(file, start)
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: true }
  return new Promise((resolve, reject) => {
    yauzl.fromRandomAccessReader(reader, file.bytes - start, options, (cause, zip) => {
      if (cause) reject(new BadUpload(`its archive cannot be read: ${cause.message}`))
      else resolve(zip)
    })
  })
}

class BundleReader extends yauzl.RandomAccessReader {
  readonly #file: BundleBytes
  readonly #start: number

  constructor(file: BundleBytes, start: number) {
    super()
    this.#file = file
    this.#start = start
  }

  override _readStreamForRange(from: number, to: number): Readable {
    return Readable.from(pieces(this.#file, this.#start + from, this.#start + to))
  }
}

const PIECE_BYTES = 64 * 1024

async function* pieces(file: BundleBytes, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE_BYTES) yield await file.read(at, Math.min(PIECE_BYTES, to - at))
}

function readZipEntries(zip: yauzl.ZipFile, bytes: number): Promise<ReadonlyMap<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  const sizes = { unpacked: 0, packed: 0 }
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => reject(new BadUpload(reason))
    if (zip.entryCount > FILES_MAX) {
      refuse(`it has ${zip.entryCount} files; ${FILES_MAX} are allowed`)
      return
    }
    zip.on('error', (cause: Error) => refuse(`its archive cannot be read: ${cause.message}`))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: yauzl.Entry) => {
      sizes.unpacked += entry.uncompressedSize
      sizes.packed += entry.compressedSize
      const problem = problemOf(entry) ?? problemOfAll(sizes, bytes)
      if (problem !== null) {
        refuse(problem)
        return
      }
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function problemOf({
  uncompressedSize: bytes,
  compressedSize: packed,
  ...entry
}: yauzl.Entry): string | null {
  if (entry.generalPurposeBitFlag & 1) return 'a file in it is encrypted'
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return 'a file in it is packed in a way that is not read: deflate it, or store it as it is'
  if (bytes > SMALL_BYTES && bytes > packed * RATIO_MAX) return 'a file in it is too large when unpacked'
  return null
}

function problemOfAll(
  { unpacked, packed }: { readonly unpacked: number; readonly packed: number },
  bytes: number,
): string | null {
  if (unpacked > UNPACKED_MAX || (unpacked > SMALL_BUNDLE_BYTES && unpacked > bytes * RATIO_MAX))
    return 'it is too large when unpacked'
  // Files that share their bytes: each of them is small, all of them are not.
  return packed > bytes ? 'files in it overlap' : null
}

async function* unpackEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of await streamOf(zip, entry)) yield piece
  } catch (cause) {
    throw new BadUpload(
      `a file in it does not unpack: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
}

function streamOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (cause, stream) => {
      if (cause) reject(cause)
      else resolve(stream)
    })
  })
}
