/**
 * Keys by how their issuers write them, in one walk over the text: where a word begins, its first two characters tell
 * which prefixes are worth a look. Linear: how far an alphabet's letters reach is found out once for a whole run.
 */
import { isAlnum } from './characters.ts'
import { FILTERED } from './filtered.ts'
import { ALNUM, BLOB, ISSUER_RULES, type IssuerRule, LETTER_BITS, UPPER_PARTS } from './issuers.ts'
import { HASH_RULES, HOOK_HOST, KEY_ADDRESS, MARKED_RULES, type MarkedRule, WIFI } from './marked.ts'
import { holdsDigits, isBroken, isRandom } from './random.ts'

type OnRule = (rule: string) => void

/** Rules by their first two characters: an index into `BUCKETS`, or 0. */
const BUCKET_OF = new Uint16Array(128 * 128)
const BUCKETS: IssuerRule[][] = [[]]
for (const rule of ISSUER_RULES) {
  const at = rule.prefix.charCodeAt(0) * 128 + rule.prefix.charCodeAt(1)
  if (BUCKET_OF[at] === 0) BUCKET_OF[at] = BUCKETS.push([]) - 1
  BUCKETS[BUCKET_OF[at] ?? 0]?.push(rule)
}

const RUN_CHARS_MIN = 40
const RUN_CHARS_MAX = 512
/** Every key that is known by more than its prefix has a run of so many token characters. */
const MARKED_RUN_MIN = 22

interface Found {
  readonly id: string
  readonly start: number
  readonly end: number
}

/** The text without keys. Only for texts with a long run of token characters. */
export function scrubIssued(whole: string, on: OnRule): string {
  const text = MAYBE_HASH.test(whole) ? scrubMarked(whole, HASH_RULES, on) : whole
  let out = ''
  let copied = 0
  let reach: Map<number, number> | null = null
  let runStart = 0
  let longest = 0
  let before = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const letter = code < 128 ? (LETTER_BITS[code] ?? 0) : 0
    let found: Found | null = null
    if ((letter & ALNUM) !== 0 && ((before & ALNUM) === 0 || isEscapeBefore(text, at))) {
      const next = text.charCodeAt(at + 1)
      const bucket = next < 128 ? (BUCKET_OF[code * 128 + next] ?? 0) : 0
      if (bucket !== 0) {
        reach ??= new Map()
        found = issuedAt(text, at, { rules: BUCKETS[bucket] ?? [], reach })
      }
    }
    if ((letter & BLOB) === 0 || code === 0x3d) {
      if (at - runStart > longest) longest = at - runStart
      if (found === null && at - runStart >= RUN_CHARS_MIN) found = randomRun(text, runStart, at)
      runStart = at + 1
    }
    before = letter
    if (found === null || found.start < copied) continue
    on(found.id)
    out += text.slice(copied, found.start) + FILTERED
    copied = found.end
    at = Math.max(at, found.end - 1)
    runStart = found.end
    before = ALNUM
  }
  const rest = copied === 0 ? text : out + text.slice(copied)
  if (longest < MARKED_RUN_MIN) return scrubHooks(rest, on)
  const unmarked = MARKS.test(rest) ? scrubMarked(rest, MARKED_RULES, on) : rest
  return scrubHooks(scrubPrefixed(scrubSaying(unmarked, on), on), on)
}

/** `\n` and its like, written out: the letter belongs to the escape and not to the word behind it. */
function isEscapeBefore(text: string, at: number): boolean {
  const letter = text.charCodeAt(at - 1)
  return (letter === 0x6e || letter === 0x72 || letter === 0x74) && text.charCodeAt(at - 2) === 0x5c
}

function issuedAt(
  text: string,
  start: number,
  { rules, reach }: { readonly rules: readonly IssuerRule[]; readonly reach: Map<number, number> },
): Found | null {
  for (const rule of rules) {
    if (!text.startsWith(rule.prefix, start)) continue
    const { isWeak } = rule
    const joining = isWeak ? text.charCodeAt(start - 1) : 0
    if (isJoined(joining)) continue
    const body = start + rule.prefix.length
    const run = runEnd(text, body, { letters: rule.letters, reach })
    if (run - body < rule.charsMin || run - body > rule.charsMax) continue
    if (rule.charsMin === rule.charsMax && isAlnum(text.charCodeAt(run))) continue
    if (joining === SLASH && !isStep(text, body, run)) continue
    if (!isChance(text, { start: body, end: run, isWeak, isUpper: (rule.letters & ~UPPER_PARTS) === 0 }))
      continue
    let end = run
    while (text.charCodeAt(end - 1) === 0x2e) end-- // the full stop of a sentence
    return { id: rule.id, start, end }
  }
  return null
}

interface Body {
  readonly start: number
  readonly end: number
  readonly isWeak: boolean
  readonly isUpper: boolean
}

function isChance(text: string, { start, end, isWeak, isUpper }: Body): boolean {
  if (!isWeak) return isBroken(text, start, end)
  return isUpper ? holdsDigits(text, start, end) : isRandom(text, start, end)
}

