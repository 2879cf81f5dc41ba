/** Values of a search, in which `*` stands for any text, none included. One meaning in every store. */

/** Stands for a star that was typed as `\*`: a code point that Unicode keeps free for uses such as this. */
const STAR = '\uFDD0'
/** Two backslashes before a star are one before any text. */
const TYPED_STAR = /\\(\\?)\*/g

/** Returns typed text with stars that mean themselves told from those that stand for any text. */
export function withOwnStars(typed: string): string {
  return typed.replaceAll(TYPED_STAR, (_, second: string) => (second === '' ? STAR : '\\*'))
}

/** A value of the data, in which no star stands for any text. */
export function asOwnText(value: string): string {
  return value.replaceAll('*', STAR)
}

/** True where a backslash would be read together with the star behind it, unless the value is quoted. */
export function needsQuotes(value: string): boolean {
  return /\\[*\uFDD0]/.test(value)
}

/** Returns the value as it is typed again. */
export function typedStars(value: string): string {
  return value.replaceAll(STAR, '\\*')
}

/** The text that a value without wildcards names. */
export function literalText(value: string): string {
  return value.replaceAll(STAR, '*')
}

export function hasWildcard(value: string): boolean {
  return value.includes('*')
}

/** The literal parts around the stars: at least two where there is a star. */
export function patternParts(pattern: string): readonly string[] {
  return pattern.split(/\*+/).map(literalText)
}

/** Returns what is true of a text that is as the pattern says; the pattern is taken apart once for many texts. */
export function patternTest(pattern: string): (text: string) => boolean {
  const parts = patternParts(pattern)
  return (text) => matchesParts(parts, text)
}

/** True when the whole text is as the pattern, which was taken apart before, says. Linear: each part is looked for once, from where the last ended. */
export function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? ''
  if (parts.length < 2) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  const ending = parts.length - 1
  for (let index = 1; index < ending; index++) {
    const part = parts[index] ?? ''
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts[ending] ?? ''
  return text.length - last.length >= at && text.endsWith(last)
}

/** Characters that `matchesParts` looks at, at most: all over the text for what stands between two stars alone. */
export function stepsOfParts(parts: readonly string[], text: string): number {
  const first = parts[0]?.length ?? 0
  if (parts.length < 2) return first === text.length ? 1 + first : 1
  const ends = Math.min(text.length, first) + Math.min(text.length, parts.at(-1)?.length ?? 0)
  return 1 + ends + (parts.length === 2 ? 0 : text.length + Math.min(text.length, parts.length))
}

/** Returns the pattern for GLOB; other special characters are escaped. */
export function globOf(pattern: string): string {
  return patternParts(pattern)
    .map((part) => part.replaceAll(/[[?*]/g, '[$&]'))
    .join('*')
}

/** Databases fold ASCII alone: what is compared in any case goes by that. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
