/** Finding things with a name by what somebody typed, in any case and with or without accents. Pure. */

/** Tells whether a name fits what was typed. */
export type Fits = (name: string) => boolean

/** Returns a test for names that have every word of the text somewhere. */
export function fitsText(text: string): Fits {
  const words = foldText(text).trim().split(/\s+/)
  return (name) => {
    const folded = foldText(name)
    return words.every((word) => folded.includes(word))
  }
}

/** Returns a test for names that begin a word with each word of the text, one slip of a longer word aside. */
export function nearText(text: string): Fits {
  const words = wordsOf(text)
  return (name) => {
    const own = wordsOf(name)
    return words.length > 0 && words.every((word) => own.some((other) => isNear(word, other)))
  }
}

function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function wordsOf(text: string): readonly string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Fewest characters of a word that may have a slip: shorter ones are near to everything. */
const SLIP_CHARS_MIN = 4

/** Whether the other word begins with the typed one but for one character: missing, added, another, or changed places. */
function isNear(typed: string, other: string): boolean {
  let same = 0
  while (same < typed.length && typed[same] === other[same]) same++
  if (same === typed.length) return true
  if (typed.length < SLIP_CHARS_MIN) return false
  const [left, right] = [typed.slice(same), other.slice(same)]
  return (
    right.startsWith(left.slice(1)) ||
    right.slice(1).startsWith(left.slice(1)) ||
    right.slice(1).startsWith(left) ||
    right.startsWith(`${left[1] ?? ''}${left[0]}${left.slice(2)}`)
  )
}
