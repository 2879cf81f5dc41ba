/**
 * Digests as people and programs write them. A digest is 1 to 20 decimal digits; frameworks append the code of their
 * own error (`2741933020@E394`, before that `2741933020;E394`), which is no part of it.
 */
import { type Digest, digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'

const VALUE = /^(\d{1,20})(?:[@;][A-Za-z]\w{0,63})?$/
const CHARS_MAX = max('digestPasteCharsMax')
const DIGESTS_MAX = max('digestsPerPasteMax')
/** A number that no word names must be as long as a digest usually is: ports, years and status codes are shorter. */
const BARE_DIGITS_MIN = 5
/** How much other text may stand beside a number that no word names. */
const OTHER_CHARS_MAX = 12

const SUFFIX = '(?:[@;][A-Za-z]\\w{0,63})?'
/** Look-ahead that rejects times, addresses, dates and sizes: `12:30`, `10.0.0.1`, `2026-11-21`, `500px`. */
const END = '(?![\\w@]|\\.\\w|[,:/-]\\d)'
const GAP = '["\'`*]{0,2}\\s{0,8}(?:[:=#]|is\\b|was\\b|→|-(?=\\s))?\\s{0,8}["\'`*#]{0,2}'

const NAMED = new RegExp(`(?:\\b|_)(?:digest|data-dgst|dgst)${GAP}(\\d{1,20})${SUFFIX}${END}`, 'gi')
/** Beginnings shared by all names of a digest. */
const MAYBE_NAMED = /[dD](?:[iI][gG]|[aA][tT][aA]-|[gG][sS])/
const AFTER_WORD = new RegExp(
  `\\b(?:error|errata|code|reference|ref)\\.?${GAP}(\\d{5,20})${SUFFIX}${END}`,
  'gi',
)
/** Ids of events, traces and of what apps show, whose leading digits are no digest. */
const ID = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/gi
const WITH_CODE = /(?<![\w@.:/-])(\d{1,20})@E\d{1,6}(?!\w)/g

/** A value that is a digest and nothing else; control flow such as `NEXT_REDIRECT;…` and anything else is `null`. */
export function readDigest(value: unknown): Digest | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length > 128) return null
  const digits = VALUE.exec(text.trim())?.[1]
  return digits === undefined ? null : digest(digits)
}

/**
 * Digests in what somebody pasted: a number, `Digest: 2741933020`, `ERROR 2741933020`, a whole error page or a log.
 * In the order of the text, each once, at most `digestsPerPasteMax`. A number counts only after a word that names
 * it, with a framework's code, or when there is hardly anything else.
 */
export function findDigestsInText(text: string): readonly Digest[] {
  const bounded = withoutMarkup(text.slice(0, CHARS_MAX)).replace(ID, ' id ')
  const found = new Map<number, string>()
  for (const pattern of [NAMED, AFTER_WORD, WITH_CODE]) {
    for (const match of bounded.matchAll(pattern)) {
      const digits = match[1]
      if (digits === undefined) continue
      const at = match.index + match[0].lastIndexOf(digits)
      if (!found.has(at)) found.set(at, digits)
    }
  }
  const ordered = found.size > 0 ? orderDigests(found) : bareNumbers(bounded)
  return [...new Set(ordered)].slice(0, DIGESTS_MAX).map(digest)
}

/** Digests that a text itself calls so: `digest: '2741933020'`. For text of an event, where guessing would be wrong. */
export function findNamedDigests(text: string): readonly Digest[] {
  if (!MAYBE_NAMED.test(text)) return [] // a tenth of the cost, and nearly every text of every event
  const digits = [...text.slice(0, CHARS_MAX).matchAll(NAMED)].map((match) => match[1] ?? '')
  return [...new Set(digits)].slice(0, DIGESTS_MAX).map(digest)
}

/** Returns the text of a page's source; tags that hold a digest stay. */
function withoutMarkup(text: string): string {
  return text.replace(/<(?:!--[^<>]{0,200}--|\/?[a-z][^<>]{0,500})>/gi, (tag) =>
    /dgst|digest/i.test(tag) ? tag : ' ',
  )
}

function orderDigests(found: ReadonlyMap<number, string>): readonly string[] {
  return [...found].sort(([one], [other]) => one - other).map(([, digits]) => digits)
}

function bareNumbers(text: string): readonly string[] {
  const numbers: string[] = []
  let otherChars = 0
  for (const token of text.split(/[\s,;|]+/)) {
    const plain = token.replace(/^["'`([{<#*]{1,4}|["'`)\]}>.!?*]{1,4}$/g, '')
    const digits = VALUE.exec(plain)?.[1]
    if (digits !== undefined && digits.length >= BARE_DIGITS_MIN) numbers.push(digits)
    else otherChars += token.length
  }
  return otherChars <= OTHER_CHARS_MAX ? numbers : []
}
