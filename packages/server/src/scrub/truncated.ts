/** Names that the beginning of a text cut off: `ssword":"X","user":…`, `ssword=X&user=…`. What is left of one tells it. */
import { FILTERED } from './filtered.ts'
import { hidesNothing, isHarmlessWord, isPlaceholder, isRemark } from './harmless.ts'

const END = `(?:a?s?sword|a?s?swd|e?cret|oken|ikey|(?:api|ess|ate)_?key|ssphrase|redentials?)`
const QUOTED = new RegExp(
  String.raw`^([\w-]{0,16}?${END}\\{0,3}["']\s?(?::|=>?)\s?\\{0,3}["'])([^"'\\\n]{3,1024})`,
  'i',
)
const QUERY = new RegExp(String.raw`^(${END}=)([^&\s"']{3,1024})(?=&\w)`, 'i')

export function scrubTruncated(text: string, onFound: (rule: string, value: string) => void): string {
  const [whole, before = '', value = ''] = QUOTED.exec(text) ?? QUERY.exec(text) ?? []
  if (whole === undefined || value.startsWith('[Filtered') || isPlaceholder(value) || isHarmlessWord(value))
    return text
  if (hidesNothing('password', value) || isRemark(value)) return text
  onFound('password', value)
  return before + FILTERED + text.slice(before.length + value.length)
}
