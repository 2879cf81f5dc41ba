/** Whether a word beside a noun of a secret is one. */
import { FILTERED } from './filtered.ts'
import { DOTTED_PATH, isDemanding, isHarmlessWord } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import { isSalad } from './letters.ts'
import { STATUS } from './phrase-words.ts'
import { isRandom, looksIssued } from './random.ts'

export type PhraseKind = 'password' | 'token' | 'one_time_code' | 'ssn' | 'credit_card' | 'personal'

export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

export function isValue({ text, isQuoted }: Word, kind: PhraseKind, isSaid: boolean): boolean {
  if (!isQuoted && text.startsWith('--')) return false // the next option
  if (text.length < 3 || /\s/.test(text) || text.includes(FILTERED) || PLACEHOLDER.test(text)) return false
  if (kind === 'ssn') return /^\d{3}-?\d{2}-?\d{4}$/.test(text)
  if (kind === 'credit_card') return /^\d{3,4}$/.test(text)
  if (kind === 'personal') return DATE.test(text) || DOCUMENT.test(text)
  if (kind === 'one_time_code')
    return (
      CODE.test(text) ||
      (isSaid && (looksIssued(text) || MIXED_CODE.test(text))) ||
      (/^[A-Za-z\d]{14,64}$/.test(text) && looksIssued(text))
    )
  if (isHarmlessWord(text) || (isQuoted && isSecretNoun(text))) return false
  if (ADDRESS.test(text) || (text.includes('://') && !text.includes('@'))) return false
  if (/^(?:min|max)_?length$/i.test(text) || text.startsWith('arn:')) return false
  // `reset email to user_id=42`, `a password to createUser`
  if (!isQuoted && (/^[a-z][a-z_]{1,30}=\d{1,12}$/.test(text) || FUNCTION.test(text))) return false
  if (kind === 'token' && (DOTTED_PATH.test(text) || INDEX.test(text))) return false
  const hasDigit = /\d/.test(text)
  const hasLetter = /\p{L}/u.test(text)
  if (kind === 'password') {
    // `hardcoded password: B105 at app.py:44`: a rule of a linter.
    if (!isQuoted && /^[A-Z]{1,4}\d{3,5}$/.test(text)) return false
    if (isQuoted) return !STATUS.test(text) && !isHarmlessWord(text)
    // Of an application: groups of four.
    if (/^[a-z\d]{4,5}(?:-[a-z\d]{4,5}){3,4}$/i.test(text)) return true
    if (isSalad(text)) return !isDemanding(text)
    if (isSaid) return (hasDigit && (hasLetter || text.length >= 4)) || /[a-z][A-Z]|[!@#$%^&*+~]/.test(text)
    return (
      looksIssued(text) ||
      (hasDigit && hasLetter && text.length >= 6 && !/[/\\=(){}:]/.test(text)) ||
      (/^\w{1,32}[!#%^*+~]\w{1,32}[!?]?$/.test(text) && text.length >= 6)
    )
  }
  if (isSalad(text) && (isSaid || isQuoted || kind === 'token')) return true
  const own = text.replace(/^[\w-]{1,40}=(?=[\w-])/, '')
  if (/^[\w-]{1,40}=|[/\\]|^\d[\d.,:-]*$|^v?\d+\./.test(text) && !looksIssued(own)) return false
  if (isSaid || isQuoted) return hasDigit && hasLetter && text.length >= 6
  if (/^[0-9a-f]{1,12}$/.test(text)) return false // which one
  return looksIssued(text) || (text.length >= 24 && isRandom(text, 0, text.length))
}

const FUNCTION =
  /^(?:create|get|set|update|change|reset|verify|check|hash|encode|validate|find|use|handle|on|is|has|to|from|with)[A-Z][a-z]+(?:[A-Z][a-z]+)*$/
/** `token_1`, `user_id_1_token_-1`: what Mongo calls an index. */
const INDEX = /^[a-z]\w{1,60}_-?1$/i
/** A passport's. */
const DOCUMENT = /^[A-Z]{1,2}\d{6,9}$/
const DATE = /^(?:(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d)$/
/** "Failed password for root from 203.0.113.9". */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/
const PLACEHOLDER =
  /^!{1,2}[a-z]{2,24}$|^[\w.@-]{0,16}[*•]{3}|^\d{8}T\d{6}|^(?:[%$:?{<*•.]|[xX]{3,}$|\[)|^\.{3}|…/
export const CODE =
  /^(?:\d{4,8}|\d{3}[- ]\d{3,4}|[A-Z]-\d{4,8}|(?=[A-Z0-9]{0,9}\d)(?=[A-Z0-9]{0,9}[A-Z])[A-Z0-9]{5,10}|(?=[\w-]{0,40}\d)[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,5})$/
export const MIXED_CODE = /^(?=[a-z]{0,15}\d)(?=\d{0,15}[a-z])[a-z\d]{8,16}$/
