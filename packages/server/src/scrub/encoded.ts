/** JSON as base64: what it says decides, not how it looks. */
import { FILTERED } from './filtered.ts'

interface EncodedOptions {
  /** Scrubs parsed JSON; answers the same reference when nothing was found. */
  readonly json: (value: object) => unknown
  readonly onRule: (rule: string) => void
}

/** `{"`, `{ "`, `{\n`, `[{"`, `["` as base64 begins. */
const ENCODED =
  /(?<![A-Za-z\d+/_-])(?:eyJ|eyAi|ewog|ewoJ|ew0K|W3si|WyJ)[A-Za-z\d+/_-]{12,16384}={0,2}(?![A-Za-z\d+/_=-]|\.\w)/g
const MAYBE_ENCODED = /e(?:y[JA]|w[o0])|W(?:3si|yJ)/

export function scrubEncoded(text: string, { json, onRule }: EncodedOptions): string {
  if (!MAYBE_ENCODED.test(text)) return text
  return text.replace(ENCODED, (whole: string) => {
    const value = parsed(Buffer.from(whole, 'base64').toString('utf8'))
    if (value === null || json(value) === value) return whole
    onRule('encoded')
    return FILTERED
  })
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null // no JSON
  }
}
