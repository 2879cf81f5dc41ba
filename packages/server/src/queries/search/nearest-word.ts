/** Finds the word that a mistyped one may have meant. */

/** The nearest of `words`: the same but for case, a part behind a dot, or at most two slips away; `null` for none. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const wanted = typed.toLowerCase()
  const isNamed = (word: string) => word.toLowerCase() === wanted || word.toLowerCase().endsWith(`.${wanted}`)
  const named = words.find(isNamed)
  if (named !== undefined) return named
  const slipsMax = Math.min(2, Math.floor(wanted.length / 3))
  let nearest: string | null = null
  let least = slipsMax + 1
  for (const word of words) {
    const slips = slipsBetween(wanted, word.toLowerCase(), least)
    if (slips < least) {
      least = slips
      nearest = word
    }
  }
  return nearest
}

/** Letters added, left out, replaced, or two that changed places; `beyond` or more count as `beyond`. */
function slipsBetween(one: string, other: string, beyond: number): number {
  if (Math.abs(one.length - other.length) >= beyond) return beyond
  let before: readonly number[] = []
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const row = [at]
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      row.push(
        Math.min(
          (above[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (above[to - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = above
    above = row
  }
  return Math.min(above[other.length] ?? beyond, beyond)
}
