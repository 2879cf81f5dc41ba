/**
 * Ids that an app makes for an error and shows on its page, as the guide of SvelteKit does (`errorId`): in what the event has
 * beside its own id, and in what somebody pastes. docs/wire.md, section "Digests".
 */
import { max } from '#limits/limits.ts'

/** Keys in lower case without separators. */
const OF = [
  ...[
    'error',
    'err',
    'incident',
    'request',
    'req',
    'correlation',
    'support',
    'report',
    'case',
    'ticket',
    'exception',
  ],
  ...[
    'failure',
    'fault',
    'crash',
    'problem',
    'bug',
    'event',
    'log',
    'trace',
    'tracking',
    'operation',
    'invocation',
  ],
  ...['activity', 'vercel', 'ray'],
].join('|')
const WHOSE = 'user|client|app|server|public|display|global|unique|aws|amzn?|lambda|cf'
const NAME = new RegExp(
  `^x?(?:(?:${WHOSE})?(?:${OF})){1,2}(?:id|uuid|guid|ulid|ref|reference|token)$` +
    '|^(?:reference|ref|incident|support|ticket|case|tracking)(?:id|number|code)$|^(?:(?:error)?reference|incident|(?:cf)?ray)$',
)
/** Names of an object's own id: `error: { id }`. */
const OWN = /^(?:id|uuid|guid|ulid|ref|reference)$/i
const NAME_CHARS_MAX = 40
const UUID = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i
/**
 * Id of other makers, such as nanoid and ULID, or with a word before it: `err_8fk2Lq90`. It needs digits and
 * letters; else it is a word or a number.
 */
const OTHER = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9][\w:-]{6,62}[A-Za-z0-9]$/
/** Releases, versions and codes of one word and a number: `error-404`, `checkout2`, `v1-2-3`. */
const PLAIN = /^(?:[A-Za-z]+[-_]?\d{1,4}|v?\d{1,5}(?:[-_]\d{1,5}){1,4}|0[xX]?0*)$/
const NIL = /^0+$/

const UUID_IN_TEXT = /(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi
const NAMED_IN_TEXT =
  /\b(?:id|uuid|reference|ref|code|incident|ticket|number|error|request)\b["'`*]{0,2}\s{0,8}(?:[:=#]|is\b|was\b|→)?\s{0,8}["'`*#(]{0,2}([A-Za-z0-9][\w:-]{6,62}[A-Za-z0-9])(?![\w-])/gi

/** True for `errorId`, `error_id`, `errorID`, `x-request-id` and the like; `within`: what holds a key such as `id`. */
export function isShownIdName(key: string, within = ''): boolean {
  if (within !== '' && within.length + key.length <= NAME_CHARS_MAX && OWN.test(key))
    return isShownIdName(within + key)
  return key.length <= NAME_CHARS_MAX && NAME.test(key.replaceAll(/[._\s-]/g, '').toLowerCase())
}

/**
 * Reads an id in the form in which ids are compared: lower case, a UUID without dashes. `null` for other
 * values.
 */
export function readShownId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 80) return null
  const text = value.trim()
  if (UUID.test(text)) {
    const plain = text.replaceAll('-', '').toLowerCase()
    return NIL.test(plain) || new Set(plain).size < 2 ? null : plain
  }
  return OTHER.test(text) && !PLAIN.test(text) ? text.toLowerCase() : null
}

/** Finds ids in pasted text: UUIDs, and others that are the whole text or follow a word that names them. */
export function findShownIds(text: string): readonly string[] {
  const bounded = text.slice(0, max('digestPasteCharsMax')).trim()
  const whole = readShownId(bounded)
  if (whole !== null) return [whole]
  const found = [
    ...[...bounded.matchAll(UUID_IN_TEXT)].map(([id]) => readShownId(id)),
    ...[...bounded.matchAll(NAMED_IN_TEXT)].map(([, id]) => readShownId(id)),
  ]
  return [...new Set(found.filter((id) => id !== null))].slice(0, max('digestsPerPasteMax'))
}
