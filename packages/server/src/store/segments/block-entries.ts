/**
 * What a block's header lists of its events, behind its fixed part. Entries lie in the order of the body.
 *
 * ```
 * version 3   n × event id 16 bytes, then n × five varints:
 *             project · seq beyond the block's first · gap · payload bytes · row bytes
 * version 2   n × 40:  project u32 · event id 16 bytes · seq u64 · offset u32 · payload bytes u32 · row bytes u32
 * version 1   n × 36:  the same without row bytes
 * ```
 *
 * A payload begins `gap` bytes behind the entry before it, the row record right behind the payload. A varint has seven
 * bits a byte, the lowest first; the highest bit says that another follows. Of the 40 bytes 16 cannot be guessed; as
 * varints the others take 8.
 */
import { assert } from '#base/errors.ts'
import { type EventId, projectId, seq } from '#base/ids.ts'
import type { BlockEvent } from '#ports/telemetry.ts'

const ID_BYTES = 16
const VARINTS = 5
/** 56 bits: more than any seq. */
const VARINT_BYTES_MAX = 8
const EACH_V2 = 40
const EACH_V1 = 36

/** How the entries of a header lie. */
export interface EntryList {
  readonly count: number
  readonly isPacked: boolean
  /** All of them. */
  readonly bytes: number
}

/** True for a length that so many entries can have; told before anything of them is read. */
export function isEntryList({ count, isPacked, bytes }: EntryList): boolean {
  if (count === 0) return false
  if (!isPacked) return bytes === count * EACH_V2 || bytes === count * EACH_V1
  return bytes >= count * (ID_BYTES + VARINTS) && bytes <= count * (ID_BYTES + VARINTS * VARINT_BYTES_MAX)
}

export function packEntries(
  events: readonly BlockEvent[],
  { firstSeq, rawBytes }: { readonly firstSeq: number; readonly rawBytes: number },
): Buffer {
  const packed = Buffer.allocUnsafe(events.length * (ID_BYTES + VARINTS * VARINT_BYTES_MAX))
  const placed = events.toSorted((a, b) => a.offset - b.offset)
  placed.forEach(({ eventId }, index) => {
    const written = packed.write(eventId, index * ID_BYTES, ID_BYTES, 'hex')
    assert(written === ID_BYTES && eventId.length === 2 * ID_BYTES, 'an event id is 32 hex characters')
  })
  let at = events.length * ID_BYTES
  let end = 0
  for (const { projectId: project, seq: number, offset, bytes, rowBytes } of placed) {
    assert(offset >= end, 'events of a block lie behind each other')
    for (const value of [project, number - firstSeq, offset - end, bytes, rowBytes]) {
      at = writeVarint(packed, at, value)
    }
    end = offset + bytes + rowBytes
  }
  assert(end <= rawBytes, 'an event lies within its block')
  return packed.subarray(0, at)
}

/** The entries of an intact header. `entries`: the header behind its fixed part. */
export function unpackEntries(entries: Buffer, list: EntryList, firstSeq: number): BlockEvent[] {
  if (!list.isPacked) return fixedEntries(entries, list)
  const numbers = new Varints(entries, list.count * ID_BYTES)
  let end = 0
  return Array.from({ length: list.count }, (_, index) => {
    const project = numbers.next()
    const number = firstSeq + numbers.next()
    const offset = end + numbers.next()
    const [bytes, rowBytes] = [numbers.next(), numbers.next()]
    end = offset + bytes + rowBytes
    const eventId = idAt(entries, index * ID_BYTES)
    return { projectId: projectId(project), eventId, seq: seq(number), offset, bytes, rowBytes }
  })
}

/** True when some entry has the id, of whatever project: a look at the ids alone. */
export function hasId(entries: Buffer, list: EntryList, id: EventId): boolean {
  const wanted = Buffer.from(id, 'hex')
  const { start, each } = idPlaces(list)
  for (let index = 0, at = start; index < list.count; index++, at += each) {
    if (wanted.compare(entries, at, at + ID_BYTES) === 0) return true
  }
  return false
}

/** Calls `visit` with the project of each entry and where in `entries` its id is: a walk that makes no objects. */
export function visitIds(
  entries: Buffer,
  list: EntryList,
  visit: (project: number, idAt: number) => void,
): void {
  const { start, each } = idPlaces(list)
  const numbers = list.isPacked ? new Varints(entries, list.count * ID_BYTES) : null
  for (let index = 0, at = start; index < list.count; index++, at += each) {
    visit(numbers === null ? entries.readUInt32LE(at - start) : numbers.next(), at)
    numbers?.skip(VARINTS - 1)
  }
}

/** Where the first id is, and how far the next. */
function idPlaces({ count, isPacked, bytes }: EntryList): { readonly start: number; readonly each: number } {
  return isPacked ? { start: 0, each: ID_BYTES } : { start: 4, each: bytes / count }
}

function fixedEntries(entries: Buffer, { count, bytes }: EntryList): BlockEvent[] {
  const each = bytes / count
  return Array.from({ length: count }, (_, index) => {
    const at = index * each
    return {
      projectId: projectId(entries.readUInt32LE(at)),
      eventId: idAt(entries, at + 4),
      seq: seq(entries.readUInt32LE(at + 24) * 0x1_0000_0000 + entries.readUInt32LE(at + 20)),
      offset: entries.readUInt32LE(at + 28),
      bytes: entries.readUInt32LE(at + 32),
      rowBytes: each === EACH_V2 ? entries.readUInt32LE(at + 36) : 0,
    }
  })
}

function idAt(entries: Buffer, at: number): EventId {
  return entries.toString('hex', at, at + ID_BYTES) as EventId // written from an EventId
}

/** Answers where the next one goes. Whole numbers from 0 below 2^53. */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  assert(Number.isSafeInteger(value) && value >= 0, 'a varint is a whole number')
  let [at, rest] = [start, value]
  while (rest >= 0x80) {
    bytes[at++] = (rest % 0x80) + 0x80
    rest = Math.floor(rest / 0x80)
  }
  bytes[at++] = rest
  return at
}

/** Reads one after the other; beyond the end they are 0. */
class Varints {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  next(): number {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  skip(count: number): void {
    for (let left = count; left > 0; ) if ((this.#bytes[this.#at++] ?? 0) < 0x80) left--
  }
}
