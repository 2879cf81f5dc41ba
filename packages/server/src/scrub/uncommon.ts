/** Whether a word near a secret's name is one: what people choose and programs make, and no word, name or number of a log. */

import { FILTERED } from './filtered.ts'
import { hidesNothing, isDemanding, isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isOfManuals } from './manual-words.ts'
import { looksIssued } from './random.ts'

const CHARS_MIN = 5
const CHARS_MAX = 256

/** Versions, times, addresses, ids of a row or a region, names of algorithms, files, hosts, members of an object. */
const NAMES_A_THING =
  /^(?:v?\d+(?:[.:,x/-]\d+)*[a-z%]{0,2}|[a-z]{1,8}[-_]?\d{1,3}|[a-z]{1,12}(?:-[a-z]{1,12}){0,4}-v?\d{1,6}|argon2\w{0,2}|\d+(?:st|nd|rd|th|ms|[smhdkx]|[kmg]b|px)|\d{4}-\d\d-\d\d(?:T.*)?|\d{1,2}[/-][a-z]{3}[/-]\d{2,4}.*|0x[\da-f]+|[a-z]\w{1,30}:0x[\da-f]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]+\d?\.[a-z_][\w.]*|\+.*|https?-.*|(?:h1|sha\d+)[:-].*|\w+(?:\.\w+)*\.(?:[cm]?[jt]sx?|py|rb|go|java|php|rs|cs|kt|swift|vue|json|ya?ml|toml|xml|md|sql|sh|exs?|erl|scala|lua|dart|cpp|hpp|html?|css|com|org|net|io|dev|local|internal|pem|key|env|conf|ini|cfg|log|txt|svc|mp4)(?::\d+){0,2})$/i
/** `hunter2`; `user42` is of the same shape. */
const WORD_AND_DIGITS = /^([A-Za-z]{4,})[-_]?\d{1,4}$/
const NUMBERED =
  /^(?:user|admin|account|client|test|host|node|server|line|row|page|step|field|input|param|worker|shop|base|auth|oauth|argon|bcrypt|python|level|type|rule|attempt|job|task|port|slot|group|team|version|index|item|part|stage|build|column|release|zone|rack|shard|prod|staging|option|status|code|error|chunk|frame|thread|pool|exec|channel|room|order|session|event|case|tier|plan|identifier|keyword|token|string|float|uint|secret|pass|password|passwd|device|customer|tenant|cluster|replica|primary|vault|region|cookie)s?$/i
const SIGN = /[!#$%^&*+~?]/
const NAME_OF_CODE =
  /^[a-z]+[A-Z][a-z]+[A-Za-z]*\d?$|^(?:[A-Z][a-z]+){2,5}V?\d?$|^[A-Z_]+\d{0,2}$|^[A-Z]{2,6}-?[\dA-F]{1,10}$|^[\dA-F]{40}$/
const HEX_KEY = /^(?=[a-f]*\d)[\da-f]{16,}$/

/** True for letters with digits or signs among them that no log writes for another reason. */
export function isMade(value: string, rule: string): boolean {
  if (value.length < CHARS_MIN || value.length > CHARS_MAX || !/[A-Za-z]/.test(value)) return false
  const hasSign = SIGN.test(value.slice(0, -1)) || /[!#$%^*~]$/.test(value)
  if (!hasSign && !/\d/.test(value)) return false
  if (/^[.#$%&*?!-]|[.:]$|&[gl]t$|\\n/.test(value) || NAME_OF_CODE.test(value)) return false
  if (rule !== 'password' && !(value.length >= 10 && looksIssued(value)) && !HEX_KEY.test(value)) return false
  const word = rule === 'password' ? WORD_AND_DIGITS.exec(value)?.[1] : undefined
  if (word !== undefined) return !NUMBERED.test(word) && word !== word.toUpperCase()
  if (NAMES_A_THING.test(value)) return false
  return !/[/\\=:@(){}<>]/.test(value) || looksIssued(value)
}

/** True for a word, or words joined by dashes, of which one is none that programs use. */
export function isUncommon(value: string): boolean {
  return (
    /^[A-Za-z][a-z]{4,30}(?:-[a-z]{2,20}){0,3}$|^[A-Z]{5,24}$/.test(value) &&
    !value.split('-').every((part) => isOfManuals(part))
  )
}

/** True for what no rule for values calls harmless. */
export function mayBeSecret(value: string, keys: SecretKeys): boolean {
  return !(
    value.length < 4 ||
    value.includes(FILTERED) ||
    isPlaceholder(value) ||
    isHarmlessWord(value) ||
    isSecretNoun(value) ||
    isDemanding(value) ||
    hidesNothing('password', value) ||
    keys.ruleOf(value) !== null
  )
}
