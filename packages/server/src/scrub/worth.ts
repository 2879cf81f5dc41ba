/** Whether what stands under a secret's name is worth hiding. */
import { FILTERED } from './filtered.ts'
import {
  hidesNothing,
  isHarmlessWord,
  isRemark,
  isSchemaWord,
  isSchemeAlone,
  isWorkingDirectory,
  LISTED_NAME,
} from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isSalad, isToldBare } from './letters.ts'
import { isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

/** True if a value under a secret's name is worth hiding; flags and empty values are not. */
export function isSecret(key: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return (
        value.trim() !== FILTERED &&
        !EMPTY.test(value) &&
        !MASKED.test(value) &&
        !VERSION.test(value) &&
        !(/tokens?$/i.test(key) && LASTING.test(value)) &&
        !isHarmlessWord(value) &&
        !isPinOfLetters(key, value) &&
        !(/session|cookie|token|auth|jwt|csrf/i.test(key) && /^[~^]?\d{1,2}\.\d{1,3}$/.test(value)) &&
        !(NAMES_ONE.test(key) && /^[a-z][a-z/_-]{0,40}$/i.test(value)) &&
        !(/(?:gpg|pgp)_?key$/i.test(key) && FINGERPRINT.test(value)) &&
        !(NAMED_SIGNAL.test(value) && /^sig/i.test(key)) &&
        !(/auth/i.test(key) && isSchemeAlone(value)) &&
        !isWorkingDirectory(key, value) &&
        !isSecretNoun(value) &&
        !(OF_KITCHEN.test(key) && /^[a-z]{3,16} [a-z]{3,16}(?:,? \d{1,4} ?[a-z]{1,3})?$/i.test(value)) &&
        !(/[:|]/.test(value) && isSchemaWord(value)) &&
        !isRemark(value) &&
        !(value.length < 100 && COMPLAINT.test(value) && /^[a-z']+ [a-z']+/.test(value))
      )
    case 'number':
      return (
        !/(?:tokens|sessions|cookies|counts?)$|^pass$|token_?(?:count|usage|limit|budget|cost)|(?:tokens?|sessions?)[._-](?:count|total|used|limit|max|min|remaining|budget|issued|created|active|expired|revoked|failed)\b/i.test(
          key,
        ) &&
        Math.abs(value) >= 100 &&
        !isRowNumber(key, value)
      )
    case 'object':
      return (
        value !== null &&
        !isFilteredAlready(value) &&
        !isComplaints(value) &&
        !isNames(value) &&
        !isSchema(value) &&
        !isSettings(value)
      )
    default:
      return false
  }
}

/** Somebody took it out before: `********`, `••••••`, `<redacted>`. */
const MASKED =
  /^(?:\*{3,64}|•{3,64}|[xX]{6,64}|#{4,64}|\.{3,8}|[<[({](?:redacted|filtered|masked|hidden|removed|secret|scrubbed|omitted|sensitive)[>\])}])$/i

/** `jwt: "2.7.1"`: of a package. */
const VERSION =
  /^[~^<>=]{0,2} ?v?\d{1,3}\.\d{1,4}\.\d{1,4}(?:-(?:alpha|beta|rc|pre|dev|next|canary)[\w.]{0,20})?$/

/** `salt: "sea salt, 500 g"` */
const OF_KITCHEN = /^(?:salt|pepper)$/i

/** Quotes with nothing in them, an object that a program shows by its class alone. */
const EMPTY =
  /^(?:<[A-Z]\w{1,40}(?:\([\w=, '-]{0,40}\))?>|<[A-Z]\w{1,40}: <[^\n"]{1,160}>>|<\w{1,40} \[Filtered\]>|\w{2,30}\((?:type|kind)='?[A-Z_]{1,24}'?(?:, \w{1,16}='?[^\d'\n]{0,12}'?){0,4}\)|<(?:bound method|function|class|module|built-in|enum|coroutine|generator|property|cached_property|classmethod|staticmethod|weakref|partial|unbound method|method-wrapper|slot wrapper|async_generator|frozenset|dict_\w+)\b[^\n"]{0,200}>|\w{2,30}\((?:type|kind|tok(?:en)?_?\w*|lexeme)=[^\n]{0,120}\b(?:line|lineno|pos|start|column|offset|loc)=[^\n]{0,60}\)|(['"])(?:\*{3,40}|•{3,40}|\[Filtered\]|\.{3})\1|<\w{0,20}Token [A-Z_]{1,24}(?: '[^'\n]{0,24}')?(?: at [\d:]{1,12})?>|\w{2,20}\(\[?\]?\)|<(?:function|generator|coroutine|async_generator|bound method|built-in (?:function|method)|map|filter|zip|enumerate|list_iterator)(?: [\w.<>]{1,80}){0,4}(?: at 0x[\da-f]{4,16})?>|\[(?:<[A-Z][\w.]{1,60}(?:\(\))?>,? ?){1,8}\]|<(?:[a-z_]\w{0,30}\.){1,6}[A-Z]\w{1,40} object at 0x[\da-f]{4,16}>|''|""|b''|b""|<[A-Z][\w.]{1,60}(?: object| instance|(?: (?:kind|type|id|pk|line|pos|user)[=:][\w'-]{1,24}){1,3})?(?: at 0x[\da-f]{4,16})?>)$/
