/**
 * The memory that a scan of an event's bytes works in: tables made of the marks of `triggers.ts`, names with what they
 * mean to a project, the bytes, and what was found. The same for the WebAssembly module and for the loop in TypeScript.
 */
import { max } from '#limits/limits.ts'
import { CLEAN_CHARS_MIN } from '../clean.ts'
import { CLASS_OF, type Marks, markTable } from '../marks.ts'
import { LINK, MARKS } from '../triggers.ts'

/** Classes of a byte: that for the marks in the lowest six bits, and these. */
export const DIGIT = 1 << 6
export const UPPER = 1 << 7
export const LETTER = 1 << 8
/** Naming characters as in `isNameChar`, in ASCII. */
export const NAMING = 1 << 9
/** Takes a closer look. */
export const SIGN = 1 << 10
/** `+` and `/`, which keys in base64 have. */
export const OF_BASE64 = 1 << 11
/** Bytes in no selector whose quoted values are known to be harmless. */
export const NO_SELECTOR = 1 << 12
export const WHITE = 1 << 13
/** Stands between groups of digits. */
export const JOINING = 1 << 16
/** `{`, which may begin an expansion. */
export const BRACE = 1 << 15
/** No ASCII, or no character of a text at all. */
export const BEYOND = 1 << 14
export const BLANK = 1 << 30
export const WORD = 1 << 31

/** A mark of calls that needs no quote. */
export const UNQUOTED_CALL = 1 << 29
/** A step of signing in, told from `/account/orders` and the like: what `links.ts` takes a code behind. */
export const STEP = 1 << 30

/** Meanings of a name to a project; 0: nobody asked yet. */
export const NAME_KNOWN = 1
/** Before a sign it names no secret. */
export const NAME_BEFORE_SIGN = 2
/** Name that is a key like any other in a bag. */
export const NAME_OF_KEY = 4
/** Name that may be the key of a name, or of a value, in a bag: together they are an entry. */
export const NAME_ENTRY = 8
export const VALUE_ENTRY = 16
/** A field of a breadcrumb. */
export const NAME_OF_FIELD = 32
/** `timestamp`: what stands there stays no text. */
export const NAME_OF_TIME = 64
/** Name of a console's arguments; a statement beside it would name its values. */
export const NAME_OF_ARGUMENTS = 128
export const NAME_OF_STATEMENT = 256

export const NAMES_MAX = 4_096
export const NAME_BYTES_MAX = 96
export const SLOTS = 2 * NAMES_MAX
export const HEAP_BYTES = 128 * 1_024
export const CRUMBS_MAX = 1_024
export const NEW_NAMES_MAX = 32
export const CONTEXTS_MAX = 64
/** Clean texts that are told of, and how long one is at least. */
export const TEXTS_MAX = 64
export const TEXT_BYTES_MIN = CLEAN_CHARS_MIN
/** Numbers that a scan tells: of new names, crumbs, contexts and texts, and whether what apps add is clean. */
export const TOLD_SIZE = 6
export const BYTES_MAX = max('scanBytesMax')
export const PAGE_BYTES = 65_536

const OWNERS = 'password account email mail user'.split(' ').flatMap((one) => [one, `${one}s`])
const OF_OWNER = 'reset recover verif confirm edit new activat unlock'.split(' ')
const OF_PASSWORD = 'reset forgot recover change set new create'.split(' ')
const JOINS = ['', '-', '_']

/** Marks of the scan alone. */
const OWN_MARKS: readonly Marks[] = [
  {
    bit: UNQUOTED_CALL,
    texts: [' valid ', ' invalid ', 'value:', 'value=', '</', 'binding param', '==> param'],
  },
  {
    bit: STEP,
    texts: [
      ...OWNERS.flatMap((owner) => OF_OWNER.map((step) => `/${owner}/${step}`)),
      ...JOINS.flatMap((join) => OF_PASSWORD.map((verb) => `/${verb}${join}password`)),
      ...JOINS.flatMap((join) => [`/password${join}re`, `/login${join}link`, `/one${join}time`]),
      ...['email', 'mail', 'account'].flatMap((one) =>
        ['-v', '-c', '-a', '_v', '_c', '_a'].map((join) => `/${one}${join}`),
      ),
      ...'/reset/ /reset? /login/ /recover /verif /confirm /validate /activat /magic /passwordless /accept /invit'.split(
        ' ',
      ),
      ...'/unsubscribe /unlock /otp /token/ /tokens/ /signin /sso /join /hooks/ /share/ /pay/'.split(' '),
      ...'/download/ /redeem /claim /rsvp /decline'.split(' '),
    ],
  },
]

