/** Values of a search, in which `*` stands for any text, none included. One meaning in every store. */

export function hasWildcard(value: string): boolean {
  return value.includes('*')
}

/** The literal parts around the stars: at least two where there is a star. */
export function patternParts(pattern: string): readonly string[] {
  return pattern.split(/\*+/)
}

/** True when the whole text is as the pattern says. Linear: each part is looked for once, from where the last ended. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...others] = patternParts(pattern)
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** As SQLite's GLOB takes it: every other sign of its syntax stands for itself. */
export function globOf(pattern: string): string {
  return patternParts(pattern)
    .map((part) => part.replaceAll(/[[?]/g, '[$&]'))
    .join('*')
}

/** Databases fold ASCII alone: what is compared in any case goes by that. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
