/**
 * Texts without the people in them: emails in any script and coding, addresses of the network, whose home directory a path
 * is in, and what the event says of its user. What looks like one is left out as well: the page is public. Pure.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** Names that stand for somebody beside what looks like it: names, ids and addresses of the event's user. */
export type PeopleNames = readonly string[]

/** Characters that are looked through before `turn`: some milliseconds of work. */
const CHARS_A_TURN = 10_000

/**
 * A value with every text in it, however deep. Keys stay. Of an event with much code it is a long work: `turn` lets others
 * have the thread now and then. A text that stands in it many times is looked through once.
 */
export async function withoutPeopleIn<T>(
  value: T,
  { names, turn }: { readonly names: PeopleNames; readonly turn: () => Promise<void> },
): Promise<T> {
  const left = new Map<string, string>()
  let chars = 0
  for (const text of new Set(textsIn(value))) {
    left.set(text, withoutPeople(text, names))
    chars += text.length
    if (chars < CHARS_A_TURN) continue
    chars = 0
    await turn()
  }
  return withTexts(value, left)
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* textsIn(each)
}

function withTexts<T>(value: T, texts: ReadonlyMap<string, string>): T
function withTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? ''
  if (Array.isArray(value)) return value.map((each) => withTexts(each, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, texts)]))
}

export function withoutPeople(text: string, names: PeopleNames = []): string {
  const decoded = text.includes('%') ? withoutEncodedPeople(text, names) : text
  // Wide letters and digits, and what is not seen, hide nothing.
  const plain = decoded.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  const left = leftOf(plain, names)
  return left === plain ? decoded : left
}

/**
 * Hides people in stretches without blanks, each looked at once: a pattern around the sign would search again
 * from every character.
 */
function withoutEncodedPeople(text: string, names: PeopleNames): string {
  return text.replaceAll(/[^\s"'<>]+/g, (token) => {
    // What holds a character that is written by its number.
    if (!/%[0-9a-f]{2}/i.test(token)) return token
    const plain = decodedOf(token)
    const left = leftOf(plain, names)
    return left === plain ? token : left
  })
}

const DECODINGS = 3

function decodedOf(token: string): string {
  let text = token
  for (let round = 0; round < DECODINGS && text.includes('%'); round++)
    text = text.replaceAll(/(?:%[0-9a-f]{2}){1,500}/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    )
  return text
}

const AT = String.raw`(?:@|&#0{0,4}64;|&#x0{0,4}40;|&commat;|\\u0040|\\x40|%(?:25){0,3}40)`
/** Sign of an address; without one, nothing before it need be searched for. */
const AT_SIGN = new RegExp(AT, 'i')
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]{1,63}`
/** A version behind an at sign is no domain: `shop@1.4.0-beta.rc`. */
const EMAIL = new RegExp(
  String.raw`(?:"[^"\n]{1,64}"|[\p{L}\p{M}\p{N}.!#$%'*+^_{|}~\u0060-]{1,64})${AT}(?:\[[0-9a-f:.]{2,45}\]|(?!v?\d{1,9}\.\d)${LABEL}(?:[.\u3002]${LABEL}){0,8}[.\u3002](?:xn--[a-z0-9-]{2,59}|[\p{L}\p{M}]{2,24})(?![\p{L}\p{M}\p{N}]))`,
  'giu',
)
/**
 * Names of home directories on Linux, macOS and Windows. A parameter behind a route's `/home/` names nobody.
 */
