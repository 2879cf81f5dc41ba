/**
 * An address of a payload as a link: `http:` and `https:` alone, written in full. Anything else, `javascript:`,
 * `data:`, relative or broken, is no link at all and gives `undefined`.
 */
export function safeHref(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > HREF_CHARS_MAX) return undefined
  if (!/^https?:\/\/[^\s]/i.test(text)) return undefined
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
  } catch {
    // Not an address: shown as text.
    return undefined
  }
}

const HREF_CHARS_MAX = 8_192
