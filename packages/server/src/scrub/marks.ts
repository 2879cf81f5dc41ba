/**
 * Finds many fixed texts in one walk over a text (Aho and Corasick): what was read so far is a state, and each character
 * leads to the next one by a table. No branch depends on the text, so that a processor never guesses wrong, which costs
 * more than the look-ups do.
 *
 * A mark is written in small letters and found in any case. `^` is the beginning of a word, a blank any white space, a
 * character beyond ASCII any of those. All of them find too much rather than too little.
 */

import { codeAt } from '#base/code-at.ts'
import { assert } from '#base/errors.ts'

export interface Marks {
  /** Bit that finding one of `texts` sets. */
  readonly bit: number
  readonly texts: readonly string[]
}

export interface MarkTable {
  /** The row of a state begins at `state << WIDTH_BITS`. */
  readonly next: Uint16Array
  readonly bits: Uint32Array
  readonly start: number
}

const SIGNS = '-_./$~+,:("\'`=@<>\\&#% [|*'
/** Classes of characters; a row holds one entry for each. */
const OTHER = 0
const BEYOND_ASCII = 1
const FIRST_LETTER = 2
const FIRST_DIGIT = FIRST_LETTER + 26
const FIRST_SIGN = FIRST_DIGIT + 10
/** Stands behind each sign: no character has it. */
const BOUNDARY = FIRST_SIGN + SIGNS.length
export const WIDTH_BITS = 6
const WIDTH = 1 << WIDTH_BITS
/** A longer mark is found by its beginning. */
const MARK_CHARS = 16

/** The class of each code below 127; codes from 127 on share the last one. */
export const CLASS_OF: Uint8Array = new Uint8Array(128)
for (let code = 0; code < 128; code++) CLASS_OF[code] = classOf(code)

function classOf(code: number): number {
  if (code >= 0x7f) return BEYOND_ASCII
  const letter = code | 0x20
  if (letter >= 0x61 && letter <= 0x7a) return FIRST_LETTER + letter - 0x61
  if (code >= 0x30 && code <= 0x39) return FIRST_DIGIT + code - 0x30
  const sign = SIGNS.indexOf(code <= 0x20 ? ' ' : String.fromCharCode(code))
  return sign === -1 ? OTHER : FIRST_SIGN + sign
}

/** True for a class of no letter and no digit. */
export function isSign(of: number): boolean {
  return of < FIRST_LETTER || of >= FIRST_SIGN
}

const SIGN_CLASSES = Array.from({ length: BOUNDARY }, (_, of) => of).filter(isSign)

/** The classes of a mark, as far as it is looked at. */
function classesOf(mark: string): number[] {
  const classes: number[] = []
  for (const letter of mark.slice(0, MARK_CHARS + 1)) {
    if (letter === '^') {
      classes.push(BOUNDARY)
      continue
    }
    const of = CLASS_OF[Math.min(letter.charCodeAt(0), 127)] ?? OTHER
    if (of === OTHER) break // a sign that has no class ends what can be told
    classes.push(of)
    if (isSign(of)) classes.push(BOUNDARY)
  }
  return classes
}

export function markTable(all: readonly Marks[]): MarkTable {
  const marks = all.flatMap(({ bit, texts }) => texts.map((text) => ({ bit, classes: classesOf(text) })))
  const trie = new Trie(marks.reduce((sum, { classes }) => sum + classes.length, 1))
  for (const { bit, classes } of marks) trie.add(classes, bit)
  trie.link()
  return trie.table()
}

/** The bits of all marks in a text. */
export function marksIn(text: string, { next, bits, start }: MarkTable): number {
  let state = start
  let found = 0
  for (let at = 0; at < text.length; at++) {
    state = next[(state << WIDTH_BITS) + (CLASS_OF[Math.min(codeAt(text, at), 127)] ?? 0)] ?? 0
    found |= bits[state] ?? 0
  }
  return found
}

/**
 * Children of each state by class, completed by what follows where there is no child. Rows are copied as a whole: each
 * thread that scrubs makes its tables when it starts, before anything of this is compiled.
 */
class Trie {
  readonly #next: Uint16Array<ArrayBuffer>
  readonly #bits: Uint32Array<ArrayBuffer>
  /** By state: the class that leads to it, its last child, and the child of the same parent before it. */
  readonly #via: Uint8Array
  readonly #child: Uint16Array
  readonly #sibling: Uint16Array
  #count = 1

  constructor(statesMax: number) {
    assert(statesMax < 65_536, 'states of marks are numbers of 16 bits')
    this.#next = new Uint16Array(statesMax * WIDTH)
    this.#bits = new Uint32Array(statesMax)
    this.#via = new Uint8Array(statesMax)
    this.#child = new Uint16Array(statesMax)
    this.#sibling = new Uint16Array(statesMax)
  }

  add(classes: readonly number[], bit: number): void {
    let state = 0
    for (const of of classes) state = this.#next[state * WIDTH + of] || this.#newChild(state, of)
    this.#bits[state] = (this.#bits[state] ?? 0) | bit
  }

  #newChild(parent: number, via: number): number {
    const state = this.#count++
    this.#next[parent * WIDTH + via] = state
    this.#via[state] = via
    this.#sibling[state] = this.#child[parent] ?? 0
    this.#child[parent] = state
    return state
  }

  /** Links nodes: where no child goes on, the longest end of what was read that begins a mark does. */
  link(): void {
    const [next, bits] = [this.#next, this.#bits]
    const shorter = new Uint16Array(this.#count)
    const order = [0]
    for (const state of order) {
      const [row, back] = [state * WIDTH, shorter[state] ?? 0]
      if (state !== 0) {
        bits[state] = (bits[state] ?? 0) | (bits[back] ?? 0)
        next.copyWithin(row, back * WIDTH, back * WIDTH + WIDTH)
      }
      for (let child = this.#child[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) {
        const place = row + (this.#via[child] ?? 0)
        if (state !== 0) shorter[child] = next[place] ?? 0
        next[place] = child
        order.push(child)
      }
    }
  }

  /** Signs step twice: over themselves, and over the boundary behind them. */
  table(): MarkTable {
    const linked = this.#next
    const next = linked.slice(0, this.#count * WIDTH)
    for (let row = 0; row < next.length; row += WIDTH) {
      for (const of of SIGN_CLASSES) next[row + of] = linked[(next[row + of] ?? 0) * WIDTH + BOUNDARY] ?? 0
      next[row + BOUNDARY] = 0
    }
    return { next, bits: this.#bits.slice(0, this.#count), start: linked[BOUNDARY] ?? 0 }
  }
}
