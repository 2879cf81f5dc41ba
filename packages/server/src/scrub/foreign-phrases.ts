/** Secrets that sentences name in scripts other than Latin, whose words no blank of ASCII ends. */
import { FILTERED } from './filtered.ts'
import { isDemanding, isHarmlessWord } from './harmless.ts'
import { isValue } from './phrase-values.ts'
import { FOREIGN_GAP, FOREIGN_NOUN, STATUS } from './phrase-words.ts'
import { phraseKind } from './phrases.ts'

type OnFound = (rule: string, value: string) => void

/** Scrubs as `scrubProse` does, in scripts other than Latin: ASCII behind the noun is the value. */
export function scrubForeignProse(text: string, onFound: OnFound): string {
  let out = ''
  let copied = 0
  FOREIGN_NOUN.lastIndex = 0
  for (let match = FOREIGN_NOUN.exec(text); match !== null; match = FOREIGN_NOUN.exec(text)) {
    const kind = phraseKind(match)
    FOREIGN_GAP.lastIndex = FOREIGN_NOUN.lastIndex
    const raw = FOREIGN_GAP.exec(text)?.[1]
    if (raw === undefined) continue
    // `839201,5分钟内有效`: no blank behind the sign.
    const code =
      kind === 'one_time_code' ? /^\d{4,8}(?=[,;.](?:\D|\d{1,3}(?:\D|$)))/.exec(raw)?.[0] : undefined
    const value = code ?? raw.replace(/["'`.,;:!?)\]}]+$/, '')
    const start = FOREIGN_GAP.lastIndex - raw.length
    const isTelling = kind !== 'password' || /[A-Za-z]/.test(value) || /^\d{6,}$/.test(value)
    const isWord =
      /^[A-Za-z]{5,64}$/.test(value) &&
      /(?:[:=：—]|是|为|為|は|は、|это|是：|은|는|είναι|היא|هي)\s{0,2}$/.test(
        text.slice(Math.max(0, start - 3), start),
      )
    if (
      !isTelling ||
      !(isWord
        ? !isHarmlessWord(value) && !STATUS.test(value)
        : isValue({ text: value, start, end: start, isQuoted: false }, kind, true))
    )
      continue
    onFound(kind, value)
    out += text.slice(copied, start) + FILTERED
    copied = start + value.length
    FOREIGN_NOUN.lastIndex = copied
  }
  return scrubForeignWords(copied === 0 ? text : out + text.slice(copied), onFound)
}

/** The same of a value that has letters of its own script, and a digit: `Пароль пользователя ivan: Матрёшка9`. */
const FOREIGN_WORD =
  /(?:[ \u3000][\p{L}\p{M}\w.@-]{1,32}){0,3}(?:\s?[:：=—–-]\s{0,2}|\s)["'«“„「『]?(?=[^\s\d]{0,32}\d)(?=\d{0,32}\p{L})([\p{L}\p{M}\d!@#$%^&*_-]{5,64})(?=$|[\s.,;!?"'»”“」』)])/uy

function scrubForeignWords(text: string, onFound: OnFound): string {
  if (!/\d/.test(text)) return text
  let out = ''
  let copied = 0
  FOREIGN_NOUN.lastIndex = 0
  for (let match = FOREIGN_NOUN.exec(text); match !== null; match = FOREIGN_NOUN.exec(text)) {
    FOREIGN_WORD.lastIndex = FOREIGN_NOUN.lastIndex
    const value = match[1] === undefined ? undefined : FOREIGN_WORD.exec(text)?.[1]
    if (value === undefined || value.includes('Filtered') || isDemanding(value)) continue
    onFound('password', value)
    out += text.slice(copied, FOREIGN_WORD.lastIndex - value.length) + FILTERED
    copied = FOREIGN_WORD.lastIndex
    FOREIGN_NOUN.lastIndex = copied
  }
  return copied === 0 ? text : out + text.slice(copied)
}
