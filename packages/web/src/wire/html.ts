/** Text inside HTML, and JSON inside a script element. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

const LINE_SEPARATORS = /[\u2028\u2029]/g

/** JSON that cannot end its element, open a comment in it, or break a line of script. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll(LINE_SEPARATORS, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))
}
