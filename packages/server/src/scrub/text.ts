/**
 * Scrubs one text: by the names it holds, by the forms of secrets, as JSON where it is JSON, and once more in its
 * decoded spelling (`%3D`, `\u0070`, `&quot;`), so that an escape hides nothing. The answer is a fixed point:
 * scrubbing it again changes nothing.
 */
import { MAYBE_CONNECTING, scrubAccountPairs } from './account-pairs.ts'
import { type AssignmentOptions, scrubAssignments } from './assignments.ts'
import { scrubBesideNames } from './beside-names.ts'
import { scrubCalls, scrubNamedBehind } from './calls.ts'
import { isCommandLine, scrubCommands, scrubListed, scrubPlaced } from './commands.ts'
import { MAYBE_COMPLAINT, scrubComplaints } from './complaints.ts'
import { scrubDialogs } from './dialogs.ts'
import { scrubEncoded } from './encoded.ts'
import { scrubExchanges, scrubSpelled } from './exchanges.ts'
import { FILTERED } from './filtered.ts'
import { scrubForeignProse } from './foreign-phrases.ts'
import { scrubGiven } from './given.ts'
import { hidesNothing, isHarmlessWord, isPlaceholder } from './harmless.ts'
import { scrubHooks } from './issued.ts'
import { scrubInviting, scrubKeySteps, scrubLinks } from './links.ts'
import { scrubMultipart } from './multipart.ts'
import { partsIn } from './name-parts.ts'
import { scrubForeignNational, scrubNational } from './national.ts'
import { scrubPacked } from './packed.ts'
import {
  isId,
  scrubIbans,
  scrubNumbers,
  scrubPrivateKeys,
  scrubSchemes,
  scrubTokens,
  scrubUserinfo,
} from './patterns.ts'
import { scrubProse } from './phrases.ts'
import { scrubRemoteCalls } from './remote-calls.ts'
import { scrubBareSeeds } from './seeds.ts'
import { isPlainSelector, scrubSelectors } from './selectors.ts'
import { MAYBE_SETTING_LINE, scrubSettingLines } from './setting-lines.ts'
import {
  MAYBE_BOUND,
  scrubBound,
  scrubDirectives,
  scrubElements,
  scrubIdentified,
  scrubInserts,
  scrubSettingRows,
  scrubStored,
} from './statements.ts'
import { scrubDescribed, scrubTables } from './tables.ts'
import { scrubTold } from './told.ts'
import {
  AT_SIGN,
  CALL,
  CARD,
  CHARS_MIN,
  COMMAND,
  DASHED,
  DIGITS,
  ELEMENT,
  ESCAPED,
  FOREIGN,
  GIVEN,
  HOOK,
  JSON_TEXT,
  LINK,
  MULTIPART,
  NAMED,
  NATIONAL,
  NOUN,
  OF_PROSE,
  PEM,
  PLACED,
  QUOTED,
  SCHEME,
  SIGNED,
  TABLE,
  TOKEN,
  triggersOf,
  VALUES,
} from './triggers.ts'
import { scrubTruncated } from './truncated.ts'

/** Made once per event and mode: this runs for each of its hundreds of texts. */
export interface TextScrubOptions extends AssignmentOptions {
  /** Notes what was found by its form. */
  readonly onRule: (rule: string) => void
  /** Options for a line of source that is read as a shell's or a setting's. */
  readonly asText?: TextScrubOptions
  /** Scrubs parsed JSON; answers the same reference when nothing was found. */
  readonly json: (value: object) => unknown
  /** Takes what a text costs from the event's budget; false when nothing is left of it. */
  readonly spend: (chars: number) => boolean
  /** Client addresses to replace, with what replaces them. */
  readonly addresses: readonly (readonly [address: string, replacement: string])[]
}

const ROUNDS_MAX = 4
const JSON_CHARS_MIN = 7
const LINES_MAX = 2_000

export function scrubText(text: string, options: TextScrubOptions): string {
  if (text.length < CHARS_MIN) return text
  const triggers = triggersIn(text, options)
  const { asText } = options
  if ((triggers & COMMANDING) !== 0 && asText !== undefined) return scrubText(text, asText)
  // Most texts of most events: read once, and nothing of it can be a secret.
  if (triggers === 0 && !holdsAddress(text, options))
    return options.mode === 'text' ? scrubBareSeeds(text, options.onFound) : text
  // Ids of traces and of builds, which hide nothing.
  if (triggers === TOKEN && isId(text)) return text
  if (
    (triggers & (ELEMENT | NOUN)) !== 0 &&
    options.mode === 'text' &&
    !options.keys.hasOwn &&
    isPlainSelector(text)
  )
    return text
  const first = scrubRound(text, triggers, options)
  return first === text ? text : scrubOn(first, options)
}

