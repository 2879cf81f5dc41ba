/**
 * Which key names carry secrets. A name is folded (`x-api-key`, `apiKey`, `API_KEY` are one) and looked at twice: for
 * stems that mean a secret anywhere in it, and word by word for short names that are harmless inside other words
 * (`author`, `session_count`, `bypass`). The table in `keys.test.ts` is the specification.
 */

import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import {
  DESCRIBING,
  FILE_NAME,
  GLUED,
  HARMLESS_WORDS,
  ISSUER_WORDS,
  KEY_ISSUERS,
  NAMING_WORDS,
  NATIONAL_WORDS,
  NOT_GLUED,
  PAIRS,
  PLACES,
  PUBLIC_KEYS,
  SESSION_SECRETS,
  STEMS,
  TOKEN_COUNTERS,
  WEAK_WORDS,
  WORDS,
} from './key-words.ts'
import { isNational } from './national.ts'
import { looksIssued } from './random.ts'
import { type Bound, boundOf } from './shapes.ts'
import { isHarmlessText } from './triggers.ts'

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const WORDS_MAX = 16
const KEY_CHARS = 256

const NUMBER_WORDS: ReadonlySet<string> = new Set(['number', 'no', 'nr', 'num', 'nummer', 'id'])

/** Digits of a `pan` that is not a direction. */
const CARD_DIGITS = /^\d(?:[ -]?\d){11,18}$/

function isCode(rule: string, value: string): boolean {
  return rule === 'one_time_code' && /^\d{3}[ -]?\d{3}$/.test(value)
}

/** `Login-x7Yk2`: a screen of an app, and which one of its kind. */
const SCREEN = /^[A-Z][A-Za-z]{2,30}-[\w-]{4,24}$/

/** Meaning of a name as the key of a value. */
export interface KeyVerdict {
  /** Name of the rule that makes the value a secret, or `null`. */
  readonly rule: string | null
  /** Name of the rule that makes it one when it looks as if it was issued, or `null`. */
  readonly weakRule: string | null
  /** The name itself holds nothing that a rule for texts could match. */
  readonly isHarmless: boolean
  /** Role of the value for a statement. */
  readonly bound: Bound | null
}

/** The rule that makes `value` a secret under a name of this verdict, or `null`. */
export function ruleOf({ rule, weakRule }: KeyVerdict, value: unknown): string | null {
  if (rule !== null || weakRule === null) return rule
  if (weakRule === 'personal') return isNational(String(value)) ? weakRule : null
  if (typeof value !== 'string') return null
  if (weakRule === 'api_key' && SCREEN.test(value)) return null
  return looksIssued(value) || (weakRule === 'pan' && CARD_DIGITS.test(value)) || isCode(weakRule, value)
    ? weakRule
    : null
}

