/**
 * Entries of a block's header, one for each of its items, behind its fixed part. Entries lie in the order of the body.
 *
 * ```
 * n × event id 16 bytes (of kinds whose items have one), then n × five varints:
 * project · seq beyond the block's first · gap · payload bytes · row bytes
 * ```
 *
 * A payload begins `gap` bytes behind the entry before it, the row record right behind the payload. A varint has seven
 * bits a byte, the lowest first; the highest bit says that another follows. Of 24 bytes 16 cannot be guessed.
 */
import { assert } from '#base/errors.ts'
import { type EventId, projectId, seq } from '#base/ids.ts'
import type { BlockEntry } from '#ports/telemetry.ts'

const ID_BYTES = 16
const VARINTS = 5
/** 56 bits: more than any seq. */
const VARINT_BYTES_MAX = 8

/** How the entries of a header lie. */
export interface EntryList {
  readonly count: number
  readonly hasIds: boolean
  /** All of them. */
  readonly bytes: number
}

/** True for a length that so many entries can have; told before anything of them is read. */
export function isEntryList({ count, hasIds, bytes }: EntryList): boolean {
  if (count === 0) return false
  const ids = hasIds ? ID_BYTES : 0
  return bytes >= count * (ids + VARINTS) && bytes <= count * (ids + VARINTS * VARINT_BYTES_MAX)
}

export function packEntries(
  entries: readonly BlockEntry[],
  {
    firstSeq,
    rawBytes,
    hasIds,
  }: { readonly firstSeq: number; readonly rawBytes: number; readonly hasIds: boolean },
): Buffer {
  const packed = Buffer.allocUnsafe(entries.length * (ID_BYTES + VARINTS * VARINT_BYTES_MAX))
  const placed = entries.toSorted((a, b) => a.offset - b.offset)
  let at = hasIds ? writeIds(packed, placed) : 0
  let end = 0
  for (const { projectId: project, seq: number, offset, bytes, rowBytes } of placed) {
    assert(offset >= end, 'items of a block lie behind each other')
    for (const value of [project, number - firstSeq, offset - end, bytes, rowBytes]) {
      at = writeVarint(packed, at, value)
    }
    end = offset + bytes + rowBytes
  }
  assert(end <= rawBytes, 'an item lies within its block')
  return packed.subarray(0, at)
}

/** Answers where the ids end. */
function writeIds(packed: Buffer, placed: readonly BlockEntry[]): number {
  placed.forEach(({ eventId }, index) => {
    const written = packed.write(eventId ?? '', index * ID_BYTES, ID_BYTES, 'hex')
    assert(written === ID_BYTES && eventId?.length === 2 * ID_BYTES, 'an event id is 32 hex characters')
  })
  return placed.length * ID_BYTES
}

/** The entries of an intact header. `entries`: the header behind its fixed part. */
export function unpackEntries(entries: Buffer, list: EntryList, firstSeq: number): BlockEntry[] {
  const numbers = new Varints(entries, idsEnd(list))
  let end = 0
  return Array.from({ length: list.count }, (_, index) => {
    const project = numbers.next()
    const number = firstSeq + numbers.next()
    const offset = end + numbers.next()
    const [bytes, rowBytes] = [numbers.next(), numbers.next()]
    end = offset + bytes + rowBytes
    const eventId = list.hasIds ? idAt(entries, index * ID_BYTES) : null
    return { projectId: projectId(project), eventId, seq: seq(number), offset, bytes, rowBytes }
  })
}

/** True when some entry has the id, of whatever project: a look at the ids alone. */
export function hasEventId(entries: Buffer, list: EntryList, id: EventId): boolean {
  const wanted = Buffer.from(id, 'hex')
  for (let at = 0; at < idsEnd(list); at += ID_BYTES) {
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
  const numbers = new Varints(entries, idsEnd(list))
  for (let at = 0; at < idsEnd(list); at += ID_BYTES) {
    visit(numbers.next(), at)
    numbers.skip(VARINTS - 1)
  }
}

function idsEnd({ count, hasIds }: EntryList): number {
  return hasIds ? count * ID_BYTES : 0
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
