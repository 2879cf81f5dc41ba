/**
 * Which block of a file holds an event: 8 bytes an event. Each entry packs 27 bits of a hash and 26 bits of the
 * block's number into one double, so that typed arrays sort and search them without bigints. A hash may match
 * another event: whoever asks looks into the block's header, which lists the ids.
 */
import { assert } from '#base/errors.ts'
import type { EventId, ProjectId } from '#base/ids.ts'
import { visitEntries } from './format.ts'

/** 776 blocks a second for a whole day: no batch delay lets so many through. */
const BLOCKS_MAX = 2 ** 26
/** New entries are searched one by one until they are an eighth of the sorted ones. */
const TAIL_MIN = 4_096

export class BlockIndex {
  #starts = new Float64Array(64)
  #blocks = 0
  #sorted = new Float64Array(0)
  #tail = new Float64Array(TAIL_MIN)
  #tailLength = 0

  get bytes(): number {
    return this.#starts.byteLength + this.#sorted.byteLength + this.#tail.byteLength
  }

  /** Adds a block that begins at `start` of the file. */
  add(
    start: number,
    entries: readonly { readonly projectId: ProjectId; readonly eventId: EventId | null }[],
  ): void {
    const number = this.#addStart(start)
    for (const { projectId, eventId } of entries) {
      if (eventId !== null) this.#addEntry(hashEventId(projectId, eventId), number)
    }
  }

  /** The same for the block of an intact header, which a whole file has thousands of. */
  addHeader(start: number, header: Buffer): void {
    const number = this.#addStart(start)
    visitEntries(header, (project, first, last) => {
      this.#addEntry(hashOfWord(project, first ^ last), number)
    })
  }

  /** Returns the starts of blocks that may hold the event, the last added first. */
  find(project: ProjectId, id: EventId): number[] {
    const low = hashEventId(project, id) * BLOCKS_MAX
    const high = low + BLOCKS_MAX
    const numbers: number[] = []
    for (let at = lowerBound(this.#sorted, low); at < this.#sorted.length; at++) {
      const entry = this.#sorted[at] ?? 0
      if (entry >= high) break
      numbers.push(entry - low)
    }
    for (let at = 0; at < this.#tailLength; at++) {
      const entry = this.#tail[at] ?? 0
      if (entry >= low && entry < high) numbers.push(entry - low)
    }
    return [...new Set(numbers)].sort((a, b) => b - a).map((number) => this.#starts[number] ?? 0)
  }

  #addStart(start: number): number {
    assert(this.#blocks < BLOCKS_MAX, 'a payload file has fewer blocks than an index can number')
    if (this.#blocks === this.#starts.length) this.#starts = growArray(this.#starts)
    const number = this.#blocks++
    this.#starts[number] = start
    return number
  }

  #addEntry(hash: number, number: number): void {
    if (this.#tailLength === this.#tail.length) this.#makeRoom()
    this.#tail[this.#tailLength++] = hash * BLOCKS_MAX + number
  }

  #makeRoom(): void {
    if (this.#tail.length < this.#sorted.length / 8) {
      this.#tail = growArray(this.#tail)
      return
    }
    this.#sorted = mergeSorted(this.#sorted, this.#tail.sort())
    this.#tailLength = 0
  }
}

/** 27 bits of the event id, which is random, mixed with the project. */
function hashEventId(project: ProjectId, id: EventId): number {
  const word = Number.parseInt(id.slice(0, 8), 16) ^ Number.parseInt(id.slice(24), 16)
  return hashOfWord(project, word)
}

function hashOfWord(project: number, word: number): number {
  return Math.imul(word ^ Math.imul(project, 0x9e3779b1), 0x85ebca6b) >>> 5
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function mergeSorted(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const all = new Float64Array(a.length + b.length)
  let left = 0
  let right = 0
  for (let at = 0; at < all.length; at++) {
    const fromLeft = right >= b.length || (left < a.length && (a[left] ?? 0) <= (b[right] ?? 0))
    all[at] = (fromLeft ? a[left++] : b[right++]) ?? 0
  }
  return all
}

function growArray(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2)
  larger.set(array)
  return larger
}
