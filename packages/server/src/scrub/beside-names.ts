/**
 * The last look at a text that names a secret: whatever signs, words and brackets stand between the name and its value, a
 * word near the name that is no word of manuals, logs or source is the value. Each look is bounded.
 */
import type { TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { BEYOND_ASCII, NAMES, partsIn, STRONG } from './name-parts.ts'
import { looksIssued } from './random.ts'
import { isMade, isUncommon, mayBeSecret } from './uncommon.ts'

interface BesideOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

interface Stretch {
  readonly start: number
  readonly end: number
  readonly rule: string
}

/** Rules under which a word of letters is more often a thing's name. */
const OF_KEYS: ReadonlySet<string> = new Set(['token', 'one_time_code'])
const NAME = /[\p{L}_$][\p{L}\p{N}\p{M}_.$-]{1,63}/gu
/** The same of a text in ASCII, found in a third of the time. */
const PLAIN_NAME = /[A-Za-z_$][\w.$-]{1,63}/g
/** Names of several words. */
const PHRASE =
  /\b(?:(?:api|access|secret|private|signing|encryption|master|wpa|wi-?fi|network|license|admin|consumer|integration|app|deploy|wrong|decryption|unlock) keys?|mot de passe|m[aậ]t kh[aẩ]u|kata (?:sandi|laluan)|cl[eé] (?:secr[eè]te|priv[eé]e|api|d'acc[eè]s)|pass code)(?![\p{L}\d])/giu
const MAYBE_PHRASE = /key|mot de|kh[aẩ]u|kata |cl[eé] |pass code/i
const WORD = /[^\s"'`()[\]{}<>,;|«»“”„]+/g
const REACH = 72
const WORDS_MAX = 6
/** Names that are looked around: no text of an ordinary event has a tenth of them. */
const NAMES_MAX = 100
const BEHIND_CHARS = 56
const BEHIND_WORDS = 5

/** Words before which one of many it is. */
const WHICH =
  /^(?:commit|sha|rev(?:ision)?|digest|ids?|trace|request|build|version|checksum|etag|fingerprint|hash|ref|object|blob|tree|instance|pod|node|run|job|span|line|rule|scope|region|user|host|server|email)[:=#]{0,2}$/i
const OPENING = /["'`“„«]/
const CLOSING = /["'`”»“]/

/** `parts`: what `partsIn` tells of the text. */
export function scrubBesideNames(text: string, parts: number, options: BesideOptions): string {
  if ((parts & NAMES) === 0 && !options.keys.hasOwn && !text.includes('PAT')) return text
  const names = namesIn(text, parts, options.keys)
  if (names.length === 0) return text
  const isOfCloud = text.includes('arn:')
  let out = ''
  let copied = 0
  for (const name of names) {
    // A part of a path of names.
    if (isOfCloud && /\barn:\S{0,200}$/.test(text.slice(Math.max(0, name.start - 210), name.start))) continue
    const found =
      valueBehind(text, name, { names, options }) ??
      (options.mode === 'text' ? valueBefore(text, name, options.keys) : null)
    if (found === null || found.start < copied) continue
    options.onFound(found.rule, text.slice(found.start, found.end))
    out += text.slice(copied, found.start) + FILTERED
    copied = found.end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function namesIn(text: string, parts: number, keys: SecretKeys): Stretch[] {
  const names: Stretch[] = []
  for (const { 0: whole, index } of text.matchAll((parts & BEYOND_ASCII) === 0 ? PLAIN_NAME : NAME)) {
    if (names.length >= NAMES_MAX) break
    const name = whole.endsWith('.') ? whole.replace(/\.+$/, '') : whole
    // Numbers and ids of each text are new: none of them is judged as a name, which takes long.
    if ((partsIn(name) & NAMES) === 0 && !keys.hasOwn && name !== 'PAT') continue
    const rule = name === 'PAT' ? 'token' : keys.ruleOf(name)
    if (rule !== null && STRONG.has(rule)) names.push({ start: index, end: index + name.length, rule })
  }
  if (!MAYBE_PHRASE.test(text)) return names
  for (const { 0: name, index } of text.matchAll(PHRASE)) {
    if (names.length >= 2 * NAMES_MAX) break
    names.push({
      start: index,
      end: index + name.length,
      rule: /key|cl[eé]/i.test(name) ? 'api_key' : 'password',
    })
  }
  return names.toSorted((a, b) => a.start - b.start)
}

interface Around {
  readonly names: readonly Stretch[]
  readonly options: BesideOptions
}

function valueBehind(text: string, name: Stretch, { names, options }: Around): Stretch | null {
  const { keys, mode } = options
  const reach = lineOf(text.slice(name.end, name.end + REACH))
  const sentence = reach.search(/[.!?] [A-Z]/)
  let count = 0
  for (const { 0: word, index } of reach.matchAll(WORD)) {
    if (++count > WORDS_MAX || (sentence !== -1 && sentence + 3 <= index + word.length)) return null
    if (word.includes('Filtered')) return null
    if (WHICH.test(word)) return null
    const start = name.end + index + (/^[=:>~-]+/.exec(word)?.[0].length ?? 0)
    const value = text.slice(start, name.end + index + word.length).replace(/[.,;:!?]+$/, '')
    const end = start + value.length
    if (value.length < 4 || names.some((other) => start >= other.start && start < other.end)) continue
    const isQuoted = OPENING.test(text[start - 1] ?? '') && CLOSING.test(text[end] ?? '')
    if (mode === 'source' && !isQuoted) continue
    if (
      (isMade(value, name.rule) ||
        (isUncommon(value) && isGivenTo(text, name, { start, end, isQuoted, mode }))) &&
      mayBeSecret(value, keys)
    )
      return { start, end, rule: name.rule }
  }
  return null
}

const lineOf = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? ''

const ENGLISH = /pass(?!wort|ord)|pwd|pw$|secret|key|cred/i
const SIGNED = /^[^:=]{0,40}(?:[:=>]|->|=>)\s{0,3}["'`“„«]?$/
const GLUED = /^["'\])]{0,3}=["'`]?$/
const SAID =
  /^['`"’]?s?(?: (?:for|of|to|on) [\w@.-]{1,64})?(?: (?:is|was|to|set to|changed to|now|of|as|lautet|ist)){1,3} $/
const ENDS = /^["'`)\]}”».!;]{0,3}(?:$|\s|,)/
const TRIED = /(?:with|using|and|wrong|bad|invalid) (?:\w{1,16} )?$/

interface Place {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  readonly mode: TextMode
}

/** Whether signs or words between them give the word to the name. */
function isGivenTo(text: string, name: Stretch, { start, end, isQuoted, mode }: Place): boolean {
  if (OF_KEYS.has(name.rule)) return false
  const between = text.slice(name.end, start)
  if (!ENGLISH.test(text.slice(name.start, name.end))) return mode === 'text' && GLUED.test(between)
  if (isQuoted) return name.rule !== 'secret' || between.trim().length > 1
  if (SIGNED.test(between)) return true
  const isSaid =
    SAID.test(between) ||
    (between === ' ' &&
      (TRIED.test(text.slice(Math.max(0, name.start - 24), name.start)) ||
        /^wrong /i.test(text.slice(name.start, name.end))))
  return isSaid && ENDS.test(text.slice(end, end + 8))
}

/** Words between a value and the name behind it. */
const BEHIND =
  /^["'`)\]]{0,2}(?: \(|[;,] (?:incorrect|wrong|invalid|bad) |,? ["'`]?(?:(?:(?:is|was|are|as|for|of|given as|used as|set as|to (?:be|equal|match)|did not match|does not match|!=|==|<>) )(?:(?:the|your|our|my|an?|its|this|not|no|in|valid|invalid|column|field|key|property|path|parameter|stored|expected|actual|current) ["'`]?){0,4}))["'`]?$/i

/** Ends of `BEHIND`: before most names stands none of them. */
const MAYBE_BEHIND =
  /(?: \(|(?:incorrect|wrong|invalid|bad|is|was|are|as|for|of|be|equal|match|!=|==|<>|the|your|our|my|an?|its|this|not|no|in|valid|column|field|key|property|path|parameter|stored|expected|actual|current) ["'`]?)["'`]?$/i
const BEHIND_END_CHARS = 16

/** "X is your SNYK_TOKEN": only what nobody chose. */
function valueBefore(text: string, name: Stretch, keys: SecretKeys): Stretch | null {
  if (!MAYBE_BEHIND.test(text.slice(Math.max(0, name.start - BEHIND_END_CHARS), name.start))) return null
  const from = Math.max(0, name.start - BEHIND_CHARS)
  const reach = text.slice(from, name.start)
  const line = Math.max(reach.lastIndexOf('\n'), reach.lastIndexOf('\r')) + 1
  const words = [...reach.slice(line).matchAll(WORD)].slice(-BEHIND_WORDS)
  for (const { 0: word, index } of words.toReversed()) {
    if (/[.!?]$/.test(word) || word.includes('Filtered')) return null
    const start = from + line + index + (/^\w{1,16}=(?=\w)/.exec(word)?.[0].length ?? 0)
    // A word that the reach cut.
    if (start === from && /[^\s"'`()[\]{}<>,;|]/.test(text[start - 1] ?? ' ')) return null
    const value = text.slice(start, from + line + index + word.length).replace(/[,;:]+$/, '')
    if (!isMade(value, name.rule) || !looksIssued(value)) continue
    if (BEHIND.test(text.slice(start + value.length, name.start)) && mayBeSecret(value, keys))
      return { start, end: start + value.length, rule: name.rule }
  }
  return null
}