/** `2s`, `1500ms`: until there are more. */
const LASTING = /^\d{1,6}(?:\.\d{1,3})?(?:ms|[smhd])?$/
/** `pin: main`: what somebody enters is of digits. */
export function isPinOfLetters(name: string, value: string): boolean {
  return /(?:^|[_.-])pin$/i.test(name) && /^[A-Za-z][A-Za-z _-]*$/.test(value)
}

/** `credentialsId: "npm-token"`: which one. */
export const NAMES_ONE = /(?:secret|credentials?|token|key|password)(?:_?id|Id|ID|_?ref|Ref|_?name|Name)$/i
/** Sum of a public key. */
export const FINGERPRINT = /^(?:0x)?(?:[\dA-F]{40}|[\dA-F]{16}|[\dA-F]{8})$/
/** `sig: SIGTERM` of a process. */
const NAMED_SIGNAL = /^SIG[A-Z\d]{2,8}$/

/** `apiKeyId: 42`: which one it is. */
function isRowNumber(key: string, value: number): boolean {
  return /(?:[a-z]I[dD]|[_-]id)$/.test(key) && !/sess/i.test(key) && Math.abs(value) < 1e9
}

/** `{password: ["is too short"]}`: what a validator says of a field. */
const COMPLAINT =
  /^(?:is|must|can't|cannot|can not|should|has|may|does|doesn't|needs|please|this|the|your|too|at least|password) [a-z'"\d() ]{1,80}\.?$/i

/** `secrets: ["db_password", "api-key"]`: what they are called. */
function isNames(value: object): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'string' && LISTED_NAME.test(one) && SECRET_PART.test(one))
  )
}
const SECRET_PART =
  /(?:pass(?:word|wd|phrase)?|pwd|secrets?|tokens?|keys?|cred(?:ential)?s?|cert|sessions?|cookies?)$/i

