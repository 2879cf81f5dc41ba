/** Cuts text to a service's maximum without breaking it: no half escape, no half character, no open tag. */

/** Escaped character by character; what does not fit falls off the end. */
export function escapedWithin(text: string, charsMax: number, escaped = (whole: string) => whole): string {
  const whole = escaped(text)
  if (whole.length <= charsMax) return whole
  let kept = ''
  for (const character of text) {
    const added = escaped(character)
    if (kept.length + added.length >= charsMax) break
    kept += added
  }
  return `${kept}…`
}

/** The first lines, whole ones; `sizeOf` where the service counts otherwise, such as in bytes. */
export function linesWithin(
  lines: readonly string[],
  most: number,
  sizeOf = (line: string) => line.length,
): string {
  const kept: string[] = []
  let size = 0
  for (const line of lines) {
    size += sizeOf(line) + 1
    if (size > most + 1) break
    kept.push(line)
  }
  return kept.join('\n')
}
