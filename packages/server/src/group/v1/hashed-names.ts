/**
 * Part of grouping version 1. Content hashes in the file names that bundlers write:
 *
 *   webpack    main.3f2a9c1b.js   123-abc0123456789def.js   page-1a2b3c4d5e6f7a8b.js
 *   Vite       index-DhK3x9_a.js   entry.DhK3x9_a.js        esbuild  chunk-2ISKQFJ2.js
 *   Turbopack  063f2a9c1b7d8e45.js   3zidnqse2xulc.js   [root-of-the-server]__11jb70gfk7dc6._.js
 *              0f3c1a_checkout-summary.js   src_app_orders_page_tsx_1a2b3c4d._.js   029y_next_dist_app-page_113gxwj.js
 */

const PASSES_MAX = 4
/** Names of things that mix letters and digits and mean something. */
const KNOWN_MIXED = /i18n|l10n|a11y|k8s|e2e|p2p|b2b|b2c|s3|oauth2|base64|sha\d+|md5|utf\d+|x86|[hv]\d/gi
const VOWEL = /[aeiouy]/i
/** How many characters Vite, Rolldown and esbuild give a hash. */
const SHORT_HASH_CHARS = 8
/** `OrderRow`, `userMenu`, `DBClient`, `Version2`: words as people join them, of which a hash has seldom the form. */
const JOINED_WORDS = /^(?:[A-Z]{2,4}(?=[A-Z][a-z]))?[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{0,2}$/
const FIRST_WORD_CHARS_MIN = 3
const SHORT_WORD = /^(?:my|is|on|to|in|of|by|up|at|id|as|no|do|go|ui|js|ts|db)$/i

/**
 * The stem of a file name with every content hash taken out; empty when nothing else is left.
 *
 * In a folder where Vite names every file with a hash the last eight characters are one, whatever they look like: of
 * four random ones in a hundred all pieces can be pronounced (`index-BIIUxka6`).
 */
export function withoutHashes(stem: string, isViteFolder = false): string {
  const short = isViteFolder ? /^(.+)[-.]([A-Za-z0-9_-]{8})$/.exec(stem) : null
  const isShortHash = short?.[1] !== undefined && short[2] !== undefined && /[A-Z0-9]/.test(short[2])
  let left = withoutTurbopackTail(isShortHash ? (short[1] ?? stem) : stem)
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const next = withoutOneHash(left)
    if (next === left) break
    left = next
  }
  return left
}

/**
 * Turbopack's hashes are 13 or 7 characters that begin with a digit and may hold any of its separators, before it 8 of
 * hex: `name__HASH._`, `name_HASH._`, `_HASH._` for a chunk of several modules, `name_HASH` for one of a single module.
 */
function withoutTurbopackTail(stem: string): string {
  const isSure = stem.endsWith('._')
  const body = isSure ? stem.slice(0, -2) : stem
  for (const chars of [13, 7]) {
    const at = body.length - chars
    const hash = body.slice(Math.max(at, 0))
    const isAfterName = at === 0 ? isSure : body[at - 1] === '_' || body[at - 1] === '-'
    if (at >= 0 && isAfterName && isTurbopackHash(hash) && (isSure || !isWordyToken(hash))) {
      return body.slice(0, at).replace(/[_-]+$/, '')
    }
  }
  const underscore = body.lastIndexOf('_')
  if (!isSure || underscore < 0) return body
  return body.slice(0, underscore).replace(/_+$/, '')
}

/** Turbopack's chunks for the browser are often named by a hash alone. */
export function isTurbopackHash(token: string): boolean {
  return (token.length === 13 || token.length === 7) && /^[0-3][0-9a-z_~.-]+$/.test(token)
}

function withoutOneHash(stem: string): string {
  const dotted = stem.split('.')
  const kept = dotted.filter((part) => !isDottedHash(part))
  if (kept.length < dotted.length) return kept.join('.')
  return withoutPrefix(withoutSuffix(stem))
}

function isDottedHash(part: string): boolean {
  return hasHexHash(part) || (part.length === 8 && isRandomName(part))
}