/** `doesn't match`, `is invalid` */
const SHORT_COMPLAINT =
  /^(?:is|are|was|be|has|not|must|isn't|hasn't|(?:does|do|did|can)(?:n't| not)|can't|cannot) [a-z]{2,16}[.!]?$/

function isComplaints(value: object): boolean {
  if (!Array.isArray(value) || value.length > 8) return false
  const list: readonly unknown[] = value
  return list.every(
    (one) =>
      typeof one === 'string' &&
      ((COMPLAINT.test(one) && /\s\S+\s/.test(one)) ||
        SHORT_COMPLAINT.test(one) ||
        isRemark(one) ||
        hidesNothing('password', one) ||
        isSchemaWord(one) ||
        isHarmlessWord(one)),
  )
}

/** Empty containers, and those that hold nothing but what was taken out before. */
function isFilteredAlready(value: object): boolean {
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inner.length === 0
}

const TYPES: ReadonlySet<unknown> = new Set(
  'string number integer boolean object array null text password email varchar char String Number'.split(' '),
)
const DESCRIBES =
  /^(?:type|min|max|min_?length|max_?length|pattern|regex|description|title|format|required|nullable|unique|index|label|optional|select|trim|read_?only|write_?only|comment|deprecated|auto_?complete|hint|help|error|message|validate|match)$/i

/** Settings of what signs in or is signed. */
const SETTINGS =
  /^(?:alg(?:orithms?)?|exp(?:ir(?:es|y|ation))?(?:_?(?:in|at))?|ttl|iss(?:uers?)?|aud(?:iences?)?|type|in|name|scheme|schema|header(?:_?name)?|headers|format|kind|enabled|required|active|min|max|length|min_?length|max_?length|rounds|salt_?rounds|cost|memory|iterations|driver|guard|provider|strategy|strategies|methods?|mfa|domain|secure|http_?only|same_?site|max_?age|rolling|resave|save_?uninitialized|scopes?|roles?|prefix|location|flows?|description|leeway|refresh_?in|lifetime|typ|kty|use|ops|version|status|state|count|expired|valid|verified|bearer_?format|rotation|policy|rules?|sensitive|secret_?name|secret_?ref|key_?ref|touched|dirty|pristine|errors?|message|invalid|focused|visited|locked|pinned|kid|external|optional|default_?mode|integrity|resolved|dev|license|engines|namespace|api_?version|ephemeral|nullable|length|special|upper|lower|numeric|override_special|min_\w{3,8}|[a-z_]{1,24}_?(?:enabled|disabled|required|verified|expired|expires|timeout|ttl|type|method|provider|count|enforced|supported|allowed|configured|pending))$/i
const SETTING_CHARS_MAX = 160

/** `{algorithm: "HS256", expiresIn: "1h"}`: how it is made, and not what it is. */
function isSettings(value: object): boolean {
  const entries = Object.entries(value)
  return (
    !Array.isArray(value) &&
    entries.length > 0 &&
    entries.every(
      ([key, one]) =>
        SETTINGS.test(key) &&
        (typeof one !== 'string' || (one.length <= SETTING_CHARS_MAX && isSettingText(one))) &&
        (typeof one !== 'object' ||
          one === null ||
          (Array.isArray(one) ? one.every(isSettingText) : isSettings(one))),
    )
  )
}

const isSettingText = (text: unknown): boolean =>
  typeof text === 'string' &&
  !isSalad(text) &&
  (!looksIssued(text) || /^(?:[A-Z]{2,3}\d{3}$|sha\d{3}-|https?:)/.test(text))

/** `{type: "string", minLength: 8}`: what a field must be, and not what it is. */
function isSchema(value: object): boolean {
  if (Object.values(value).every((one) => typeof one === 'boolean')) return true // `{valid: false, touched: true}`
  const isTyped = 'type' in value && TYPES.has(value.type)
  return Object.entries(value).every(
    ([key, one]) => DESCRIBES.test(key) && (isTyped || typeof one === 'boolean' || typeof one === 'number'),
  )
}

/** `{api: {key: "X"}}`: a name in two parts, one above the other. */
export function isNestedKey(
  key: string,
  { above, keys, value }: { above: string | number | undefined; keys: SecretKeys; value: unknown },
): boolean {
  if (key !== 'key' && key !== 'Key') return false
  if (typeof above !== 'string' || typeof value !== 'string' || value.length < 8 || !/\d/.test(value))
    return false
  return keys.ruleOf(`${above}_key`) === 'api_key'
}

/** `basic_auth: ["bob", "X"]`: who, and the password. */
export function isAccount(key: string, value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || !/basic|cred|log_?in/i.test(key)) return false
  const [user, password]: readonly unknown[] = value
  return (
    typeof user === 'string' &&
    typeof password === 'string' &&
    !isHarmlessWord(password) &&
    !isOrdinary(password)
  )
}

/** `{token: "identifier", line: 4, column: 2}`: a word of a program, and where it stands. */
export function isOfParser(bag: Readonly<Record<string, unknown>>): boolean {
  const { token } = bag
  if (typeof token !== 'string' || !/^[^\s\d]{1,24}$/.test(token)) return false
  return ['line', 'column', 'col', 'pos', 'position', 'offset', 'loc', 'start'].some((key) => key in bag)
}

/** Names of lists that hold names and no values. */
export const LISTS_NAMES =
  /(?:[nN]ames?|[kK]eys|[fF]ields|[cC]olumns|[hH]eaders|[pP]arams|[aA]ttributes|[mM]ethods|[fF]actors|[tT]ypes|[pP]roviders|[sS]copes|[rR]oles|[pP]ermissions|[sS]upported|[aA]vailable|[cC]laims|[gG]rants|[fF]lows|required|allowed|exclude|omit)$/

/** `{u: "bob", p: "X"}`: who, and the password. */
export function isPasswordOfPair({ p, ...rest }: Readonly<Record<string, unknown>>): boolean {
  if (typeof p !== 'string' || p.length < 4 || /\s/.test(p) || isHarmlessWord(p) || isOrdinary(p))
    return false
  return ACCOUNT_KEYS.some((key) => typeof rest[key] === 'string') && (/[A-Za-z]/.test(p) || p.length >= 6)
}

const ACCOUNT_KEYS = ['u', 'usr', 'user', 'username', 'login', 'email', 'l']

/** `{access: "X", refresh: "Y"}`: what signs in, and what makes it anew. */
export function isTokenPair({ access, refresh }: Readonly<Record<string, unknown>>): boolean {
  if (typeof access !== 'string' || typeof refresh !== 'string' || /\s/.test(refresh)) return false
  if (refresh.length >= 8 && /\d/.test(refresh) && /[a-z]/i.test(refresh)) return true
  return refresh.length >= 24 || looksIssued(refresh) || isSalad(refresh) || isToldBare(refresh)
}
