/** Reading a stretch of the journal: done by the worker threads themselves, so that bodies never cross threads. */
import { closeSync, openSync, readSync } from 'node:fs'
import { ErrataError } from '#base/errors.ts'
import { seq } from '#base/ids.ts'
import type { JournalRange, SequencedRecord } from '#model/record.ts'
import { decodeFileHeader, decodeRecord, JOURNAL_HEADER_BYTES, type JournalSeal, readStep } from './format.ts'

/** Bytes of a journal file that no longer hold what was written. */
export interface JournalDamage {
  readonly file: string
  readonly start: number
  readonly end: number
}

/**
 * The records of a range in order. Bodies are views of one buffer that lives as long as any of them. Bytes that fail
 * their checksum are reported to `onDamage`, and reading goes on behind them; without a listener they throw.
 */
export function* readJournalRange(
  range: JournalRange,
  onDamage: (damage: JournalDamage) => void = refuseDamage,
): Generator<SequencedRecord> {
  const { seal, bytes } = load(range)
  let at = 0
  while (at < bytes.length) {
    const step = readStep(bytes, at, { end: bytes.length, seal })
    if (step.kind === 'record') {
      yield decodeRecord(bytes, at, { total: step.bytes, shift: range.shift ?? 0 })
      at += step.bytes
      continue
    }
    const next = nextReadable(bytes, at + 1, seal)
    onDamage({ file: range.file, start: range.start + at, end: range.start + next })
    at = next
  }
  const missing = range.end - range.start - bytes.length
  if (missing > 0) onDamage({ file: range.file, start: range.end - missing, end: range.end })
}

/** A record, or damaged bytes with the numbers that are missing there. */
interface Piece {
  readonly lastSeq: number
  /** Offset in the file. */
  readonly end: number
}

/** The same records in at most `partsMax` ranges; what is missing in damaged bytes belongs to the one that holds them. */
export function splitRange(range: JournalRange, partsMax: number): readonly JournalRange[] {
  const pieces = piecesOf(range)
  const perPart = Math.max(1, Math.ceil(pieces.length / partsMax))
  const parts: JournalRange[] = []
  let [start, firstSeq] = [range.start, Number(range.firstSeq)]
  for (let first = 0; first < pieces.length; first += perPart) {
    const last = pieces[Math.min(first + perPart, pieces.length) - 1]
    if (last === undefined) break
    const { end, lastSeq } = last
    parts.push({ ...range, start, end, firstSeq: seq(firstSeq), lastSeq: seq(lastSeq) })
    start = end
    firstSeq = lastSeq + 1
  }
  return parts
}

/**
 * Splits a range at its gaps, in order; the last piece ends where the range ends. Damage where no number is
 * missing belongs to the piece behind it.
 */
function piecesOf(range: JournalRange): readonly Piece[] {
  const { seal, bytes } = load(range)
  const { shift = 0 } = range
  const pieces: Piece[] = []
  let lastSeq = range.firstSeq - 1
  for (let at = 0; at < bytes.length; ) {
    const step = readStep(bytes, at, { end: bytes.length, seal })
    if (step.kind !== 'record') {
      at = nextReadable(bytes, at + 1, seal)
      continue
    }
    const found = step.seq + shift
    if (found > lastSeq + 1) pieces.push({ lastSeq: found - 1, end: range.start + at })
    lastSeq = found
    at += step.bytes
    pieces.push({ lastSeq, end: range.start + at })
  }
  if (lastSeq < range.lastSeq) return [...pieces, { lastSeq: range.lastSeq, end: range.end }]
  const last = pieces.pop()
  return last === undefined ? [] : [...pieces, { ...last, end: range.end }]
}

/** Offset of the first whole record at or behind `from`; the end of the buffer where there is none. */
function nextReadable(bytes: Buffer, from: number, seal: JournalSeal): number {
  const marker = Buffer.alloc(4)
  marker.writeUInt32LE(seal.marker)
  for (let at = bytes.indexOf(marker, from); at >= 0; at = bytes.indexOf(marker, at + 1)) {
    if (readStep(bytes, at, { end: bytes.length, seal }).kind === 'record') return at
  }
  return bytes.length
}

function load(range: JournalRange): { seal: JournalSeal; bytes: Buffer } {
  const file = openSync(range.file, 'r')
  try {
    const seal = decodeFileHeader(readFully(file, 0, JOURNAL_HEADER_BYTES))
    if (seal === null) throw new ErrataError('internal', `${range.file} is no journal file`)
    const read = range.isGivenUp === true ? readWhatCanBe : readFully
    return { seal, bytes: read(file, range.start, range.end) }
  } finally {
    closeSync(file)
  }
}

const BLOCK_BYTES = 4_096

/** Zeroes stand for blocks that the disk does not give. */
function readWhatCanBe(file: number, start: number, end: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = start; at < end; ) {
    const next = Math.min(end, at + BLOCK_BYTES - (at % BLOCK_BYTES))
    const block = readOrZeroes(file, at, next)
    blocks.push(block)
    if (block.length < next - at) break
    at = next
  }
  return Buffer.concat(blocks)
}

function readOrZeroes(file: number, start: number, end: number): Buffer {
  try {
    return readFully(file, start, end)
  } catch {
    return Buffer.alloc(end - start) // a record there fails its checksum, and is counted as damaged
  }
}

function readFully(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, start + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function refuseDamage(damage: JournalDamage): never {
  throw new ErrataError(
    'internal',
    `${damage.file} is damaged from byte ${damage.start} to ${damage.end}; what is behind it can still be read`,
  )
}
