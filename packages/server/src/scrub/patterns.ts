/**
 * Secrets that give themselves away by their form, whatever they are called. Each pattern is linear: bounded
 * repetition, or a character class that ends where the match ends. Several simple passes, each behind a cheap test:
 * one big pattern costs two and a half times as much.
 */
import { FILTERED } from './filtered.ts'
import { findCards, findIbans, type Span } from './numbers.ts'

export type OnPattern = (rule: string) => void

const JWT = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g
// Prefixes that issuers give their keys so that they are found.
const ISSUED =
  /\b(?:(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,255}|xox[abeprs]-[\w-]{8,255}|[sr]k_(?:live|test)_\w{8,255}|whsec_[\w+/=]{16,255}|AIza[\w-]{30,60}|ya29\.[\w-]{20,255}|sntry[su]_[\w=+/.-]{16,512}|npm_[A-Za-z0-9]{30,60}|pypi-[\w-]{30,255}|sk-(?:ant-|proj-|svcacct-)?[\w-]{20,255}|SG\.[\w-]{16,64}\.[\w-]{16,64}|dop_v1_[0-9a-f]{40,80}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,64}|hf_[A-Za-z0-9]{24,64}|EAACEdEose0cBA\w{8,255})/g
/** Every prefix holds one of these: hexadecimal ids, the most frequent long runs, do not. */
const MAYBE_ISSUED = /[A_.-]/
const HOOK = /\b(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,200}/g
const BEARER = /\b(bearer[ \t]+)([\w.~+/=-]{6,4096})/gi
const BASIC = /\b(basic[ \t]+)([A-Za-z0-9+/_-]{6,4096}={0,2})/gi
const OPTION_USER = /(^|\s)(-u[ \t]+|--user[ \t=]+)([^\s:'"]{1,128}:[^\s'"]{1,256})/g
const GO_DATABASE = /\b([\w.-]{1,64}):([^\s@:/]{1,128})@(?=(?:tcp|udp|unix)\()/g
const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----/
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----/
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

/** Where a private key that began in an earlier line ends; -1 when it goes on. */
export function privateKeyEnd(line: string): number {
  const end = PEM_END.exec(line)
  return end === null ? -1 : end.index + end[0].length
}

/** True when a private key begins in this line and does not end in it. */
export function opensPrivateKey(line: string): boolean {
  const begin = PEM_BEGIN.exec(line)
  return begin !== null && !PEM_END.test(line.slice(begin.index))
}

/** Tokens by their prefix, JWTs, webhook addresses. Only for texts with a long run of token characters. */
export function scrubTokens(text: string, on: OnPattern): string {
  let out = text
  if (out.includes('eyJ')) out = replaced(out, JWT, 'jwt', on)
  if (MAYBE_ISSUED.test(out)) out = replaced(out, ISSUED, 'issued_key', on)
  if (out.includes('/services/') || out.includes('/webhooks/')) {
    out = out.replace(HOOK, (_, prefix: string) => {
      on('issued_key')
      return prefix + FILTERED
    })
  }
  return out
}

function replaced(text: string, pattern: RegExp, rule: string, on: OnPattern): string {
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
      if (PROSE.has(token.toLowerCase().replace(/[^a-z].*$/s, ''))) return whole
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
  }
  if (out.includes('-u')) {
    out = out.replace(OPTION_USER, (_, before: string, option: string) => {
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
    if (end <= start || text.slice(start, end) === FILTERED) continue
    on('url_userinfo')
    out += text.slice(copied, start) + FILTERED
    copied = end
  }
  const whole = copied === 0 ? text : out + text.slice(copied)
  if (!whole.includes('@tcp(') && !whole.includes('@unix(') && !whole.includes('@udp(')) return whole
  return whole.replace(GO_DATABASE, (match: string, user: string, password: string) => {
    if (password === FILTERED) return match
    on('url_userinfo')
    return `${user}:${FILTERED}@`
  })
}

/** Index of the `@` that ends the user information, or `start` when there is none. */
function userinfoEnd(text: string, start: number): number {
  const window = text.slice(start, start + AUTHORITY_CHARS)
  const stop = window.search(/[\s"'`<>\\]/)
  const address = stop === -1 ? window : window.slice(0, stop)
  const path = address.search(/[/?#]/)
  const authority = path === -1 ? address : address.slice(0, path)
  const own = authority.lastIndexOf('@')
  if (own !== -1) return start + own
  // A password may hold `/`, `?` or `#` unescaped: then what follows the colon is no port.
  const colon = authority.indexOf(':')
  if (colon <= 0 || authority.startsWith('[') || /^\d{0,5}$/.test(authority.slice(colon + 1))) return start
  const later = address.indexOf('@', authority.length)
  return later === -1 ? start : start + later
}

export function scrubNumbers(text: string, on: OnPattern): string {
  return cutOut(text, findCards(text), () => on('credit_card'))
}

export function scrubIbans(text: string, on: OnPattern): string {
  return cutOut(text, findIbans(text), () => on('iban'))
}

function cutOut(text: string, spans: readonly Span[], on: () => void): string {
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