export class SecretKeys {
  readonly #extra: readonly string[]
  readonly #allowed: ReadonlySet<string>
  /** Lines, columns and clocks (`2026-11-21T10`) stand before colons: no name at all, unless the project has such a key. */
  readonly numbersAreNames: boolean
  /** True for a project that has named keys of its own. */
  readonly hasOwn: boolean
  /** Judging a name costs 3 µs, and an event has hundreds: nearly all are those of the event before. */
  readonly #verdicts = new Memo<KeyVerdict>(
    (key) => {
      const rule = this.#judge(key)
      const weakRule = rule === null && !this.isAllowed(key) ? builtInWeakRule(key) : null
      return { rule, weakRule, isHarmless: isHarmlessText(key), bound: boundOf(key) }
    },
    { entriesMax: max('memoEntriesMax'), charsMax: KEY_CHARS },
  )

  constructor({ extraKeys, allowedKeys }: Pick<ScrubOptions, 'extraKeys' | 'allowedKeys'>) {
    this.#extra = extraKeys.map(fold).filter((key) => key !== '')
    this.hasOwn = this.#extra.length > 0
    this.numbersAreNames = this.#extra.some((extra) => isNumber(extra.replaceAll('t', '')))
    this.#allowed = new Set(
      allowedKeys.flatMap((key) => [key.trim().toLowerCase(), fold(key)]).filter((key) => key !== ''),
    )
  }

  /** Name of the rule that makes this key's value a secret, or `null`. */
  ruleOf(key: string): string | null {
    return !this.numbersAreNames && isNumber(key) ? null : this.#verdicts.of(key).rule
  }

  /** Returns the rule as `ruleOf` does; for names that mean a secret only sometimes, the value decides. */
  ruleFor(key: string, value: unknown): string | null {
    if (!this.numbersAreNames && isNumber(key)) return null
    return ruleOf(this.#verdicts.of(key), value)
  }

  /** Whether the name may mean a secret at all. */
  isTelling(key: string): boolean {
    if (!this.numbersAreNames && isNumber(key)) return false
    const { rule, weakRule } = this.#verdicts.of(key)
    return rule !== null || weakRule !== null
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
    const short = key.slice(0, KEY_CHARS)
    const plain = plainLetters(folded)
    return builtInRule(short, folded) ?? (plain === folded ? null : builtInRule(plain, plain))
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
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

/** `clé_privée` and `cle_privee` are one name; letters that are no Latin ones with an accent stay. */
function plainLetters(folded: string): string {
  return /[\u00c0-\u024f]/.test(folded) ? folded.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : folded
}

function wordsOf(key: string): readonly string[] {
  return (
    key
      .match(WORD)
      ?.slice(-WORDS_MAX)
      .map((word) => word.toLowerCase()) ?? []
  )
}

function builtInRule(key: string, folded: string): string | null {
  if (key.includes('.') && FILE_NAME.test(key)) return null
  const plain =
    folded.includes('secret') || folded.includes('passwordless') ? folded.replace(HARMLESS_WORDS, '') : folded
  const words = withoutNumber(wordsOf(key))
  const last = words.at(-1) ?? ''
  if (words.length >= 4 && isMigration(words)) return null
  if (folded.includes('publickey') || OF_DESIGN.test(folded)) return null
  if (words.includes('existing') && words.length > 1) return null // of a chart: its name
  for (const [stem, rule] of STEMS) {
    if (plain.includes(stem)) return words.length > 1 && describes(last, stem) ? null : rule
  }
  const whole = WORDS.get(plain)
  if (whole !== undefined) return whole
  for (const [at, word] of words.entries()) {
    const rule = WORDS.get(word) ?? gluedRule(word) ?? PAIRS.get(`${words[at - 1]}:${word}`)
    if (rule !== undefined && isSecretWord(words, at)) return rule
  }
  if (key.startsWith('BUNDLE_') && /__[A-Z]/.test(key)) return 'password' // of a gem server: user and password
  return isIssuersKey(words) || isEnvironmentKey(key, words) ? 'api_key' : null
}

const CHANGING: ReadonlySet<string> = new Set(
  'add create remove drop alter change rename backfill migrate encrypt delete update move make allow index'.split(
    ' ',
  ),
)
const JOINING: ReadonlySet<string> = new Set([
  'to',
  'from',
  'on',
  'in',
  'table',
  'tables',
  'column',
  'columns',
])

/** `designTokens`, `theme_tokens`: colours and sizes. */
const OF_DESIGN = /(?:design|theme|colou?r|style|css|spacing|font|typography|semantic|syntax|brand)tokens?/

/** `AddResetTokenToUsers`, `create_api_tokens_table`: a step that changes tables. */
function isMigration(words: readonly string[]): boolean {
  return CHANGING.has(words[0] ?? '') && words.slice(2).some((word) => JOINING.has(word))
}

/** `stripeKey`, `openai_key`, `GCP_KEY`, `OPENAIKEY`. */
function isIssuersKey(words: readonly string[]): boolean {
  const [first = '', second] = words
  if (words.length === 1) return first.endsWith('key') && KEY_ISSUERS.has(first.slice(0, -'key'.length))
  return words.length === 2 && second === 'key' && KEY_ISSUERS.has(first)
}

/** `token_2`, `tokens.0`: one of several; but `auth0`. */
function withoutNumber(words: readonly string[]): readonly string[] {
  const isNumbered = words.length > 1 && /^\d{1,2}$/.test(words.at(-1) ?? '') && words.at(-2) !== 'auth'
  return isNumbered ? words.slice(0, -1) : words
}

function gluedRule(word: string): string | undefined {
  if (word.length > 20 || NOT_GLUED.has(word)) return undefined
  return GLUED.find(([end]) => word.length > end.length + 1 && word.endsWith(end))?.[1]
}

/** Names of a second factor's code, and of whether there is one. */
const SECOND_FACTOR = /^(?:2fa|mfa|tfa)$/i

/** The rule of a name whose value decides: `licence`, `X-Signature`, `some_key`, `datadog`. */
function builtInWeakRule(key: string): string | null {
  if (key.length > KEY_CHARS || FILE_NAME.test(key) || /code_?challenge/i.test(key)) return null
  const words = wordsOf(key)
  const last = words.at(-1) ?? ''
  const national = words.length > 1 && NUMBER_WORDS.has(last) ? (words.at(-2) ?? '') : last
  if (NATIONAL_WORDS.has(national) || NATIONAL_WORDS.has(words.slice(-2).join(''))) return 'personal'
  if (WEAK_WORDS.has(last))
    return NAMING_WORDS.has(words.at(-2) ?? '') || words.length === 0 ? null : weakName(last)
  if ((last === 'code' && words.length === 1) || SECOND_FACTOR.test(key)) return 'one_time_code'
  if (words.some((word) => ISSUER_WORDS.has(word)) && !NAMING_WORDS.has(last) && !DESCRIBING.has(last))
    return 'api_key'
  if (PLACES.test(words.slice(-2).join('')) || last === 'dsn') return 'connection'
  return words.includes('signature') || words.includes('hmac') ? 'signature' : null
}

function weakName(word: string): string {
  if (word === 'key' || word === 'keys') return 'api_key'
  return word === 'hmac' || word === 'mac' ? 'signature' : word
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
      (at === 0 &&
        words.length === 2 &&
        (last === 'code' || last === 'number' || last === 'phrase' || last === 'hash'))
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
