/**
 * Secrets that give themselves away by their form, whatever they are called. Each pattern is linear: bounded
 * repetition, or a character class that ends where the match ends. Several simple passes, each behind a cheap test:
 * one big pattern costs two and a half times as much.
 */
import { FILTERED } from './filtered.ts'
import { isPlaceholder, isSchemeAlone } from './harmless.ts'
import { scrubIssued } from './issued.ts'
import { findCards, findIbans, type TextSpan } from './numbers.ts'
import { isChosen } from './ordinary.ts'
import { looksIssued } from './random.ts'

export type OnPattern = (rule: string) => void

// Of letters joined by dashes, only the first can begin one: each run is walked once.
const JWT = /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g
const JWT_OF_ESCAPE = /(?<=\\[nrt])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g
const BEARER = /\b(bearer[ \t]+)([\w.~+/=-]{6,4096})/gi
const BASIC = /\b(basic[ \t]+)([A-Za-z0-9+/_-]{6,4096}={0,2})/gi
/** `Basic KEY:X`, as somebody decoded it. */
const BASIC_PLAIN = /\b(basic [\w.-]{1,64}:)([^\s"'`:,;/]{6,512})(?![\w:])/gi
/** Schemes of an `Authorization` header that stand without its name. */
const SCHEMES =
  /(?<![\w-])((?:token|ssws|apikey|api-key|splunk|geniekey|negotiate|ntlm|bot|dpop|kakaoak|sharedkey(?:lite)?|sharedaccesssignature|hawk|oauth|mac|hmac(?:-sha\d{1,3})?|privatetoken|private-token)[ \t]+)([\w.~+/=:-]{8,4096})/gi
/** `Sec-WebSocket-Protocol: access_token, X` */
const LISTED_TOKEN = /\b((?:access_?token|auth_?token|bearer|jwt|token),[ \t]?)([\w.~+/=-]{16,4096})/gi
/** `MAC 00:1a:…` is no scheme. */
const NETWORK_CARD = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i
const MAYBE_SCHEMES =
  /(?:oken|aoak|sws|key|lunk|gotiate|tlm|bot|pop|lite|ture|awk|uth|mac|sha\d{1,3})[ \t]+[\w.~+/=:-]{8}/i
const OPTION_USER = /(^|\s)(-u[ \t]+["']?|--user[ \t=]+["']?)([^\s:'"]{1,128}:(?!\/\/)[^\s'"]{1,256})/g
/** The same of arguments in a list: `'-u', 'bob:X'`; users and groups of containers are numbers or words. */
const LISTED_USER =
  /(["'](?:-u|--user|--proxy-user)["'],[ \t]{0,4}["'][^\s:'"]{1,128}:)(?=[^\s'"]{0,255}[A-Za-z])(?=[^\s'"]{0,255}[^\s'"A-Za-z])([^\s'"]{4,256})(?=["'])/g
/** Answer to a challenge, if `Digest` stands not long before it in its line. */
const DIGEST_RESPONSE = /(\bresponse=\\?["']?)([0-9a-f]{32,64})(?![\w])/gi
const DIGEST = /\bdigest\s[^\n]*$/i
const DIGEST_CHARS = 512
/** `app:X@tcp(` of Go, `scott/X@//host` of Oracle, `user:X@host` where an address lost its scheme. */
const GO_DATABASE = /(?<![\w.-])([\w.-]{1,64}):([^\s@:/]{1,128})@(?=(?:tcp|udp|unix)\()/g
const ORACLE =
  /(?<=\bregister\s?=>?\s?[\w.-]{1,64}:)[^\s@:/]{3,128}(?=@)|(?<=:(?:pserver|gserver|ext):[\w.-]{1,64}:)[^\s@:/]{3,128}(?=@)|(?<=\b(?:thin:|oci:|oci8:|sqlplus |connect )[\w.$-]{1,64}\/)["']?[^\s@"'/]{1,128}["']?(?=@)|(?<=connect\(["'][\w.$-]{1,64}\/)[^\s@"'/]{1,128}(?=@)|(?<=\b[A-Za-z]\w{0,30}\/)[^\s@"'/]{4,128}(?=@(?:\/\/)?[\w.-]{1,128}:15\d\d[/:])|(?<=\b[A-Za-z]\w{0,30}\/)[^\s@"'/]{4,128}(?=@[A-Za-z]\w{1,30}\b[^\n]{0,80}\bORA-\d)/gi
const BARE_ADDRESS =
  /(?<![\w.:/@-])((?:(?:sips?|turns?|stuns?|mailto):)?(?:[\w.-]{1,64}\/)?[\w.+-]{1,64}):([^\s@:/"'`<>(){}[\]]{4,128})@(?=\d{1,3}(?:\.\d{1,3}){3}\b|[\w-]{1,63}(?:\.[\w-]{1,63})*(?::\d{2,5}|\/|\.[a-z]{2,}))/g
/** Hosts that nobody has mail at. */
const NO_MAIL =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}\b|localhost\b|(?:[\w-]{1,63}\.){1,6}(?:internal|local|lan|corp|intra(?:net)?|home|svc|localdomain|private)\b|[\w.-]{1,128}:\d{2,5}\b|[\w-]{1,63}\/\w)/
/** Text before an address that is not a password's. */
const LABEL =
  /^(?:mailto|sips?|xmpp|acct|npm|from|to|cc|bcc|user|email|mail|by|ssh|git|scp|rsync|image|tag|docker|host|at|via|server|target|file|link|workspace|patch)$/i
/** `elastic:X@https://host`, `"root:X@/shop"` of Go: a name and a password before a whole address, or before none. */
const BEFORE_ADDRESS =
  /((?<![\w.:/@-])[\w.+-]{1,64}:)([^\s@:/"'`<>(){}]{3,128})(?=@https?:\/\/)|(?<=["'`]\w{1,32}:)()[^\s@:/"'`]{3,128}(?=@\/\w[\w-]{0,63}[?"'`])/g
/** `kim:X@db`: a host without a domain, where nothing but a password could stand before it. */
const BARE_HOST =
  /(?<![\w.:/@%-])([A-Za-z][\w.-]{0,31}):(?=[^\s@]{0,127}[A-Za-z])([^\s@:/"'`<>(){}[\],]{8,128})@(?=[a-z][\w-]{1,62}(?:[\s"'`,;)]|[:.](?:\s|$)|$))/g
/** A line of `.pgpass`: host, port, database, user, password. */
const PASSWORD_LINE =
  /((?:^|(?<=[\s"'`(])|\\n)(?:[\w.-]{1,128}|\*):(?:5432|5433|6432|\*):(?:[\w.-]{1,64}|\*):(?:[\w.-]{1,64}|\*):)([^\s:"'`]{4,256})(?=$|[\s"'`)]|\\n)/g
const PEM_BEGIN = /-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}|OpenVPN Static key V\d)-----/
const PEM_END = /-----END (?:[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}|OpenVPN Static key V\d)-----/
/** Words that follow "bearer" in prose. */
const PROSE = new Set(
  `token tokens auth authentication authorization authorisation scheme header headers realm error format credential
  credentials string value missing expected required security prefix instead`.split(/\s+/),
)

export function scrubPrivateKeys(text: string, on: OnPattern): string {
  let out = ''
  let rest = text
  for (let match = PEM_BEGIN.exec(rest); match !== null; match = PEM_BEGIN.exec(rest)) {
    const inside = rest.slice(match.index + match[0].length)
    const end = PEM_END.exec(inside)
    out += rest.slice(0, match.index) + FILTERED
    rest = end === null ? '' : inside.slice(end.index + end[0].length)
    on('private_key')
  }
  return out === '' ? text : out + rest
}

/** Returns where a private key that began in an earlier line ends; -1 if it goes on. */
export function privateKeyEnd(line: string): number {
  const end = PEM_END.exec(line)
  return end === null ? -1 : end.index + end[0].length
}

/** True when a private key begins in this line and does not end in it. */
export function opensPrivateKey(line: string): boolean {
  const begin = PEM_BEGIN.exec(line)
  return begin !== null && !PEM_END.test(line.slice(begin.index))
}

const ID_CHARS_MAX = 64
const ID = /^(?:[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** True for a hexadecimal number of the usual length, or a UUID: what traces, events and builds are known by. */
export function isId(text: string): boolean {
  return text.length <= ID_CHARS_MAX && ID.test(text)
}

/** Tokens by their form. Only for texts with a long run of token characters. */
export function scrubTokens(text: string, on: OnPattern): string {
  // Ids of traces, events and builds, which hide nothing: a third of the texts that come here.
  if (isId(text)) return text
  let out = text
  if (out.includes('eyJ')) {
    out = replacePattern(out, JWT, 'jwt', on)
    if (out.includes('\\')) out = replacePattern(out, JWT_OF_ESCAPE, 'jwt', on)
  }
  return scrubIssued(out, on)
}

function replacePattern(text: string, pattern: RegExp, rule: string, on: OnPattern): string {
  return text.replace(pattern, () => {
    on(rule)
    return FILTERED
  })
}

/** `Bearer …` and `Basic …`, `curl -u name:password`. Only for texts with a blank. */
export function scrubSchemes(text: string, on: OnPattern): string {
  let out = text
  if (out.includes('earer') || out.includes('EARER')) {
    out = out.replace(BEARER, (whole: string, scheme: string, token: string) => {
      if (PROSE.has(token.toLowerCase().replace(/[^a-z].*$/s, '')) || isSchemeAlone(whole)) return whole
      if (/^[a-z]{2,12}(?:[_-][a-z]{2,12})?=[^=\s]{1,12}$/.test(token)) return whole // the next setting
      on('authorization')
      return scheme + FILTERED
    })
  }
  if (out.includes('asic') || out.includes('ASIC')) {
    out = out.replace(BASIC, (whole: string, scheme: string, token: string) => {
      if (!Buffer.from(token, 'base64').includes(0x3a)) return whole // no colon: prose, not name and password
      on('authorization')
      return scheme + FILTERED
    })
    out = out.replace(BASIC_PLAIN, (whole: string, before: string, value: string) => {
      if (!looksIssued(value) && !/^(?=[^\d]{0,64}\d)(?=[^A-Za-z]{0,64}[A-Za-z])\S{6,64}$/.test(value))
        return whole
      on('authorization')
      return before + FILTERED
    })
  }
  if (MAYBE_SCHEMES.test(out)) {
    out = out.replace(SCHEMES, (whole: string, scheme: string, token: string) => {
      if (!looksIssued(token) || token.includes('://') || NETWORK_CARD.test(token)) return whole
      on('authorization')
      return scheme + FILTERED
    })
  }
  if (/(?:oken|earer|jwt),/i.test(out)) {
    out = out.replace(LISTED_TOKEN, (whole: string, name: string, token: string) => {
      if (!looksIssued(token)) return whole
      on('token')
      return name + FILTERED
    })
  }
  if (/digest\s/i.test(out)) {
    const all = out
    out = all.replace(DIGEST_RESPONSE, (whole: string, before: string, _: string, at: number) => {
      if (!DIGEST.test(all.slice(Math.max(0, at - DIGEST_CHARS), at))) return whole
      on('authorization')
      return before + FILTERED
    })
  }
  if (/-u(?:ser)?["'],/.test(out)) {
    out = out.replace(LISTED_USER, (_, before: string) => {
      on('password')
      return before + FILTERED
    })
  }
  if (out.includes('-u')) {
    out = out.replace(OPTION_USER, (whole: string, ...[before = '', option = '', pair = '']: string[]) => {
      // User and group of a container.
      if (/^(\w{1,32}):\1$|^\d{1,6}:\d{1,6}$/.test(pair) || isPlaceholder(pair)) return whole
      if (isPlaceholder(pair.slice(pair.indexOf(':') + 1))) return whole
      on('password')
      return before + option + FILTERED
    })
  }
  return out
}

const AUTHORITY_CHARS = 512

/** User and password of addresses: `postgres://app:secret@db/x` keeps scheme and host. */
export function scrubUserinfo(text: string, on: OnPattern): string {
  let out = ''
  let copied = 0
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const start = at + 3
    if (start < copied) continue
    const end = userinfoEnd(text, start)
    if (end <= start || text.slice(start, end) === FILTERED || isName(text, start, end)) continue
    on('url_userinfo')
    out += text.slice(copied, start) + FILTERED
    copied = end
  }
  return scrubBareUserinfo(copied === 0 ? text : out + text.slice(copied), on)
}

/** `ssh://git@host`: names that everybody has, without a password. */
/** Databases and queues: a name without a password signs nobody in. */
const SERVICE =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|ldaps?|s?ftp|ssh|nats|kafka)$/i
const PLAIN_NAME = /^[a-z][a-z_.-]{0,31}$/i

const NAMES = new Set('git hg svn user root admin guest anonymous postgres mysql ubuntu deploy'.split(' '))

function isName(text: string, start: number, end: number): boolean {
  if (end - start > 32) return false
  const name = text.slice(start, end)
  return (
    NAMES.has(name) || (PLAIN_NAME.test(name) && SERVICE.test(text.slice(Math.max(0, start - 20), start - 3)))
  )
}

function scrubBareUserinfo(text: string, on: OnPattern): string {
  let out = text
  if (out.includes('@tcp(') || out.includes('@unix(') || out.includes('@udp(')) {
    out = out.replace(GO_DATABASE, (match: string, user: string, password: string) => {
      if (password === FILTERED) return match
      on('url_userinfo')
      return `${user}:${FILTERED}@`
    })
  }
  const before = out
  out = before.replace(BARE_ADDRESS, (match: string, user: string, password: string, at: number) => {
    const isPlain =
      !(
        /^[A-Za-z][\w-]{3,63}$/.test(password) &&
        !LABEL.test(user) &&
        NO_MAIL.test(before.slice(at + match.length, at + match.length + 160))
      ) &&
      !/\d|[!$%^&*+~=]/.test(password) &&
      !(/^(?:sips?|turns?|stuns?):/.test(match) && isChosen(password))
    if (password === FILTERED || isPlain || /^v?\d+(?:\.\d+)+/.test(password)) return match
    on('url_userinfo')
    return `${user}:${FILTERED}@`
  })
  out = out.replace(BARE_HOST, (match: string, user: string, password: string) => {
    if (!looksIssued(password) && !/(?=.*\d)[!$%^&*+~=#]/.test(password)) return match
    if (
      /^sha\d|^v?\d+(?:\.\d+)+/.test(password) ||
      /^(?:npm|file|link|git|workspace|patch|image|docker|mailto):/.test(match)
    )
      return match
    on('url_userinfo')
    return `${user}:${FILTERED}@`
  })
  if (/:(?:5432|5433|6432|\*):/.test(out)) {
    out = out.replace(PASSWORD_LINE, (match: string, before: string, password: string) => {
      if (
        password === FILTERED ||
        (before.includes('*') && !/\d|[!$%^&+~=]/.test(password) && !isChosen(password))
      )
        return match
      on('url_userinfo')
      return before + FILTERED
    })
  }
  if (!out.includes('/')) return out
  out = out.replace(BEFORE_ADDRESS, (match: string, before: string | undefined, password?: string) => {
    if ((password ?? match) === FILTERED) return match
    on('url_userinfo')
    return (before ?? '') + FILTERED
  })
  return out.replace(ORACLE, (match: string) => {
    if (match === FILTERED) return match
    on('url_userinfo')
    return FILTERED
  })
}

/** Signs that end an address, and those that end its authority. */
const STOPS = new Uint8Array(128)
for (const sign of '"\'`<>\\') STOPS[sign.charCodeAt(0)] = 1
for (let code = 0; code <= 0x20; code++) STOPS[code] = 1
for (const sign of '/?#') STOPS[sign.charCodeAt(0)] = 2

/** Index of the `@` that ends the user information, or `start` when there is none. */
function userinfoEnd(text: string, start: number): number {
  const window = Math.min(text.length, start + AUTHORITY_CHARS)
  let own = -1
  let at = start
  for (; at < window; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && STOPS[code] !== 0) {
      // `corp\\bob:X@`, of a domain, its backslash written twice.
      if (code !== 0x5c || text.charCodeAt(at + 1) !== 0x5c || !/\w/.test(text[at + 2] ?? '')) break
      at++
    }
    if (code === 0x40) own = at
  }
  if (own !== -1) return own
  // A password may hold `/`, `?` or `#` unescaped: then what follows the colon is no port.
  const authority = text.slice(start, at)
  const colon = authority.indexOf(':')
  if (colon <= 0 || authority.startsWith('[') || /^\d{0,5}$/.test(authority.slice(colon + 1))) return start
  for (; at < window; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x40) return at
    // The next address begins: this one had no password.
    if (code === 0x3a && text.startsWith('://', at)) return start
    if (code < 128 && STOPS[code] === 1) return start
  }
  return start
}

export function scrubNumbers(text: string, on: OnPattern): string {
  return cutOut(text, findCards(text), () => on('credit_card'))
}

export function scrubIbans(text: string, on: OnPattern): string {
  return cutOut(text, findIbans(text), () => on('iban'))
}

function cutOut(text: string, spans: readonly TextSpan[], on: () => void): string {
  let out = ''
  let copied = 0
  for (const { start, end } of spans) {
    if (start < copied) continue
    on()
    out += text.slice(copied, start) + FILTERED
    copied = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Patterns that a test compares with the marks of `triggers.ts`. */
export const SCHEME_PATTERNS: readonly RegExp[] = [BEARER, BASIC, SCHEMES, OPTION_USER]
