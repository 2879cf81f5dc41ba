/** Secrets that stand before the word that names them: "tried X as the password", "123456 is your code". */
import { FILTERED } from './filtered.ts'
import { isChosen } from './ordinary.ts'
import { isValue } from './phrase-values.ts'
import { CODE_FIRST, CODE_JUDGED, MAYBE_CODE } from './phrase-words.ts'
import { looksIssued } from './random.ts'

type OnFound = (rule: string, value: string) => void

/** "123456 is your verification code", "the code 123456 is invalid". */
export function scrubCodesFirst(text: string, onFound: OnFound): string {
  let out = text
  if (MAYBE_CODE.test(out)) {
    out = out.replace(CODE_FIRST, (whole: string, code: string) => {
      onFound('one_time_code', code)
      return whole.slice(0, whole.length - code.length) + FILTERED
    })
  }
  if (!/\bcode ["'`]?\d{6}/i.test(out)) return out
  return out.replace(CODE_JUDGED, (code) => {
    onFound('one_time_code', code)
    return FILTERED
  })
}

/** "tried X as the password", "using X for his PIN". */
const USED_AS =
  /(?<=\b(?:tr(?:y|ied|ying)|us(?:e|ed|es|ing)|with|enter(?:ed|s|ing)?|typed?|sent|send|gave|given|provided|accepted|set|value) ["'`]?)([^\s"'`]{6,256})(?=["'`]? (?:(?:and|or) ["'`]?\S{4,64}["'`]? )?(?:as|for|in|into) (?:(?:the|my|your|his|her|its|their|our|a|an|new|old|admin|root|default|user|login|db|database|wifi) ){0,3}(?:passwords?|passphrase|passcode|token|api[ -]key|secret|credentials?)\b)|(?<= and )[^\s"'`]{6,256}(?= as (?:the )?passwords?\b)/gi
const MAYBE_USED_AS =
  / (?:as|for|in|into) (?:[a-z]{1,8}[ -]){0,3}(?:bearer |access |auth )?(?:passw|passp|passc|token|api|secret|credential)/i

/** "3f2a… as bearer token": nothing else is one. */
const ISSUED_AS =
  /(?<![\w./-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]{0,63}\d)[0-9a-f]{16,64}|(?=[A-Za-z]{0,63}\d)[\w-]{20,128})(?=["'`]? (?:(?:was )?(?:rejected|refused|used|sent|given) )?as (?:(?:a|an|the|its|our|their|your|my) )?(?:bearer|access|api|auth|session|secret|refresh)?[ -]?(?:token|key|secret|password|credential)\b)/g

export function scrubUsedAs(whole: string, onFound: OnFound): string {
  if (!MAYBE_USED_AS.test(whole)) return whole
  const text = whole.replace(ISSUED_AS, (value) => {
    if (!looksIssued(value)) return value
    onFound('token', value)
    return FILTERED
  })
  return text.replace(USED_AS, (value: string) => {
    if (!isChosen(value) && !isValue({ text: value, start: 0, end: 0, isQuoted: false }, 'password', false))
      return value
    onFound('password', value)
    return FILTERED
  })
}
