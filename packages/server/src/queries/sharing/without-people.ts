/**
 * Texts without the people in them: emails in any script and coding, addresses of the network, whose home directory a path
 * is in, and what the event says of its user. What looks like one is left out as well: the page is public. Pure.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { mailboxesIn, withoutThirdPersons } from './third-persons.ts'

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
  const texts = new Set(textsIn(value))
  const all = [...names, ...namesOf(mailboxesIn(texts))].slice(0, NAMES_MAX)
  let chars = 0
  for (const text of texts) {
    left.set(text, withoutPeople(text, all))
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
  const read = /[%&\\=]/.test(text) ? withoutEncodedPeople(text, names) : text
  const decoded = withoutPackedPeople(read, names)
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
    // What holds a character that is written by its number or name.
    if (!ENCODED.test(token)) return token
    const plain = decodedOf(token)
    const left = leftOf(plain, names)
    return left === plain ? token : left
  })
}

const ENCODED =
  /%[0-9a-f]{2}|&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});|\\(?:u[\da-f]{4}|x[\da-f]{2})|=[\dA-F]{2}/i
const DECODINGS = 3

function decodedOf(token: string): string {
  let text = token
  for (let round = 0; round < DECODINGS && ENCODED.test(text); round++)
    text = text
      .replaceAll(/(?:%[0-9a-f]{2}){1,500}/gi, (run) => fromBytes(run.replaceAll('%', '')))
      // As mail writes it: only where an at sign or a letter beyond ASCII is written so.
      .replaceAll(/(?:=[\dA-F]{2}){1,500}/g, (run) =>
        /^(?:=40|=2E|=[C-F][\dA-F])/.test(run) ? fromBytes(run.replaceAll('=', '')) : run,
      )
      .replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, four?: string, two?: string) =>
        String.fromCharCode(Number.parseInt(four ?? two ?? '20', 16)),
      )
      .replaceAll(/&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,8}\d{0,2}));/gi, entityOf)
  return text
}

const fromBytes = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

const ENTITIES: ReadonlyMap<string, string> = new Map(
  'amp& commat@ period. lowbar_ hyphen- plus+ sol/ szligß aeligæ AEligÆ oslashø OslashØ ethð thornþ lstrokł'
    .split(' ')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
)
const ACCENTS: ReadonlyMap<string, string> = new Map(
  'grave\u0300 acute\u0301 circ\u0302 tilde\u0303 uml\u0308 ring\u030a cedil\u0327 caron\u030c ogon\u0328 breve\u0306 macr\u0304'
    .split(' ')
    .map((accent) => [accent.slice(0, -1), accent.slice(-1)]),
)

function entityOf(whole: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  if (code > 0x1f && code <= 0x10_ffff) return String.fromCodePoint(code)
  const known = ENTITIES.get(name)
  const accent = ACCENTS.get(name.slice(1))
  return known ?? (accent === undefined ? whole : `${name.charAt(0)}${accent}`.normalize('NFC'))
}

/** Base64 and hexadecimal numbers that say an address or a name once they are read. */
function withoutPackedPeople(text: string, names: PeopleNames): string {
  return text.replaceAll(PACKED, (run) => {
    if (run.length > PACKED_CHARS_MAX) return run
    const isHex = run.length % 2 === 0 && /^[\da-f]+$/i.test(run)
    return [isHex ? fromBytes(run) : '', Buffer.from(run, 'base64').toString('utf8')].some(
      (said) => isReadableName(said) && leftOf(said, names) !== said,
    )
      ? '[user]'
      : run
  })
}

const PACKED = /[A-Za-z\d+/_-]{8,}={0,2}/g
const PACKED_CHARS_MAX = 8_192

/** True for letters, digits and signs of any script: chance makes others. */
function isReadableName(said: string): boolean {
  return said.length >= 3 && !/[\ufffd\p{Cc}\p{Co}\p{Cn}]/u.test(said.replaceAll(/[\t\r\n]/g, ''))
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
  return names.reduce((rest, name) => replaceName(rest, name), withoutThirdPersons(left))
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

function replaceName(text: string, name: string): string {
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
  for (const text of eachText(user, 0)) {
    // A short number is everywhere; a long one is somebody's.
    note(text, /^\d+$/.test(text) ? SHORT_NUMBER_CHARS : NAME_CHARS_MIN)
    const words = text.split('@')[0]?.split(/[\s.,_+]+/) ?? []
    for (const word of words) if (/^[\p{L}\p{M}'-]+$/u.test(word)) note(word, NAME_CHARS_MIN)
  }
  return [...found].sort((a, b) => b.length - a.length).slice(0, NAMES_MAX)
}

const SHORT_NUMBER_CHARS = 5
const DEPTH_MAX = 3

function eachText(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  return Object.entries(value).flatMap(([key, each]) => (NOT_WHO.has(key) ? [] : eachText(each, depth + 1)))
}
