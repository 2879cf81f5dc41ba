/** Whether what stands under a secret's name is worth hiding. */
import { FILTERED } from './filtered.ts'
import { hidesNothing, isHarmlessWord, isRemark, isSchemaWord, isWorkingDirectory } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isSalad, isToldBare } from './letters.ts'
import { isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

/** Whether a value under a secret's name is worth hiding; flags and empty values are not. */
export function isSecret(key: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return (
        value.trim() !== FILTERED &&
        !EMPTY.test(value) &&
        !(/tokens?$/i.test(key) && LASTING.test(value)) &&
        !isHarmlessWord(value) &&
        !(/secret_?id$/i.test(key) && /^[a-z][a-z/_-]{0,40}$/i.test(value)) &&
        !(NAMED_SIGNAL.test(value) && /^sig/i.test(key)) &&
        !isWorkingDirectory(key, value) &&
        !isSecretNoun(value) &&
        !(OF_KITCHEN.test(key) && /^[a-z]{3,16} [a-z]{3,16}(?:,? \d{1,4} ?[a-z]{1,3})?$/i.test(value)) &&
        !(/[:|]/.test(value) && isSchemaWord(value)) &&
        !isRemark(value) &&
        !(value.length < 100 && COMPLAINT.test(value) && /^[a-z']+ [a-z']+/.test(value))
      )
    case 'number':
      return (
        !/(?:tokens|sessions|cookies|counts?)$|^pass$/i.test(key) &&
        Math.abs(value) >= 100 &&
        !isRowNumber(key, value)
      )
    case 'object':
      return value !== null && !isFilteredAlready(value) && !isComplaints(value) && !isSchema(value)
    default:
      return false
  }
}

/** `salt: "sea salt, 500 g"` */
const OF_KITCHEN = /^(?:salt|pepper)$/i

/** Quotes with nothing in them, an object that a program shows by its class alone. */
const EMPTY =
  /^(?:(['"])(?:\*{3,40}|•{3,40}|\[Filtered\]|\.{3})\1|<\w{0,20}Token [A-Z_]{1,24}(?: '[^'\n]{0,24}')?(?: at [\d:]{1,12})?>|\w{2,20}\(\[?\]?\)|<(?:function|generator|coroutine|async_generator|bound method|built-in (?:function|method)|map|filter|zip|enumerate|list_iterator)(?: [\w.<>]{1,80}){0,4}(?: at 0x[\da-f]{4,16})?>|\[(?:<[A-Z][\w.]{1,60}(?:\(\))?>,? ?){1,8}\]|<(?:[a-z_]\w{0,30}\.){1,6}[A-Z]\w{1,40} object at 0x[\da-f]{4,16}>|''|""|b''|b""|<[A-Z][\w.]{1,60}(?: object| instance|(?: (?:kind|type|id|pk|line|pos|user)[=:][\w'-]{1,24}){1,3})?(?: at 0x[\da-f]{4,16})?>)$/
/** `2s`, `1500ms`: until there are more. */
const LASTING = /^\d{1,6}(?:\.\d{1,3})?(?:ms|[smhd])?$/
/** `sig: SIGTERM` of a process. */
const NAMED_SIGNAL = /^SIG[A-Z\d]{2,8}$/

/** `apiKeyId: 42`: which one it is. */
function isRowNumber(key: string, value: number): boolean {
  return /(?:[a-z]I[dD]|[_-]id)$/.test(key) && !/sess/i.test(key) && Math.abs(value) < 1e9
}

/** `{password: ["is too short"]}`: what a validator says of a field. */
const COMPLAINT =
  /^(?:is|must|can't|cannot|can not|should|has|may|does|doesn't|needs|please|this|the|your|too|at least|password) [a-z'"\d() ]{1,80}\.?$/i

function isComplaints(value: object): boolean {
  if (!Array.isArray(value) || value.length > 8) return false
  const list: readonly unknown[] = value
  return list.every(
    (one) =>
      typeof one === 'string' &&
      ((COMPLAINT.test(one) && /\s\S+\s/.test(one)) ||
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

/** `{access: "X", refresh: "Y"}`: what signs in, and what makes it anew. */
export function isTokenPair({ access, refresh }: Readonly<Record<string, unknown>>): boolean {
  if (typeof access !== 'string' || typeof refresh !== 'string' || /\s/.test(refresh)) return false
  if (refresh.length >= 8 && /\d/.test(refresh) && /[a-z]/i.test(refresh)) return true
  return refresh.length >= 24 || looksIssued(refresh) || isSalad(refresh) || isToldBare(refresh)
}
