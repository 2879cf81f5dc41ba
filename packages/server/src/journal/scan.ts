/** Reading a journal file from end to end in windows of a few megabytes: at start, while the server already listens. */
import type { DiskFile } from '#base/disk.ts'
import {
  decodeFileHeader,
  JOURNAL_HEADER_BYTES,
  type JournalSeal,
  RECORD_HEADER_BYTES,
  readStep,
} from './format.ts'

const WINDOW_BYTES = 4 * 1024 * 1024

export interface FoundRecord {
  readonly start: number
  readonly bytes: number
  readonly seq: number
  readonly receivedMs: number
}

export interface ScanListener {
  record(found: FoundRecord): void
  /** Bytes that hold no record, with whole records behind them. */
  gap(start: number, end: number, next: FoundRecord): void
}

/**
 * Tells `listener` what a file holds and answers where its last whole record ends; `null` when it is no journal file
 * of this version.
 */
export async function scanFile(handle: DiskFile, listener: ScanListener): Promise<number | null> {
  const seal = decodeFileHeader(await handle.read(0, JOURNAL_HEADER_BYTES))
  if (seal === null) return null
  const size = await handle.size()
  const window = new Window(handle, size)
  let at = JOURNAL_HEADER_BYTES
  let goodEnd = at
  while (at < size) {
    const found = await findRecordAt(window, at, seal)
    if (found === null) {
      at = await nextMarker(window, at + 1, seal)
      continue
    }
    if (at > goodEnd) listener.gap(goodEnd, at, found)
    listener.record(found)
    at += found.bytes
    goodEnd = at
  }
  return goodEnd
}

async function findRecordAt(window: Window, at: number, seal: JournalSeal): Promise<FoundRecord | null> {
  let step = await stepAt(window, { at, need: RECORD_HEADER_BYTES, seal })
  if (step.kind === 'short') step = await stepAt(window, { at, need: step.need, seal })
  return step.kind === 'record'
    ? { start: at, bytes: step.bytes, seq: step.seq, receivedMs: step.receivedMs }
    : null
}

async function stepAt(window: Window, { at, need, seal }: { at: number; need: number; seal: JournalSeal }) {
  const bytes = await window.load(at, need)
  return readStep(bytes, 0, { end: bytes.length, seal })
}

/** Returns the offset of the file's next marker; a whole record need not follow it. */
async function nextMarker(window: Window, from: number, seal: JournalSeal): Promise<number> {
  const marker = Buffer.alloc(4)
  marker.writeUInt32LE(seal.marker)
  let at = from
  for (;;) {
    const bytes = await window.load(at, WINDOW_BYTES)
    const found = bytes.indexOf(marker)
    if (found >= 0) return at + found
    if (bytes.length < WINDOW_BYTES) return window.size
    at += bytes.length - marker.length + 1
  }
}

class Window {
  readonly size: number
  readonly #handle: DiskFile
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(handle: DiskFile, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** Loads bytes from `at` on: at least `need`, fewer only at the end of the file. */
  async load(at: number, need: number): Promise<Buffer> {
    const wanted = Math.min(need, this.size - at)
    if (at < this.#start || at + wanted > this.#start + this.#bytes.length) await this.#read(at, wanted)
    return this.#bytes.subarray(at - this.#start)
  }

  async #read(at: number, wanted: number): Promise<void> {
    this.#bytes = await this.#handle.read(at, Math.min(Math.max(wanted, WINDOW_BYTES), this.size - at))
    this.#start = at
  }
}
