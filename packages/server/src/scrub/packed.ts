/** MessagePack as text: a name and a value, each behind a byte that says how long it is. */
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'

interface PackedOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

/** Read as one byte a character: lengths up to 31 in the byte itself, or behind another one. */
const PACKED = /[\u00a2-\u00bf]([A-Za-z][\w.-]{1,30})([\u00a1-\u00bf]|\u00d9[\s\S])/g
/** Read as UTF-8: such a byte is no character. */
const BROKEN = /(\ufffd([A-Za-z][\w.-]{1,30})\ufffd)([^\ufffd]{1,256})/g
const LENGTH = 0xa0
const MAYBE = /[\u00a2-\u00bf\ufffd]/

export function scrubPacked(text: string, { keys, onFound }: PackedOptions): string {
  if (!MAYBE.test(text)) return text
  let out = ''
  let copied = 0
  for (const { 0: whole, 1: name = '', 2: sign = '', index } of text.matchAll(PACKED)) {
    const rule = whole.charCodeAt(0) - LENGTH === name.length ? keys.ruleOf(name) : null
    const start = index + whole.length
    const length = sign.length === 1 ? sign.charCodeAt(0) - LENGTH : sign.charCodeAt(1)
    const value = text.slice(start, start + length)
    if (rule === null || value === '' || start < copied || text.startsWith(FILTERED, start)) continue
    onFound(rule, value)
    out += text.slice(copied, start) + FILTERED
    copied = start + value.length
  }
  const rest = out + text.slice(copied)
  return rest.replace(BROKEN, (whole: string, before: string, name: string, value: string) => {
    const rule = keys.ruleOf(name)
    if (rule === null || value.startsWith('[Filtered')) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}
