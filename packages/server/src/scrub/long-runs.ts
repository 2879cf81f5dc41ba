/** Runs of characters that are worth a closer look: as long as keys, as long as numbers of cards. */
import { codeAt } from '#base/code-at.ts'
import { isDigit } from './characters.ts'

export const CARD_RUN = 13
/** Signs that stand between groups of digits. */
const JOINING = new Uint8Array(128)
for (const sign of ' -._/,|') JOINING[sign.charCodeAt(0)] = 1
/** Letters, digits, and what joins them. */
const IS_WORD = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-0123456789')
  IS_WORD[letter.charCodeAt(0)] = 1

const LOWER = 1
const UPPER = 2
const DIGIT = 4
export const WORD_RUN = 21
export const BLOB_RUN = 40
/** Least changes of a name in humps: each word has two. */
const CHANGES_MIN = 6

/**
 * True for a run of token characters that is no word: behind a known prefix, or long and with digits or capitals in
 * it.
 */
export function isTokenLike(text: string): boolean {
  let run = 0
  let kind = 0
  let kinds = 0
  let changes = 0
  let blob = 0
  let blobKinds = 0
  const end = text.length
  for (let at = 0; at < end; at++) {
    const code = codeAt(text, at)
    const isWord = code < 128 && IS_WORD[code] === 1
    if (!isWord) {
      run = kinds = changes = kind = 0
      if (code === 0x2b || code === 0x2f) blob++
      else blob = blobKinds = 0
      continue
    }
    const next = kindOf(code)
    if (next !== 0) {
      if (next !== kind) changes++
      kind = next
    }
    kinds |= next
    blobKinds |= next
    if (++run >= WORD_RUN && ((kinds & DIGIT) !== 0 || changes >= CHANGES_MIN)) return true
    if (++blob >= BLOB_RUN && blobKinds === (LOWER | UPPER | DIGIT)) return true
  }
  return false
}

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return LOWER
  if (code >= 0x41 && code <= 0x5a) return UPPER
  return isDigit(code) ? DIGIT : 0
}

export function hasCardRun(text: string): boolean {
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at)
    if (isDigit(code)) {
      if (++run === CARD_RUN) return true
      // Narrow blanks and long dashes join the groups of a number.
    } else if (code > 127) {
      if (code !== 0xa0 && (code < 0x2009 || code > 0x202f)) run = 0
    } else if (JOINING[code] === 0 || (code !== 0x20 && !isDigit(text.charCodeAt(at - 1)))) run = 0
  }
  return false
}
