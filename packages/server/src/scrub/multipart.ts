/** Parts of a multipart form in a text: the name is in the part's header, the value two line ends below it. */
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'

/** `name="…"` to the end of the header line, up to five more header lines, the empty line, and the part's first line. */
const PART =
  /(form-data;[^\r\n"]{0,60}\bname="([^"\r\n]{1,200})"[^\r\n]{0,400}(?:\r?\n[^\r\n]{1,400}){0,5}\r?\n\r?\n)/gi
const BOUNDARY = /\r?\n--/g

/** The text without the values of parts whose name means a secret, however many lines they have. */
export function scrubMultipart(
  text: string,
  keys: SecretKeys,
  onFound: (rule: string, value: string) => void,
): string {
  let out = ''
  let copied = 0
  for (const part of text.matchAll(PART)) {
    const [head, , name] = part
    const start = part.index + head.length
    const rule = keys.ruleOf(name ?? '')
    if (rule === null || start < copied) continue
    BOUNDARY.lastIndex = start
    const end = text.startsWith('--', start) ? start : (BOUNDARY.exec(text)?.index ?? text.length)
    const value = text.slice(start, end)
    if (value === '' || value === FILTERED) continue
    onFound(rule, value)
    out += text.slice(copied, start) + FILTERED
    copied = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}