/** A text without triggers has no escapes: an address stands in it as it is, or not at all. */
function holdsAddress(text: string, { addresses }: TextScrubOptions): boolean {
  for (const [address] of addresses) if (text.includes(address)) return true
  return false
}

/**
 * Bit of a line of source: a literal of it may be a sentence, a command or an address. Above all bits of
 * `triggers.ts`.
 */
const SAID = 1 << 30
/** A line of source that is a command, a statement or a setting. */
const COMMANDING = 1 << 29
const IN_COMMANDS = NOUN | COMMAND | PLACED
const IN_LITERALS = NOUN | COMMAND | PLACED | LINK | HOOK | FOREIGN
/** A literal that is a command of a shell. */
const SPEAKING =
  /["'`][\w./\\ -]{2,60}[^"'`\n]{0,200} -(?:[uU]|-?user(?:name)?)[ =]\S{1,64} [^"'`\n]{0,100}-(?:[pP]|pw|-?pass(?:word)?)[ =]?\S|["'`](?:sudo )?(?:sshpass|mysql\w{0,6}|mariadb|psql|curl|wget|docker|podman|redis-cli|mongo\w{0,8}|net use|kubectl|helm|openssl|ldap\w{3,8}|7z|zip|unzip|smbclient|sqlcmd) /
const SAYING = /["'`][^"'`\n]{0,200}\d/
const LITERAL = /"([^"\\\n]{12,1000})"|'([^'\\\n]{12,1000})'|`([^`\\\n]{12,1000})`/g

