/**
 * Cookies by kind. How a page is shown, what somebody agreed to and which variant they see hides nothing; every other
 * cookie may be a session, whatever it is called.
 */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord } from './harmless.ts'
import type { SecretKeys } from './keys.ts'
import { looksIssued } from './random.ts'

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** A word of such a cookie's name. */
const KINDS = set(
  `theme themes dark light appearance scheme colorscheme color colour contrast font fontsize density layout view viewmode
  mode sidebar nav navbar menu panel drawer tab tabs grid list sort order per page pagesize limit columns zoom
  lang language languages locale locales i18n i18next intl country region currency timezone tz units
  consent cookieconsent gdpr ccpa banner notice dismissed dismiss seen hidden closed collapsed expanded open opened
  tour onboarding welcome popup modal newsletter promo beta experiment variant ab darkmode
  sound muted volume autoplay motion unit display viewport screen width height dpr js javascript platform device`,
)
/** Beside such a word these say nothing more. */
const BESIDE = set(
  `next nuxt site app user ui is has show shown use enabled state status pref prefs preference preferences setting settings
  default current selected last the my web v1 v2 size accepted cookie cookies by for of on off`,
)
const NAME_CHARS_MAX = 48
/** A word or a few, a number, `de-CH`, `Europe/Zurich`, `#fff`. */
const PLAIN = /^["']?#?[\w./:+ -]{1,32}["']?$/
/** `1182,1190,2204` */
const SHORT_IDS = /^\d{1,4}(?:[,|]\d{1,4}){1,20}$/
const DIGITS_RUN = /\d{5}/
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** True if a cookie of this name and value can be kept. */
export function isPlainCookie(name: string, value: unknown, keys: SecretKeys): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return isPlainCookie(name, String(value), keys)
  if (typeof value !== 'string') return false
  if (/^\d?$/.test(value) || isHarmlessWord(value)) return true // a switch, `deleted`
  if (keys.ruleOf(name) !== null) return false
  if (/^\d{1,3}$/.test(value) || SHORT_IDS.test(value)) return true // how many, which step, what was looked at
  if (name.length > NAME_CHARS_MAX || !PLAIN.test(value) || DIGITS_RUN.test(value)) return false
  const words = name.toLowerCase() === 'i18n' || name.startsWith('i18n') ? ['i18n'] : (name.match(WORD) ?? [])
  let isKind = false
  for (const written of words) {
    const word = written.toLowerCase()
    if (KINDS.has(word)) isKind = true
    else if (!BESIDE.has(word) && !/^\d{1,2}$/.test(word)) return false
  }
  return isKind && !looksIssued(value)
}

/** Attributes behind a cookie that a server sets. */
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|priority)=[^;]{0,64}$|^(?:secure|httponly|partitioned)$/i

/**
 * A header's cookies, those that hide something without their values; `null` when none of them is to be kept: then the
 * whole goes. `onTaken` is told each value.
 */
export function keptCookies(
  header: string,
  keys: SecretKeys,
  onTaken: (value: string) => void,
): string | null {
  if (!header.includes('=') || header.length > HEADER_CHARS_MAX) return null
  const taken: string[] = []
  let keeps = false
  const parts = header.split(';').map((part) => {
    const pair = part.trim()
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (ATTRIBUTE.test(pair) || value === FILTERED) return part
    if (at > 0 && isPlainCookie(name, value, keys)) {
      keeps = true
      return part
    }
    taken.push(at === -1 ? pair : value)
    return (
      part.slice(0, part.length - part.trimStart().length) + (at === -1 ? FILTERED : `${name}=${FILTERED}`)
    )
  })
  if (!keeps) return null
  for (const value of taken) if (value !== '') onTaken(value)
  return parts.join(';')
}

const HEADER_CHARS_MAX = 16_384
