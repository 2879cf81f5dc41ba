/** JSON as base64: what it says decides, not how it looks. */
import { FILTERED } from './filtered.ts'

/** Form of names and values in base64: begins with small letters. */
const FORM = /(?<![A-Za-z\d+/_-])[YZabcd][A-Za-z\d][A-Za-z\d+/_-]{22,4096}={0,2}(?![A-Za-z\d+/_=-]|\.\w)/g
const OF_FORM = /^[A-Za-z][\w.[\]-]{0,63}=[^&=\s]{0,512}(?:&[A-Za-z][\w.[\]-]{0,63}=[^&=\s]{0,1024}){1,32}$/

interface EncodedOptions {
  /** Scrubs a text that was decoded. */
  readonly text: (text: string) => string
  /** Scrubs parsed JSON; answers the same reference when nothing was found. */
  readonly json: (value: object) => unknown
  readonly onRule: (rule: string) => void
}

/** `{"`, `{ "`, `{\n`, `[{"`, `["` as base64 begins. */
const ENCODED =
  /(?<![A-Za-z\d+/_-])(?:eyJ|eyAi|ewog|ewoJ|ew0K|W3si|WyJ)[A-Za-z\d+/_-]{12,16384}={0,2}(?![A-Za-z\d+/_=-]|\.\w)/g
const MAYBE_ENCODED = /e(?:y[JA]|w[o0])|W(?:3si|yJ)/

function scrubForms(text: string, { text: scrub, onRule }: EncodedOptions): string {
  return text.replace(FORM, (whole: string) => {
    const form = Buffer.from(whole, 'base64').toString('latin1')
    if (!OF_FORM.test(form) || scrub(form) === form) return whole
    onRule('encoded')
    return FILTERED
  })
}

export function scrubEncoded(whole: string, options: EncodedOptions): string {
  const { json, onRule } = options
  const text = scrubForms(whole, options)
  if (!MAYBE_ENCODED.test(text)) return text
  return text.replace(ENCODED, (whole: string) => {
    const value = parseObject(Buffer.from(whole, 'base64').toString('utf8'))
    if (value === null || json(value) === value) return whole
    onRule('encoded')
    return FILTERED
  })
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null // no JSON
  }
}
