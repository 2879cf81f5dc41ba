/**
 * Which key names carry secrets. A name is folded (`x-api-key`, `apiKey`, `API_KEY` are one) and looked at twice: for
 * stems that mean a secret anywhere in it, and word by word for short names that are harmless inside other words
 * (`author`, `session_count`, `bypass`). The table in `keys.test.ts` is the specification.
 */

import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { isHarmlessText } from './triggers.ts'

/** Anywhere in the folded name. */
const STEMS: readonly (readonly [stem: string, rule: string])[] = [
  ['password', 'password'],
  ['passwort', 'password'],
  ['passwd', 'password'],
  ['passphrase', 'password'],
  ['passcode', 'password'],
  ['mysqlpwd', 'password'],
  ['secret', 'secret'],
  ['credential', 'secret'],
  ['apikey', 'api_key'],
  ['apitoken', 'api_key'],
  ['accesskey', 'api_key'],
  ['accountkey', 'api_key'],
  ['masterkey', 'api_key'],
  ['encryptionkey', 'api_key'],
  ['signingkey', 'api_key'],
  ['storagekey', 'api_key'],
  ['subscriptionkey', 'api_key'],
  ['privatekey', 'private_key'],
  ['sshkey', 'private_key'],
  ['authorization', 'authorization'],
  ['authtoken', 'token'],
  ['accesstoken', 'token'],
  ['refreshtoken', 'token'],
  ['bearer', 'token'],
  ['amzsignature', 'token'],
  ['googsignature', 'token'],
  ['hubsignature', 'token'],
  ['amzsecuritytoken', 'token'],
  ['csrf', 'token'],
  ['xsrf', 'token'],
  ['sessionid', 'session'],
  ['sessid', 'session'],
  ['sessionkey', 'session'],
  ['sessiontoken', 'session'],
  ['creditcard', 'credit_card'],
  ['cardnumber', 'credit_card'],
  ['ccnumber', 'credit_card'],
  ['connectionstring', 'secret'],
]
/** Ordinary words that a stem is part of. */
const HARMLESS = /secretar(?:y|iat|ies)/g

/** A whole word of the name. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['pass', 'password'],
  ['pwd', 'password'],
  ['pw', 'password'],
  ['passkey', 'password'],
  ['pin', 'password'],
  ['otp', 'password'],
  ['totp', 'password'],
  ['auth', 'authorization'],
  ['authentication', 'authorization'],
  ['oauth', 'authorization'],
  ['oauth2', 'authorization'],
  ['token', 'token'],
  ['tokens', 'token'],
  ['jwt', 'token'],
  ['sig', 'token'],
  ['salt', 'secret'],
  ['creds', 'secret'],
  ['cookie', 'cookie'],
  ['cookies', 'cookie'],
  ['session', 'session'],
  ['sid', 'session'],
  ['cvv', 'credit_card'],
  ['cvc', 'credit_card'],
  ['cvv2', 'credit_card'],
  ['iban', 'iban'],
  ['ssn', 'ssn'],
])

/** What describes a secret without being one, when it is the last word: `token_type`, `session_count`. */
const DESCRIBING: ReadonlySet<string> = new Set(
  `count counts type types limit limits length size expires expiry expired expiration ttl age at on url uri endpoint
  endpoints domain path name names status state enabled required valid invalid usage used policy strength min max
  index position method methods scheme mode provider providers duration timeout started start ended end active
  storage tracking replay version level error errors rate budget per consent banner backend backends sock socket
  service middleware attempts retries module class function file format algorithm alg issuer audience scope scopes
  sampled hint label field input column lifetime interval reset changed updated created strategy verified`.split(
    /\s+/,
  ),
)
/** After `session` only these make it a secret; `session_start` and kin are many. */
const SESSION_SECRETS: ReadonlySet<string> = new Set([
  'id',
  'key',
  'token',
  'cookie',
  'cookies',
  'secret',
  'hash',
  'data',
  'value',
])
/** Plural counters of language models: `max_tokens`, `prompt_tokens`. */
const TOKEN_COUNTERS: ReadonlySet<string> = new Set(
  `max min total prompt completion input output cached reasoning num used remaining usage count thinking`.split(
    /\s+/,
  ),
)
/** Environment variables end in `_KEY`; these are no secrets. */
const PUBLIC_KEYS: ReadonlySet<string> = new Set([
  'public',
  'primary',
  'foreign',
  'cache',
  'sort',
  'partition',
  'publishable',
])

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const WORDS_MAX = 16
const KEY_CHARS = 256