/** Marks of links that `STEP` tells more exactly; any other, also one added there, is never clean. */
const LOOSE = new Set(
  '/password /account /email /mail /user /change /set /new /create /forgot /token /share /pay /download /hooks /login /one'.split(
    ' ',
  ),
)

/** Table of marks, for tests. */
export const marksForTests = markTable([
  ...MARKS.map(({ bit, texts }) => ({
    bit,
    texts: bit === LINK ? texts.filter((text) => !LOOSE.has(text)) : texts,
  })),
  ...OWN_MARKS,
])

/** Names of fields. */
const WORDS = 'breadcrumbs values contexts exception request extra message value url headers'.split(' ')
const WORD_BYTES = 16

let placed = 0

/** Returns where a region of so many bytes begins. */
function place(bytes: number): number {
  const at = placed
  placed += Math.ceil(bytes / 8) * 8
  return at
}

/** Starts of the regions, in bytes. */
export const AT = {
  kinds: place(256 * 4),
  next: place(marksForTests.next.byteLength),
  bits: place(marksForTests.bits.byteLength),
  /** Places in the list of names and one more, by hash. */
  slots: place(SLOTS * 4),
  nameStarts: place(NAMES_MAX * 4),
  nameLengths: place(NAMES_MAX * 4),
  flags: place(NAMES_MAX * 4),
  /** Successor of each key, as in `slots`: bags of one kind have theirs in one order. */
  follows: place((NAMES_MAX + 1) * 4),
  heap: place(HEAP_BYTES),
  verdicts: place(CRUMBS_MAX),
  newNames: place(NEW_NAMES_MAX * 8),
  contexts: place(CONTEXTS_MAX),
  texts: place(TEXTS_MAX * 8),
  told: place(TOLD_SIZE * 4),
  /** Sixteen bytes each. */
  words: place(WORDS.length * WORD_BYTES),
  input: place(BYTES_MAX + 64),
} as const
export const MEMORY_PAGES = Math.ceil(placed / PAGE_BYTES)
export const START = marksForTests.start
const wordAt = (word: string): number => AT.words + WORDS.indexOf(word) * WORD_BYTES
export const CRUMBS_AT = wordAt('breadcrumbs')
export const VALUES_AT = wordAt('values')
export const CONTEXTS_AT = wordAt('contexts')
export const EXCEPTION_AT = wordAt('exception')
export const REQUEST_AT = wordAt('request')
export const EXTRA_AT = wordAt('extra')
export const MESSAGE_AT = wordAt('message')
export const VALUE_AT = wordAt('value')
export const URL_AT = wordAt('url')
export const HEADERS_AT = wordAt('headers')

/** Writes what never changes. */
export function writeTables(memory: ArrayBuffer): void {
  new Uint8Array(memory, AT.next, marksForTests.next.byteLength).set(
    new Uint8Array(marksForTests.next.buffer, 0, marksForTests.next.byteLength),
  )
  new Uint32Array(memory, AT.bits, marksForTests.bits.length).set(marksForTests.bits)
  for (const word of WORDS) new Uint8Array(memory, wordAt(word), word.length).set(Buffer.from(word))
  const kinds = new Int32Array(memory, AT.kinds, 256)
  for (let code = 0; code < 256; code++) kinds[code] = kindOf(code)
}

const SIGNS = '=:>([\'`"'
const OF_SELECTORS = /[\w .#>=[\]"-]/
const BLANKS = ' \t'
const JOINTS = ' -._/,|'

function kindOf(code: number): number {
  const letter = String.fromCharCode(code)
  let kind = CLASS_OF[Math.min(code, 127)] ?? 0
  const add = (is: boolean, bit: number) => {
    if (is) kind |= bit
  }
  add(/\d/.test(letter), DIGIT)
  add(/[A-Z]/.test(letter), UPPER)
  add(/[A-Za-z]/.test(letter), LETTER)
  add(/[\w$.-]/.test(letter), NAMING)
  add(SIGNS.includes(letter), SIGN)
  add(letter === '+' || letter === '/', OF_BASE64)
  add(!OF_SELECTORS.test(letter), NO_SELECTOR)
  add(code <= 0x20, WHITE)
  add(letter === '{', BRACE)
  add(JOINTS.includes(letter), JOINING)
  add(code < 0x20 || code >= 0x7f, BEYOND)
  add(BLANKS.includes(letter), BLANK)
  add(/[\w-]/.test(letter), WORD)
  return kind
}
