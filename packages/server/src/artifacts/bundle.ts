/**
 * A bundle as build tools upload it: `SYSB`, a version, a ZIP with `manifest.json`. Everything in it is hostile: sizes are
 * checked before anything is unpacked, and names of its files never reach a disk. docs/wire.md, section "Artifact bundles".
 */
import { Readable } from 'node:stream'
import * as yauzl from 'yauzl'
import { max } from '#limits/limits.ts'
import type { BundleBytes } from '#ports/artifact-files.ts'

/** What is wrong with an upload, in words for whoever sent it. */
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
}

const FILES_MAX = max('bundleFilesMax')
const UNPACKED_MAX = max('bundleUnpackedBytesMax')
const RATIO_MAX = max('bundleRatioMax')
/** Below it no ratio is a bomb. */
const SMALL_BYTES = 1024 * 1024
const MAGIC = 0x42535953 // "SYSB"
const HEADER_BYTES = 8

/** @throws BadUpload */
export async function openBundle(file: BundleBytes): Promise<OpenBundle> {
  const head = await file.read(0, HEADER_BYTES)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new BadUpload('it is no artifact bundle')
  // Offsets count from the start of the file; some writers count from the start of the archive.
  const zip = await openZip(file, 0).catch(() => openZip(file, HEADER_BYTES))
  const entries = await entriesOf(zip)
  const bytesOf = (name: string) => entries.get(name)?.uncompressedSize ?? 0
  return {
    names: new Set(entries.keys()),
    bytesOf,
    async read(name, most) {
      const entry = entries.get(name)
      return entry === undefined || entry.uncompressedSize > most ? null : readEntry(zip, entry)
    },
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

function entriesOf(zip: yauzl.ZipFile): Promise<ReadonlyMap<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  let unpacked = 0
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => reject(new BadUpload(reason))
    if (zip.entryCount > FILES_MAX) {
      refuse(`it has ${zip.entryCount} files; ${FILES_MAX} are allowed`)
      return
    }
    zip.on('error', (cause: Error) => refuse(`its archive cannot be read: ${cause.message}`))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: yauzl.Entry) => {
      unpacked += entry.uncompressedSize
      const problem = problemOf(entry) ?? (unpacked > UNPACKED_MAX ? 'it is too large when unpacked' : null)
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
  if (bytes > SMALL_BYTES && bytes > packed * RATIO_MAX) return 'a file in it is too large when unpacked'
  return null
}

function readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) => reject(new BadUpload(`a file in it does not unpack: ${cause.message}`))
    zip.openReadStream(entry, (cause, stream) => {
      if (cause) return refuse(cause)
      const read: Buffer[] = []
      stream.on('data', (piece: Buffer) => read.push(piece))
      stream.on('error', refuse)
      stream.on('end', () => resolve(Buffer.concat(read)))
    })
  })
}