/** What a name means as the key of a value. */
export interface KeyVerdict {
  /** Name of the rule that makes the value a secret, or `null`. */
  readonly rule: string | null
  /** The name itself holds nothing that a rule for texts could match. */
  readonly isHarmless: boolean
}

export class SecretKeys {
  readonly #extra: readonly string[]
  readonly #allowed: ReadonlySet<string>
  /** Lines, columns and clocks stand before colons in every stack: no name at all, unless the project has such a key. */
  readonly #numbersAreNames: boolean
  /** Judging a name costs 3 µs, and an event has hundreds: nearly all are those of the event before. */
  readonly #verdicts = new Memo<KeyVerdict>(
    (key) => ({ rule: this.#judge(key), isHarmless: isHarmlessText(key) }),
    { entriesMax: max('memoEntriesMax'), charsMax: KEY_CHARS },
  )

  constructor({ extraKeys, allowedKeys }: Pick<ScrubOptions, 'extraKeys' | 'allowedKeys'>) {
    this.#extra = extraKeys.map(fold).filter((key) => key !== '')
    this.#numbersAreNames = this.#extra.some(isNumber)
    this.#allowed = new Set(
      allowedKeys.flatMap((key) => [key.trim().toLowerCase(), fold(key)]).filter((key) => key !== ''),
    )
  }

  /** Name of the rule that makes this key's value a secret, or `null`. */
  ruleOf(key: string): string | null {
    return !this.#numbersAreNames && isNumber(key) ? null : this.#verdicts.of(key).rule
  }

  verdictOf(key: string): KeyVerdict {
    return this.#verdicts.of(key)
  }

  isAllowed(key: string): boolean {
    return this.#allowed.size > 0 && (this.#allowed.has(key.toLowerCase()) || this.#allowed.has(fold(key)))
  }

  #judge(key: string): string | null {
    if (this.isAllowed(key)) return null
    const folded = fold(key)
    if (this.#extra.some((extra) => folded.includes(extra))) return 'project_key'
    return builtInRule(key.slice(0, KEY_CHARS), folded)
  }
}

function isNumber(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}

/** Lower case, letters and digits alone: separators cannot hide a name. */
function fold(key: string): string {
  return key
    .slice(0, KEY_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function builtInRule(key: string, folded: string): string | null {
  const plain = folded.includes('secretar') ? folded.replace(HARMLESS, '') : folded
  const words =
    key
      .match(WORD)
      ?.slice(-WORDS_MAX)
      .map((word) => word.toLowerCase()) ?? []
  const last = words.at(-1) ?? ''
  for (const [stem, rule] of STEMS) {
    if (plain.includes(stem)) return words.length > 1 && describes(last, stem) ? null : rule
  }
  const whole = WORDS.get(plain)
  if (whole !== undefined) return whole
  for (const [at, word] of words.entries()) {
    const rule = WORDS.get(word)
    if (rule !== undefined && isSecretWord(words, at)) return rule
  }
  return isEnvironmentKey(key, words) ? 'api_key' : null
}

/** `password_changed_at`, `secretName`; but `password_hint` and `secret_version` of the stem itself never hide one. */
function describes(last: string, stem: string): boolean {
  return DESCRIBING.has(last) && !stem.endsWith(last) && last !== 'data'
}

function isSecretWord(words: readonly string[], at: number): boolean {
  const word = words[at]
  const last = words.at(-1) ?? ''
  const isLast = at === words.length - 1
  if (word === 'session') return isLast || SESSION_SECRETS.has(words[at + 1] ?? '')
  if (word === 'tokens') return isLast && !words.some((one) => TOKEN_COUNTERS.has(one))
  if (word === 'pin' || word === 'sig' || word === 'salt' || word === 'pw' || word === 'pass') {
    return (
      isLast ||
      (at === 0 && words.length === 2 && (last === 'code' || last === 'number' || last === 'phrase'))
    )
  }
  return isLast || !DESCRIBING.has(last)
}

/** `STRIPE_KEY`, `RAILS_MASTER_KEY`: upper case throughout, as variables of the environment are. */
function isEnvironmentKey(key: string, words: readonly string[]): boolean {
  return (
    words.length > 1 &&
    words.at(-1) === 'key' &&
    key === key.toUpperCase() &&
    key.includes('_') &&
    !words.some((word) => PUBLIC_KEYS.has(word))
  )
}