function withoutSuffix(stem: string): string {
  // Vite's hashes are 8 characters of base64url and may hold the separator themselves.
  const eight = /^(.+)-([A-Za-z0-9_-]{8})$/.exec(stem)
  if (eight?.[1] !== undefined && eight[2] !== undefined && isEightCharHash(eight[2])) return eight[1]
  const cut = /^(.*)[-_]([A-Za-z0-9~]+)$/s.exec(stem)
  if (cut?.[1] !== undefined && cut[2] !== undefined && isHash(cut[2])) return cut[1].replace(/[-_]+$/, '')
  // Turbopack's newer hashes hold a dash: `name_0j8-xkl`.
  const dashed = /^(.+)_([a-z0-9]{1,6}-[a-z0-9]{1,6})$/s.exec(stem)
  if (dashed?.[1] !== undefined && dashed[2] !== undefined && isDashedHash(dashed[2])) return dashed[1]
  return stem
}

function withoutPrefix(stem: string): string {
  const match = /^([A-Za-z0-9]+)[-_]+(.+)$/s.exec(stem)
  if (match?.[1] === undefined || match[2] === undefined) return stem
  // Turbopack shortens a long path to four characters that begin with a digit.
  if (/^[0-3][0-9a-z]{3}$/.test(match[1])) return match[2]
  const isShortHash = /^[0-9a-z]{4,8}$/.test(match[1]) && /\d/.test(match[1]) && /[a-z]/.test(match[1])
  return hasHexHash(match[1]) || (isShortHash && !isWordyToken(match[1])) ? match[2] : stem
}

function isHash(token: string): boolean {
  return hasHexHash(token) || (token.length >= 6 && isRandomName(token))
}

function isDashedHash(token: string): boolean {
  return token.length >= 6 && /\d/.test(token) && !isWordyToken(token)
}

function isEightCharHash(token: string): boolean {
  if (token.includes('-') && !/[A-Z]/.test(token)) return false
  return hasHexHash(token) || isRandomName(token)
}

/** Hex of at least 6 characters with letters and digits, 6 digits, or 8 of either. */
export function hasHexHash(token: string): boolean {
  if (/^\d{6,}$/.test(token)) return true
  if (!/^(?:[0-9a-f]{6,128}|[0-9A-F]{6,128})$/.test(token)) return false
  return token.length >= 8 || (/\d/.test(token) && /[a-f]/i.test(token))
}

/** At least 6 characters that no person would name a file with. */
export function isRandomName(token: string): boolean {
  if (token.length < 6 || token.length > 128 || !/^[A-Za-z0-9_~-]+$/.test(token)) return false
  const hasDigit = /\d/.test(token)
  const hasUpper = /[A-Z]/.test(token)
  const hasLower = /[a-z]/.test(token)
  // esbuild writes 8 characters of base32.
  if (hasUpper && !hasLower) return token.length === SHORT_HASH_CHARS
  if (!hasDigit && !(hasUpper && hasLower)) return false
  return !isWordyToken(token)
}

/** Made of pronounceable pieces of two letters or more, with one number at most: `OrderRow`, `version2`. */
function isWordyToken(token: string): boolean {
  if (token.length === SHORT_HASH_CHARS && /[A-Z]/.test(token) && !isJoinedWords(token)) return false
  const pieces = token.replaceAll(KNOWN_MIXED, 'Io').match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  let numbers = 0
  for (const piece of pieces) {
    if (/^\d/.test(piece)) {
      numbers += 1
      if (numbers > 1 || piece.length > 4) return false
    } else if (piece.length < 2 || (piece.length > 2 && !VOWEL.test(piece))) return false
    else if (piece.length === 2 && !VOWEL.test(piece) && !/^(?:js|ts|db|my|by|tv|ms|ws|qr)$/i.test(piece))
      return false
  }
  return pieces.length > 0
}

function isJoinedWords(token: string): boolean {
  const plain = token.replaceAll(KNOWN_MIXED, 'Iota')
  if (!JOINED_WORDS.test(plain)) return false
  const first = /^[A-Z]*[a-z]+/.exec(plain)?.[0] ?? ''
  return first.length >= FIRST_WORD_CHARS_MIN || SHORT_WORD.test(first)
}
