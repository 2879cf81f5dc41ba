/**
 * Values with blanks in them that no quote of their own holds: of connection strings, of a literal that is one setting, of
 * lines of settings. Asked for values that are secrets already: how far do they reach?
 */
import { isOrdinary } from './ordinary.ts'
import { isUncommon } from './uncommon.ts'

const REACH = 200

/** `;Password=Chess Knight;`: up to the next sign of a connection string. */
const TO_NEXT = /^(?: [^\s;"'`=<>]{1,40}){1,6}(?=;)/
/** `;PWD=Queen of hearts`: up to the end. */
const TO_END = /^(?: [^\s;"'`=<>]{1,40}){1,5}(?=\s{0,4}(?:$|["'`\r\n]))/
/** `user=app password=under world dbname=shop`: up to the next name. */
const TO_NAME = /^(?: [^\s;"'`=<>,]{1,40}){1,4}(?= [a-z_]\w{1,30}=\S)/i
/** `"become_pass=zebra crossing"`: up to the quote that was opened before the name. */
const TO_QUOTE = /^(?: [^\s"'`=;&]{1,40}){1,6}(?=["'`])/
const LINE_REST = /^(?: [^\s"'`=]{1,40}){1,6}(?=[ \t]{0,8}(?:[#;][^\r\n]{0,120})?(?:[\r\n]|$|\\n))/
const BEFORE_LINE = /(?:^|[\r\n]|\\n)[ \t]{0,40}(?:- |export )?["']?$/
const OTHER_LINE = /(?:^|[\r\n]|\\n)[ \t]{0,40}(?:- )?[A-Za-z][\w.-]{1,40}[ \t]{0,8}[=:][ \t]{0,8}\S/g
const SAID =
  /^(?:failed|refused|rejected|timed|error|is|was|are|has|had|have|did|does|could|cannot|can|for|at|from|on|in|to|with|by|and|or|but|not|got|returned|after|while|when|because|via|using)$/i

/** Returns where a bare value ends that `end` cut at a blank; `end` itself if something else follows. */
export function spacedEnd(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  nameStart: number,
): number {
  if (text.charCodeAt(end) !== 0x20 || start === 0) return end
  const rest = text.slice(end, end + REACH)
  const before = text.slice(Math.max(0, nameStart - REACH), nameStart)
  const isOfString = /;\s{0,2}$/.test(before) || /(?:^|["'`])$/.test(before)
  const length =
    (isOfString ? (TO_NEXT.exec(rest)?.[0].length ?? 0) : 0) ||
    (/;\s{0,2}$/.test(before) ? saying(TO_END.exec(rest)?.[0]) : 0) ||
    (/(?:^|[\s"'`])\w{1,30}=[^\s=]{1,64} $/.test(before) ? unordinary(TO_NAME.exec(rest)?.[0]) : 0) ||
    (isQuotedHere(before, rest) ? (TO_QUOTE.exec(rest)?.[0].length ?? 0) : 0) ||
    (BEFORE_LINE.test(before) && isOfSettings(text) ? saying(LINE_REST.exec(rest)?.[0]) : 0) ||
    phraseLength(text.slice(nameStart, start), rest)
  return end + length
}

/** Lines of settings, not one alone. */
function isOfSettings(text: string): boolean {
  if (/^[ \t]*[A-Za-z][\w.-]{2,40}=[^=\r\n]{3,80}$/.test(text)) return true // one setting, and nothing else
  return /[\r\n]|\\n/.test(text) && (text.slice(0, 4_000).match(OTHER_LINE)?.length ?? 0) >= 2
}

function saying(words: string | undefined): number {
  return words === undefined ||
    words
      .trim()
      .split(' ')
      .some((word) => SAID.test(word))
    ? 0
    : words.length
}

/** `passphrase: lilac tulip meadow`: words of no manual, up to the end. */
const WORDS_TO_END = /^(?: [a-z]{3,14}){1,7}(?=["'`.,;!)]?\s{0,4}(?:$|[\r\n]))/

function phraseLength(name: string, rest: string): number {
  const words = WORDS_TO_END.exec(rest)?.[0] ?? ''
  const least = /phrase["']?\s{0,4}[=:]/i.test(name) ? 1 : 2
  return words.split(' ').filter(isUncommon).length >= least ? saying(words) : 0
}

function unordinary(words: string | undefined): number {
  return words === undefined ||
    words
      .trim()
      .split(' ')
      .every((word) => isOrdinary(word))
    ? 0
    : words.length
}

/** A quote before the name, and its partner behind the value. */
function isQuotedHere(before: string, rest: string): boolean {
  const quote = before.at(-1) ?? ''
  return (
    '"\'`'.includes(quote) &&
    quote !== '' &&
    TO_QUOTE.exec(rest)?.[0] !== undefined &&
    rest[TO_QUOTE.exec(rest)?.[0].length ?? 0] === quote
  )
}