const CODE =
  /[{}[\];<>]|\s=|=[\s=>"'`]|[\w$]\(|^\s{0,80}(?:["'`]|(?:return|const|let|var|val|import|export|from|if|else|elif|for|while|case|def|func|fn|class|public|private|static|throw|raise|yield|await|async|package|use|new|type|print|puts)\b)|,\s{0,8}$/
const HEADER_LINE = /^[ \t]{0,40}(?:[A-Z]\w{1,24}-){0,4}(?:Authorization|Cookie|Signature|Token|Key): \S/

/** A line of a template, a note or a log: words, and nothing that code is made of. */
function isSaidLine(line: string): boolean {
  return /\d/.test(line) && (!CODE.test(line) || HEADER_LINE.test(line))
}

/** Source code is no sentence, no command and no address: what only those hold is not looked for. */
function triggersIn(text: string, { mode }: TextScrubOptions): number {
  const triggers = triggersOf(text)
  if (mode === 'text') return triggers
  if ((triggers & IN_COMMANDS) !== 0 && isCommandLine(text)) return COMMANDING
  if ((triggers & (IN_LITERALS | SCHEME)) !== 0 && isSaidLine(text)) return COMMANDING
  // What a literal says is text, if it says anything with a digit in it.
  const said =
    (triggers & IN_LITERALS) !== 0 && (triggers & CALL) !== 0 && (SAYING.test(text) || SPEAKING.test(text))
      ? SAID
      : 0
  const isSigned = (triggers & SIGNED) !== 0 || text.includes('||') || text.includes('??')
  return said | (triggers & (!isSigned ? ~(OF_PROSE | QUOTED | CALL) : ~OF_PROSE))
}

/** Scrubs a text again after the first round, until nothing changes. */
function scrubOn(text: string, options: TextScrubOptions): string {
  let current = text
  for (let round = 1; round < ROUNDS_MAX; round++) {
    const next = scrubRound(current, triggersIn(current, options), options)
    if (next === current) return current
    current = next
  }
  // Still changing: something nests encodings in encodings. Nothing of it is worth keeping.
  options.onRule('nested_encoding')
  return FILTERED
}

function scrubRound(text: string, triggers: number, options: TextScrubOptions): string {
  if (!options.spend(text.length)) return FILTERED
  if (triggers === 0 && options.addresses.length === 0) return text
  const asJson = (triggers & JSON_TEXT) !== 0 ? scrubJson(text, options) : null
  // JSON without secrets goes through the text passes as well: of a key named twice, parsing shows the last alone.
  if (asJson !== null && asJson !== text) return asJson
  const inner = (triggers & CALL) !== 0 && options.mode === 'text' ? scrubInnerJson(text, options) : text
  if (inner !== text) return inner
  const plain = scrubPlain(text, triggers, options)
  if ((triggers & ESCAPED) === 0) return plain
  const decoded = decode(plain)
  if (decoded === plain) return plain
  const scrubbed = scrubPlain(decoded, triggersOf(decoded), options)
  return scrubbed === decoded ? plain : scrubbed
}

function scrubPlain(text: string, triggers: number, options: TextScrubOptions): string {
  const on = options.onRule
  let out = text
  if ((triggers & PEM) !== 0) out = scrubPrivateKeys(out, on)
  if ((triggers & AT_SIGN) !== 0 || (options.mode === 'text' && out.includes(':*:')))
    out = scrubUserinfo(out, on)
  if ((triggers & GIVEN) !== 0) {
    out = scrubGiven(out, options)
    if (options.mode === 'text') out = scrubSpelled(out, options.onFound)
  }
  if ((triggers & (NAMED | VALUES)) !== 0) out = scrubNamed(out, triggers, options)
  if ((triggers & NAMED) !== 0) {
    if (out.includes('<Buffer ')) out = scrubBuffers(out, options)
    if (options.mode === 'text') out = scrubPacked(out, options)
    if (options.mode === 'text' && CUT.test(out)) out = scrubTruncated(out, options.onFound)
    if (out.includes('<methodName>')) out = scrubRemoteCalls(out, options.onFound)
    if (out.includes('[value=')) out = scrubSelectors(out, { ...options, isTyped: false })
  }
  if ((triggers & CALL) !== 0) out = scrubCalls(out, options)
  if ((triggers & QUOTED) !== 0 && MAYBE_IDENTIFIED.test(out)) out = scrubIdentified(out, options)
  if (options.mode === 'text') out = scrubSaid(out, triggers, options)
  else if ((triggers & SAID) !== 0) out = scrubLiterals(out, options)
  // Before links: a part of such an address may look like a step of signing in.
  if ((triggers & HOOK) !== 0) out = scrubInviting(scrubHooks(out, on), options.onFound)
  if ((triggers & LINK) !== 0) out = scrubLinks(out, options.onFound)
  if ((triggers & TOKEN) !== 0)
    out = scrubEncoded(out, { ...options, text: (form) => scrubText(form, options) })
  if ((triggers & TOKEN) !== 0 && options.mode === 'text') out = scrubNamedBehind(out, options)
  if ((triggers & TOKEN) !== 0) out = scrubTokens(scrubKeySteps(out, options.onFound), on)
  if ((triggers & SCHEME) !== 0) out = scrubSchemes(out, on)
  // The second dash of an option, or another one.
  if ((triggers & DASHED) !== 0) {
    if (out.indexOf('-') !== out.lastIndexOf('-') || /(?:^|\s)-[A-Za-z]\w{3}/.test(out))
      out = scrubOptions(out, options)
    if ((triggers & CALL) !== 0) out = scrubListed(out, options.onFound)
  }
  if ((triggers & CARD) !== 0) out = scrubNumbers(out, on)
  if ((triggers & NATIONAL) !== 0) out = scrubNational(out, options.onFound)
  if ((triggers & FOREIGN) !== 0) out = scrubForeignNational(out, options.onFound)
  if ((triggers & DIGITS) !== 0) out = scrubIbans(out, on)
  if ((triggers & (NOUN | GIVEN | PLACED)) !== 0 || ((triggers & CALL) !== 0 && MAYBE_CONNECTING.test(out)))
    out = scrubLast(out, triggers, options)
  return options.addresses.length === 0 ? out : scrubAddresses(out, options.addresses, on)
}

/** The last looks, near what names a secret and what signs in. */
function scrubLast(text: string, triggers: number, options: TextScrubOptions): string {
  const parts = partsIn(text)
  const isNamed = (triggers & (NOUN | GIVEN | PLACED)) !== 0
  const out = isNamed ? scrubBesideNames(text, parts, options) : text
  return scrubAccountPairs(out, parts, options)
}

/** A text that begins within a name, as bodies that were cut do. */
const CUT = /^\w{2,24}(?:\\{0,3}["']\s?[:=]|=)/

const BUFFER = /<Buffer ((?:[\da-f]{2} ){5,400}[\da-f]{2})(?: \.\.\. \d{1,12} more bytes?)?>/g

/** Bytes as Node writes them, by what they say. */
function scrubBuffers(text: string, options: TextScrubOptions): string {
  return text.replace(BUFFER, (whole: string, bytes: string) => {
    const said = new TextDecoder().decode(
      Uint8Array.from(bytes.split(' '), (byte) => Number.parseInt(byte, 16)),
    )
    return scrubText(said, options) === said ? whole : `<Buffer ${FILTERED}>`
  })
}

/** Scrubs what stands behind a name: of a form's part, a column, an attribute, a setting. */
function scrubNamed(text: string, triggers: number, options: TextScrubOptions): string {
  let out = text
  if ((triggers & MULTIPART) !== 0) out = scrubMultipart(out, options.keys, options.onFound)
  if ((triggers & VALUES) !== 0 && MAYBE_INSERT.test(out)) out = scrubInserts(out, options)
  if ((triggers & VALUES) !== 0 && MAYBE_SETTING_ROW.test(out)) out = scrubSettingRows(out, options)
  if ((triggers & ELEMENT) !== 0 && MAYBE_ELEMENT.test(out)) out = scrubElements(out, options)
  if (options.mode === 'text' && out.includes('\n') && MAYBE_DESCRIBED.test(out))
    out = scrubDescribed(out, options)
  if (options.mode === 'text' && /[?&\s,]p=\S/.test(out)) out = scrubShortNames(out, options.onFound)
  return (triggers & NAMED) === 0 ? out : scrubAssignments(out, options)
}

/** `?u=bob&p=X`, `u=bob p=X`: names of a letter, which tell beside each other. */
const SHORT_NAMES =
  /(?<=[?&\s,](?:u|usr|user|username|login|email)=[^&\s,]{1,128}[&\s,]p=)[^&\s"'`#,;)]{3,256}|(?<=[?&\s]p=)[^&\s"'`#,;)]{3,256}(?=[&\s](?:u|usr|user|username|login|email)=)/g

function scrubShortNames(text: string, onFound: TextScrubOptions['onFound']): string {
  return text.replace(SHORT_NAMES, (value) => {
    if (/^\d{1,3}$/.test(value) || isPlaceholder(value) || value.includes('[Filtered')) return value
    onFound('password', value)
    return FILTERED
  })
}

const MAYBE_EXCHANGE = /(?:PASS|LOGIN|AUTH|IDENTIFY|OPER|PRIVMSG|requirepass|masterauth)\b|auth["'\\\r]/
const MAYBE_DIRECTIVE =
  /define\s|set_header|add_header|_param|setenv|setx|\bset -[a-zA-Z]{1,4} |(?:env|config|secrets?|vars?|variables?)[: ](?:set|add) |header (?:always )?(?:set|append|add)/i

const MAYBE_DESCRIBED = /\n[ \t]{1,32}(?:[Dd]efault|[Vv]alue|[Ee]xample): /
const MAYBE_STORED = /(?:SET|SETNX|SETEX|APPEND)"? /

/** Commands and sentences. */
function scrubSaid(text: string, triggers: number, options: TextScrubOptions): string {
  const { onFound } = options
  let out = text
  if ((triggers & COMMAND) !== 0) out = scrubCommands(out, onFound)
  if ((triggers & PLACED) !== 0) {
    out = scrubPlaced(scrubDialogs(out, onFound), onFound)
    if (MAYBE_EXCHANGE.test(out)) out = scrubExchanges(out, onFound)
    if (MAYBE_DIRECTIVE.test(out)) out = scrubDirectives(out, options)
    if (MAYBE_STORED.test(out)) out = scrubStored(out, options)
    if (MAYBE_SETTING_LINE.test(out)) out = scrubSettingLines(out, options)
  }
  if ((triggers & TABLE) !== 0) out = scrubTables(out, options)
  if ((triggers & CALL) !== 0 && MAYBE_BOUND.test(out)) out = scrubBound(out, options)
  if ((triggers & (NOUN | GIVEN)) !== 0 && MAYBE_COMPLAINT.test(out)) out = scrubComplaints(out, options)
  if ((triggers & (NOUN | PLACED)) !== 0) out = scrubTold(out, onFound)
  if ((triggers & NOUN) !== 0) out = scrubProse(out, onFound)
  out = scrubBareSeeds(out, onFound)
  return (triggers & FOREIGN) === 0 ? out : scrubForeignProse(out, onFound)
}

/** The literals of a line of source, each as the text it is. */
function scrubLiterals(text: string, options: TextScrubOptions): string {
  return text.replace(LITERAL, (whole: string, ...groups: (string | undefined)[]) => {
    const inside = groups[0] ?? groups[1] ?? groups[2] ?? ''
    if (!/\d/.test(inside) && !SPEAKING.test(whole)) return whole
    const triggers = triggersOf(inside) & (IN_LITERALS | QUOTED)
    let out = triggers === 0 ? inside : scrubSaid(inside, triggers, options)
    if ((triggers & QUOTED) !== 0 && MAYBE_IDENTIFIED.test(out)) out = scrubIdentified(out, options)
    if ((triggers & LINK) !== 0) out = scrubLinks(out, options.onFound)
    if ((triggers & HOOK) !== 0) out = scrubHooks(out, options.onRule)
    return out === inside ? whole : whole.charAt(0) + out + whole.charAt(0)
  })
}

const MAYBE_SETTING_ROW = /\bvalue["`]?\s?=\s?'[^\n]{0,600}\bwhere\s/i
const MAYBE_INSERT = /\bvalues?\s{0,8}\(/i
const MAYBE_IDENTIFIED =
  /(?:[Pp]assword|PASSWORD|[Bb]y|BY|[Aa]s|AS|[Kk]ey|KEY)\s{1,4}\\?['"]|key\s{0,4}=\s{0,4}\\?['"]|password for /i
const MAYBE_ELEMENT =
  /[dey]\s?=\s?\\?["'][\w.:-]{1,64}\\?["']\s{0,4}(?:>|[\w:-]{1,32}\s?=)|<[a-z][\w.:-]{1,63}\s{1,4}value\s?=|["']\s{1,4}(?:key|name|id)\s?=/i
const OPTION = /(^|[\s"'[,])(--?[A-Za-z][\w.-]{1,40}["']?[ \t,]{1,4}["']?)([^\s"'`,\]-][^\s"'`,\]]{0,1000})/g

const VERB =
  /^(?:is|was|are|must|cannot|can|should|may|has|requires?|needs?|and|or|with|for|option|flag|argument|via|on|in|to|by|from|as|at|the|a|was|using|not|instead|will|have|had|if|when|could|would|does|did|expected)$/i

/** `--recv-keys`, `--ask-pass`: what is done, and no name of what comes next. */
const ACTING =
  /^(?:(?:recv|receive|send|list|export|import|delete|search|refresh|sign|edit|fetch|locate|show)-(?:secret-|sub|public-)?keys?|(?:ask-?|(?:prompt|no|without|require|skip|check|list|show|print|reset)-)(?:for-)?[a-z-]{0,24})$/

/** `--secret db-password`, of stores and clouds: which one it is. */
function isNamedSecret(option: string, value: string): boolean {
  return (
    /secret$/.test(option) &&
    /^(?:[A-Za-z][\w.:/-]{0,40}[:/._-]?)?(?:[Pp]assword|passwd|secret|token|credentials?|[_-]key|Key|Password|Secret|Token)s?$/.test(
      value,
    )
  )
}

/** `--password hunter2`: the next argument is the value. */
function scrubOptions(text: string, { keys, onFound }: TextScrubOptions): string {
  return text.replace(OPTION, (whole: string, before: string, option: string, value: string) => {
    const name = option.replace(/[^\w-]/g, '').replace(/^-+/, '')
    const rule = keys.ruleFor(name, value)
    if (rule === null || ACTING.test(name) || isNamedSecret(name, value)) return whole
    if (value === FILTERED.slice(0, -1) || value === FILTERED || isHarmlessWord(value)) return whole
    // "--password is required", `--password PASSWORD`, `--token <token>`
    if (hidesNothing(rule, value) || /^(?:id|src)=/.test(value)) return whole
    if (isPlaceholder(value) || VERB.test(value) || value.toLowerCase() === name.toLowerCase()) return whole
    onFound(rule, value)
    return before + option + FILTERED
  })
}

function scrubAddresses(
  text: string,
  addresses: TextScrubOptions['addresses'],
  on: (rule: string) => void,
): string {
  let whole = text
  for (const [address, replacement] of addresses) {
    let out = ''
    let copied = 0
    for (let at = whole.indexOf(address); at !== -1; at = whole.indexOf(address, at + address.length)) {
      const end = at + address.length
      const isPart = /\w/.test(whole[at - 1] ?? '') || /\w/.test(whole[end] ?? '')
      if (isPart || /^\.\d/.test(whole.slice(end, end + 2))) continue
      on('client_address')
      out += whole.slice(copied, at) + replacement
      copied = end
    }
    if (copied > 0) whole = out + whole.slice(copied)
  }
  return whole
}

/** The text of its scrubbed JSON, the text itself when it is JSON without secrets, `null` when it is no JSON. */
function scrubJson(text: string, options: TextScrubOptions): string | null {
  if (!looksLikeJson(text)) return null
  const parsed = parseJson(text)
  if (parsed !== undefined) {
    const scrubbed = options.json(parsed)
    return scrubbed === parsed ? text : JSON.stringify(scrubbed)
  }
  return text.includes('\n') ? scrubJsonLines(text, options) : null
}

const INNER_JSON = /[[{]\s{0,8}["{[]/

/** `got {"a": …}`: JSON behind some words, to the text's end. */
function scrubInnerJson(text: string, options: TextScrubOptions): string {
  const last = text.charCodeAt(text.length - 1)
  if (last !== 0x7d && last !== 0x5d) return text
  const at = text.search(INNER_JSON)
  if (at <= 0) return text
  const json = text.slice(at)
  const scrubbed = scrubJson(json, options) ?? json
  return scrubbed === json ? text : text.slice(0, at) + scrubbed
}

function looksLikeJson(text: string): boolean {
  if (text.length < JSON_CHARS_MIN) return false
  const first = text.charCodeAt(0)
  if (first !== 0x7b && first !== 0x5b && first > 0x20) return false
  return /^\s{0,64}(?:\{\s{0,64}["}]|\[\s{0,64}[{["\d])/.test(text)
}

function parseJson(text: string): object | undefined {
  const last = text.trimEnd().at(-1)
  if (last !== '}' && last !== ']') return undefined // cut short: parsing would only throw
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // looks like JSON and is none: the text passes take it
  }
}

/** Scrubs one JSON value a line, as log files and envelopes are. */
function scrubJsonLines(text: string, options: TextScrubOptions): string | null {
  const lines = text.split('\n', LINES_MAX + 1)
  if (lines.length > LINES_MAX) return FILTERED
  let isJson = false
  const scrubbed = lines.map((line) => {
    const json = scrubJson(line, options)
    if (json !== null) isJson = true
    return json ?? scrubPlain(line, triggersOf(line), options)
  })
  return isJson ? scrubbed.join('\n') : null
}

// Of a row of backslashes only the first begins an escape: each row is walked once.
const UNICODE_ESCAPE = /(?<!\\)\\+u00([2-7][0-9a-fA-F])/g
const HEX_ESCAPE = /(?<!\\)\\+x([2-7][0-9a-fA-F])/g
const PERCENT = /%(?:25)*([2-7][0-9a-fA-F])/g
/** Letters beyond ASCII, two to four bytes each. */
const PERCENT_UTF8 = /(?:%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}){1,256}/g
const ENTITY = /&(?:amp;)*(?:quot|apos|amp|lt|gt|#(\d{2,3})|#x([0-9a-fA-F]{2}));/g
const ENTITY_OF: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' }

/** The text with printable ASCII unescaped, however often it was escaped. */
function decode(text: string): string {
  let out = text
  if (out.includes('\\u00')) out = out.replace(UNICODE_ESCAPE, (_, hex: string) => fromHex(hex))
  if (out.includes('\\x')) out = out.replace(HEX_ESCAPE, (_, hex: string) => fromHex(hex))
  if (out.includes('%')) {
    out = out.replace(PERCENT, (_, hex: string) => fromHex(hex))
    if (out.includes('%')) out = out.replace(PERCENT_UTF8, lettersOf)
  }
  if (out.includes('&')) {
    out = out.replace(ENTITY, (whole: string, decimal?: string, hex?: string) => {
      if (decimal !== undefined) return Number(decimal) < 127 ? String.fromCharCode(Number(decimal)) : whole
      if (hex !== undefined) return Number.parseInt(hex, 16) < 127 ? fromHex(hex) : whole
      return ENTITY_OF[/(quot|apos|lt|gt|amp);$/.exec(whole)?.[1] ?? 'amp'] ?? '&'
    })
  }
  return out
}

function lettersOf(escaped: string): string {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped // bytes, and no letters
  }
}

function fromHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}
