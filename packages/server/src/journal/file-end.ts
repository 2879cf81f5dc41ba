/**
 * Tells apart what stands behind the last whole record of a file. A write that a kill or a power loss cut short was never
 * acknowledged and is no loss; anything else is. A kill leaves the beginning of one write. A power loss leaves any of
 * its sectors, and zeroes for the others. Bit rot changes bytes and leaves their number:
 *
 * ```
 *   kill         … whole record │ MARK length … cut
 *   power loss   … whole record │ 00000000 │ MARK length … 0000000 … │ 00000
 *   bit rot      … whole record │ MARK length … a wrong byte … │ end of the file
 * ```
 */
import type { DiskFile } from '#base/disk.ts'
import { max } from '#limits/limits.ts'
import {
  decodeFileHeader,
  isSound,
  JOURNAL_HEADER_BYTES,
  type JournalSeal,
  RECORD_BYTES_MAX,
  RECORD_HEADER_BYTES,
  readHead,
} from './format.ts'

interface FileEnd {
  readonly bytes: Buffer
  /** Offset in the file. */
  readonly start: number
  /** The number of the record before them. */
  readonly lastSeq: number
  /** `null` where the file's header cannot be read. */
  readonly seal: JournalSeal | null
}

interface EndVerdict {
  /** False: a write that was cut short explains it. */
  readonly isDamaged: boolean
  /** So many records were certainly there, one behind the other; there may have been more. */
  readonly records: number
}

/** The most that one write puts behind the last record. */
export const WRITE_BYTES_MAX = Math.max(max('journalSyncBytesMax'), RECORD_BYTES_MAX)

const SECTOR = 512
/** A body may end in a few zeroes of its own. */
const HOLE_BYTES_MIN = 8
const RECORD_BYTES_MIN = RECORD_HEADER_BYTES + 4

/**
 * Judges what stands behind `end`, which `scanFile` answered. Where the header tells nothing, records are followed from
 * where the first of them stands.
 */
export async function judgeFile(
  handle: DiskFile,
  { end, size, lastSeq }: { readonly end: number | null; readonly size: number; readonly lastSeq: number },
): Promise<EndVerdict> {
  if (end !== null) {
    const seal = decodeFileHeader(await handle.read(0, JOURNAL_HEADER_BYTES))
    return judgeEnd({ bytes: await handle.read(end, size - end), start: end, lastSeq, seal })
  }
  const start = JOURNAL_HEADER_BYTES
  const bytes = await handle.read(start, Math.max(0, size - start))
  const { records } = judgeEnd({ bytes, start, lastSeq, seal: null })
  return { isDamaged: true, records }
}

/** Tells a write that was cut short from damage, and counts the records that were certainly there. */
function judgeEnd(end: FileEnd): EndVerdict {
  const mayBeTorn = end.bytes.length <= WRITE_BYTES_MAX
  let isDamaged = !mayBeTorn
  /** The last number that is certain to have been there, and of those that the next readable head follows. */
  let known = end.lastSeq
  let before = end.lastSeq
  let expected = end.lastSeq + 1
  for (let at = 0; end.bytes.length - at >= RECORD_BYTES_MIN; ) {
    const head = headAt(end, at, expected)
    if (head === null) {
      const next = markerBehind(end, at)
      isDamaged ||= !hasHole(end, at, next)
      at = next
      continue
    }
    before = Math.max(before, head.seq - 1)
    const fate = fateOf(end, at, head.total)
    if (fate === 'cut') break
    if (fate === 'damaged' || !mayBeTorn) {
      isDamaged = true
      known = Math.max(known, head.seq)
    }
    expected = head.seq + 1
    at = at + head.total <= end.bytes.length ? at + head.total : markerBehind(end, at)
  }
  return { isDamaged, records: isDamaged ? Math.max(known, before) - end.lastSeq : 0 }
}

/**
 * A record's head that is to be believed: by the file's marker, or by being the very next one. Its number is the
 * `expected` one where damage made it impossible.
 */
function headAt(
  { bytes, lastSeq, seal }: FileEnd,
  at: number,
  expected: number,
): { readonly total: number; readonly seq: number } | null {
  const head = readHead(bytes, at)
  if (head === null) return null
  const isNext = head.seq === expected && (head.type === 1 || head.type === 2)
  if (!isNext && head.marker !== seal?.marker) return null
  const isPossible = head.seq >= expected && head.seq - lastSeq <= 1 + at / RECORD_BYTES_MIN
  return { total: head.total, seq: isPossible ? head.seq : expected }
}

/** Judges the record that begins at `at` and is not whole. */
function fateOf(end: FileEnd, at: number, total: number): 'cut' | 'torn' | 'damaged' {
  const { bytes, seal } = end
  if (at + total > bytes.length) {
    const isLast = markerBehind(end, at) === bytes.length
    return isLast && !isLengthWrong(end, at) ? 'cut' : 'damaged'
  }
  if (seal !== null && isSound(bytes, at, { end: at + total, seal })) return 'damaged' // in its marker alone
  return hasHole(end, at, at + total) ? 'torn' : 'damaged'
}

/** True when the record is whole up to the end of the file, or up to the few bytes that a cut write left behind it. */
function isLengthWrong({ bytes, seal }: FileEnd, at: number): boolean {
  if (seal === null) return false
  return [0, 1, 2, 3].some((behind) => isSound(bytes, at, { end: bytes.length - behind, seal }))
}

/** Returns the offset of the file's next marker behind `at`; the end if there is none. */
function markerBehind({ bytes, seal }: FileEnd, at: number): number {
  if (seal === null) return bytes.length
  const marker = Buffer.alloc(4)
  marker.writeUInt32LE(seal.marker)
  const found = bytes.indexOf(marker, at + 1)
  return found < 0 ? bytes.length : found
}

/** True when the part of a sector that lies between two places never reached the disk. */
function hasHole({ bytes, start }: FileEnd, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const next = Math.min(to, at + SECTOR - ((start + at) % SECTOR))
    const isHole = bytes.subarray(at, next).every((byte) => byte === 0)
    if (isHole && (at === from || next - at >= HOLE_BYTES_MIN)) return true
    at = next
  }
  return false
}