/** Returns where the run of `letters` around `from` ends; each run is walked once. */
function runEnd(
  text: string,
  from: number,
  { letters, reach }: { readonly letters: number; readonly reach: Map<number, number> },
): number {
  const known = reach.get(letters)
  if (known !== undefined && known >= from) return known
  let end = from
  while (end < text.length && ((LETTER_BITS[text.charCodeAt(end)] ?? 0) & letters) !== 0) end++
  reach.set(letters, end)
  return end
}

/** `_`, `-`, `.`: the prefix is the rest of a longer name. */
function isJoined(code: number): boolean {
  return code === 0x5f || code === 0x2d || code === 0x2e
}

const SLASH = 0x2f
const STEP_CHARS_MIN = 20

/** A whole step of a path, as long as keys are: what files are called has an ending. */
function isStep(text: string, start: number, end: number): boolean {
  if (end - start < STEP_CHARS_MIN) return false
  const next = text.charCodeAt(end)
  return next !== 0x2e || !isAlnum(text.charCodeAt(end + 1))
}

/** A long run without a known prefix that only chance writes: small and capital letters and digits, well mixed. */
function randomRun(text: string, start: number, end: number): Found | null {
  if (end - start > RUN_CHARS_MAX) return null
  const from = start + (FOLDERS.exec(text.slice(start, end))?.[0].length ?? 0)
  if (end - from < RUN_CHARS_MIN) return null
  if (!isRandom(text, from, end, 'mixed')) return null
  if (text.startsWith('eyJ', start) && isHeaderAlone(text.slice(start, end))) return null
  // Public keys, ids of clicks on ads and of messages: nobody signs in with them.
  if (
    isPublicBlock(text, start) ||
    PUBLIC_RUN.test(text.slice(start, start + 20)) ||
    PUBLIC_BEFORE.test(text.slice(Math.max(0, from - 24), from))
  )
    return null
  // Digests of files, embedded files, and names of files hide nothing.
  if (
    /^sha-?\d{3}-/i.test(text.slice(start, start + 8)) ||
    OF_DIGEST.test(text.slice(Math.max(0, start - 24), start))
  )
    return null
  if (
    text.slice(Math.max(0, start - 7), start) === 'base64,' ||
    /^\.[a-z][a-z0-9]{1,4}\b/.test(text.slice(end, end + 7))
  )
    return null
  return { id: 'random_key', start: from, end }
}

