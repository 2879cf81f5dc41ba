/** Scrubs answers to password prompts: scripts of `expect`, and servers of mail. */
import { FILTERED } from './filtered.ts'
import { isPlaceholder } from './harmless.ts'

type OnFound = (rule: string, value: string) => void

/** A prompt within quotes or brackets: `"assword:"`, `{Password for bob: }`, `-re "(?i)passphrase"`. */
const PROMPT = String.raw`(?:assw(?:or)?d|assphrase|asscode|\bPIN|[Tt]oken|[Kk]ennwort|asswort|ontrase\Sa|ot de passe|\b[Ss]enha)[^"'{}\n\\]{0,40}["'}]`
/** Text between asking and answering: the end of a call, and the beginning of the next. */
const ASKED = String.raw`[\s;)\\rn{,]{0,40}(?:[\w.]{0,40}\bsend\w{0,12}|[\w.]{0,24}\.(?:sendline|write|puts|print(?:ln)?))(?:\s{0,4}\(\s{0,4}|\s{1,4})(?:--?\s{0,4}|-h\s{1,4}|--\s{1,4}){0,2}`
/** `expect "password:"; send "X\r"`, `child.expect('Password:'); child.sendline('X')`. */
const ANSWERED = new RegExp(
  String.raw`(${PROMPT}${ASKED})(\\?["'{])([^"'{}\r\n\\]{3,128})(?=\\{1,4}[rn]|["'}])`,
  'g',
)
/** `334 UGFzc3dvcmQ6` is "Password:" in Base64, and so is its answer. */
const MAIL =
  /(334 UGFzc3dvcmQ6(?:\s|\\[rn]){1,8}(?:(?:[A-Za-z]{2,8}[ :]{1,2})?[<>CS:-]{1,3}\s{1,2})?)([A-Za-z0-9+/]{4,256}={0,2})(?![A-Za-z0-9+/=])/g

export function scrubDialogs(text: string, onFound: OnFound): string {
  let out = text
  if (out.includes('send') || out.includes('.write') || out.includes('.put') || out.includes('.print')) {
    out = out.replace(ANSWERED, (whole: string, ...[before = '', quote = '', value = '']: string[]) => {
      if (value.startsWith('$') || isPlaceholder(value) || value === FILTERED) return whole
      onFound('password', value)
      return before + quote + FILTERED
    })
  }
  if (!out.includes('334 UGFzc3dvcmQ6')) return out
  return out.replace(MAIL, (whole: string, before: string, value: string) => {
    if (value === 'UGFzc3dvcmQ6') return whole
    onFound('password', value)
    return before + FILTERED
  })
}