const WHO = String.raw`(?![[:{*$\\/])[^/\\\s"'<>:;,()]{1,100}`
/** A name of several words, where a folder follows it. */
const WHO_OF_WORDS = String.raw`(?![[:{*$\\/])[^/\\\s"'<>:;,()]{1,60}(?: [^/\\\s"'<>:;,()]{1,60}){1,3}(?=[/\\])|${WHO}`
/** Below a disk or a share: `/mnt/c/Users/ada`, `/var/home/ada`. */
const MOUNT = String.raw`(?:mnt/|cygdrive/|media/|)[a-z]|var|export|nfs|data|usr|Volumes/[^/\s]{1,60}|System/Volumes/Data`
const HOME = new RegExp(
  String.raw`((?:^|[^\p{L}\p{N}]|(?:^|[^\p{L}\p{N}])/(?:${MOUNT})|\\{2,4}[\w.$-]{1,60})[/\\]{1,4}(?:home|Users)[/\\]{1,4})(?:${WHO_OF_WORDS})`,
  'gu',
)
const HOME_OF_WINDOWS = new RegExp(
  String.raw`(\b[a-z]:[/\\]{1,4}(?:users|documents and settings)[/\\]{1,4})(?:${WHO_OF_WORDS})`,
  'giu',
)
const TILDE = /(^|[\s"'(=:])~[\p{L}_][\p{L}\p{N}_.-]{1,64}(?=[/\\])/gu
const OCTETS = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g
const DASHED = /(?<![\d-])\d{1,3}(?:-\d{1,3}){3}(?![\d-])/g
const LIKE_IPV6 =
  /(?<![\p{L}\p{N}:])(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?:%[\p{L}\p{N}_.-]{1,20})?(?![\p{L}\p{N}:])/giu

function leftOf(text: string, names: PeopleNames): string {
  const left = (AT_SIGN.test(text) ? text.replaceAll(EMAIL, '[email]') : text)
    .replaceAll(HOME, (_, before: string) => `${before}[user]`)
    .replaceAll(HOME_OF_WINDOWS, (_, before: string) => `${before}[user]`)
    .replaceAll(TILDE, (_, before: string) => `${before}~[user]`)
    .replaceAll(LIKE_IPV6, (found) => (isAddress(found) ? '[ip]' : found))
    .replaceAll(OCTETS, (found) => (isIPv4(found) ? '[ip]' : found))
    .replaceAll(DASHED, (found) => (isIPv4(found.replaceAll('-', '.')) ? '[ip]' : found))
  return names.reduce((rest, name) => withoutName(rest, name), left)
}

/** `a::b` is a name in code. */
function isAddress(found: string): boolean {
  const address = found.replace(/%.*$/, '')
  return isIPv6(address) && (/\d/.test(address) || address.split(':').length > 4)
}

/** Scripts that part words by no blank, or put particles right behind a name. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Names that sentences decline: `Ивану`. */
const DECLINED = /^[\p{Script=Cyrillic} -]{4,}$/u

function withoutName(text: string, name: string): string {
  if (!text.toLowerCase().includes(name)) return text
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  const pattern = UNPARTED.test(name)
    ? escaped
    : String.raw`(?<![\p{L}\p{N}])${escaped}${DECLINED.test(name) ? String.raw`\p{L}{0,3}` : ''}(?![\p{L}\p{N}])`
  const whole = new RegExp(pattern, 'giu')
  return text.replaceAll(whole, '[user]')
}

const NAMES_MAX = 40
const NAME_CHARS_MIN = 3
const NAME_CHARS_MAX = 200
/** Names of places and programs, which do not tell a person. */
const NOT_WHO = new Set([
  'geo',
  'segment',
  'country',
  'country_code',
  'region',
  'city',
  'role',
  'plan',
  'type',
])
/** Names of nobody, common in code. */
const NOBODY = new Set([
  ...['user', 'users', 'admin', 'root', 'test', 'guest', 'null', 'undefined', 'anonymous', 'unknown', 'none'],
  ...['true', 'false', 'the', 'and', 'von', 'van', 'der', 'den', 'name', 'error', 'default', 'system'],
])

/** Returns names in lower case, longest first: a whole name before its words. */
export function namesOf(user: unknown): PeopleNames {
  const found = new Set<string>()
  const note = (text: string, least: number) => {
    const name = text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .trim()
      .toLowerCase()
    const enough = UNPARTED.test(name) ? Math.min(least, 2) : least
    if (name.length >= enough && name.length <= NAME_CHARS_MAX && !NOBODY.has(name)) found.add(name)
  }
  for (const text of textsOf(user, 0)) {
    // A short number is everywhere; a long one is somebody's.
    note(text, /^\d+$/.test(text) ? SHORT_NUMBER_CHARS : NAME_CHARS_MIN)
    const words = text.split('@')[0]?.split(/[\s.,_+]+/) ?? []
    for (const word of words) if (/^[\p{L}\p{M}'-]+$/u.test(word)) note(word, NAME_CHARS_MIN)
  }
  return [...found].sort((a, b) => b.length - a.length).slice(0, NAMES_MAX)
}

const SHORT_NUMBER_CHARS = 5
const DEPTH_MAX = 3

function textsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  return Object.entries(value).flatMap(([key, each]) => (NOT_WHO.has(key) ? [] : textsOf(each, depth + 1)))
}