/** `SHA-256=`, `sha512:`, `"digest":"`, `ETag: "`: a sum of something, and no key. */
const OF_DIGEST =
  /(?:\bsha-?\d{1,3}(?:[-_/]\d{3})?|\bmd5|\bblake[23]\w?|\bh1|digest|checksum|integrity|etag|crc32c?)(?:[=:]{1,2}|["']?\s?[=:]\s?["']?)$/i

/** The first part of a signed token, which says how it is signed. */
function isHeaderAlone(run: string): boolean {
  const header = Buffer.from(run, 'base64').toString('latin1')
  return /^\{(?:\s{0,4},?\s{0,4}"(?:typ|alg|kid|cty|enc)"\s?:\s?"[\w.-]{1,40}"){1,5}\s{0,4}\}$/.test(header)
}

const BLOCK_CHARS = 16_384
const PUBLIC_BLOCK =
  /^-----BEGIN (?:[A-Z0-9]{1,8} ){0,2}(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|SIGNATURE|MESSAGE|CRL|PKCS7|DH PARAMETERS)-----/

/** Whether a run stands in a certificate or a public key, which anybody may see. */
function isPublicBlock(text: string, start: number): boolean {
  if (text !== blocks.text) blocks = { text, hasAny: text.includes('-----BEGIN ') }
  if (!blocks.hasAny) return false
  const before = text.slice(Math.max(0, start - BLOCK_CHARS), start)
  const begin = before.lastIndexOf('-----BEGIN ')
  return begin > before.lastIndexOf('-----END ') && PUBLIC_BLOCK.test(before.slice(begin, begin + 80))
}

/** Whether the text that was looked at last has a block at all: it is asked for each of its runs. */
let blocks = { text: '', hasAny: false }

/** How keys of SSH begin that everybody may see, by their kinds. */
const PUBLIC_RUN =
  /^(?:MIG[ef]MA0GCSqGSIb3|AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNhLX|GnNrLX|InNrLX)|MII[BC]IjANBgkqhkiG9|MFkwEwYHKoZIzj0|MHYwEAYHKoZIzj0|MCowBQYDK2Vw)/
const PUBLIC_BEFORE =
  /(?:code_challenge=|[?&](?:fbclid|[dgy]clid|msclkid|t[tw]clid|li_fat_id|_hsenc|igshid|[gw]braid|epik|sccid|srsltid|_gl)=|\bwamid\.|\bbh=|\/d\/|(?:^|[\s"'_-])(?:id|guid|etag|digest|checksum|fingerprint|integrity|sitekey|site[ _-]key)["']?\s{0,2}[:= ]\s?["']?)$/i

/** The words of a path that a run begins with. */
const FOLDERS = /^(?:[a-z]{3,32}(?:[-_][a-z]{1,32}){0,4}\/(?:[a-z]\/)?){1,16}/

const MAYBE_HASH = /\$[\w./+=-]{20}|django-insecure-/
const MARKS = new RegExp(MARKED_RULES.map(({ mark }) => mark.replace(/[^A-Za-z0-9]/g, '\\$&')).join('|'))

/** Keys that are known by what stands inside them. */
function scrubMarked(text: string, rules: readonly MarkedRule[], on: OnRule): string {
  let out = text
  for (const { id, mark, pattern } of rules) {
    if (!out.includes(mark)) continue
    out = out.replace(pattern, () => {
      on(id)
      return FILTERED
    })
  }
  return out
}

const MAYBE_HOOK =
  /hook|WIFI:|alchemy\.com|infura\.io|quiknode|ankr\.com|\/bot|maker\.ifttt|hc-ping|api\.render|calendar\/ical|events\.pagerduty|openweathermap|loggly|api\.day\.app|victorops|\/api\/push\/|rtmp|twitch|\.m\.pipedream/

/** Addresses that are keys themselves; their parts may be short. */
export function scrubHooks(text: string, on: OnRule): string {
  if (!MAYBE_HOOK.test(text)) return text
  const unjoined = text.replace(WIFI, (whole: string, network: string, password: string) => {
    if (password === FILTERED) return whole
    on('password')
    return network + FILTERED
  })
  const out = unjoined.replace(KEY_ADDRESS, (_, address: string) => {
    on('webhook_address')
    return address + FILTERED
  })
  return out.replace(HOOK_HOST, () => {
    on('webhook_address')
    return FILTERED
  })
}

/** Ids that services and applications write in front of a kind: `pi_…`, `user_…`. */
const KINDS =
  /^(?:pi|price|evt|cus|ch|in|ii|sub|si|seti|src|prod|acct|req|res|pm|card|ba|txn|tr|po|py|cs|pk|link|file|mandate|user|usr|org|orgmem|role|team|member|proj|project|app|client|sess|session|msg|message|run|step|thread|asst|call|chatcmpl|resp|batch|job|task|build|dpl|order|ord|invoice|inv|item|trace|span|event|id|uid|page|block|chunk|img|image|asset|css|sc|style|module|react|svelte|comp|cache|key|hash|sha\d{0,3}|v|release)$/
const HEX_KEY = /^(?=[a-f]*\d)[0-9a-f]{40,128}$/
const LOWER_KEY = /^(?=[0-9a-f]*[g-z])[0-9a-z]{28,128}$/
const PREFIXED =
  /(?<![A-Za-z0-9_./-])((?:[a-z][a-z0-9]{1,11}_){0,2}[a-z][a-z0-9]{1,11})[_-]([A-Za-z0-9]{28,128})(?![A-Za-z0-9_-])/g

/** A word nobody knows, and behind it what only chance writes: issuers begin their keys with their names. */
function scrubPrefixed(text: string, on: OnRule): string {
  if (!text.includes('_') && !text.includes('-')) return text
  return text.replace(PREFIXED, (whole: string, prefix: string, body: string, at: number) => {
    const isHex = whole[prefix.length] === '_' && HEX_KEY.test(body)
    const isLower = LOWER_KEY.test(body) && isRandom(body, 0, body.length, 'lower')
    const kind = prefix.slice(prefix.lastIndexOf('_') + 1)
    if (KINDS.test(kind) || !(isHex || isLower || isRandom(body, 0, body.length, 'mixed'))) return whole
    if (/^\.[a-z]{2,5}\b/.test(text.slice(at + whole.length, at + whole.length + 7))) return whole
    on('issued_key')
    return FILTERED
  })
}

/** Issued under words that say so, whoever the issuer: `acme_live_…`, `foo-secret-…`. */
const SAYING =
  /(?<![A-Za-z0-9_-])(?!pk_(?:live|test)_)[a-z][a-z0-9]{0,15}[_-](?:live|test|prod|sandbox|secret|sk|pat|oat|api|key|token|tok|tkn|pw|auth|rw|admin|service|access|refresh)[_-]([A-Za-z0-9_]{16,255})/g
const MAYBE_SAYING =
  /sess(?:ion)?[_:-]|[_-](?:live|test|prod|sandbox|secret|sk|pat|oat|api|key|token|tok|tkn|pw|auth|rw|admin|service|access|refresh)[_-]/

/** `session_X`, `sess:X`: keys of caches. */
const SESSION = /(?<![\w-])(?:session|sess)[_:-]([A-Za-z\d]{20,128})(?![\w-])/g

function scrubSaying(text: string, on: OnRule): string {
  if (!MAYBE_SAYING.test(text)) return text
  const unsigned = text.replace(SESSION, (whole: string, body: string) => {
    if (!isRandom(body, 0, body.length, 'mixed')) return whole
    on('session')
    return FILTERED
  })
  return unsigned.replace(SAYING, (whole: string, body: string) => {
    if (!isRandom(body, 0, body.length)) return whole
    on('issued_key')
    return FILTERED
  })
}
