const HIGH_SURROGATE = /[\ud800-\udbff]$/

/**
 * At most the first `charsMax` characters. A surrogate pair is never parted: half of one becomes U+FFFD in the document,
 * so that the text of the browser's first render would not be the server's.
 */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, charsMax).replace(HIGH_SURROGATE, '')
}
