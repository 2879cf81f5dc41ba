/** Values that hide nothing, whatever they are called: words that stand for "no value", words of a status, places. */
import { looksIssued } from './random.ts'

/** What a secret's name is often followed by without it being one. */
const HARMLESS: ReadonlySet<string> = new Set(
  `null undefined true false none nil yes no empty missing required invalid expired unknown optional string number
  boolean object str int bool punc include omit same-origin nan function incorrect wrong valid correct ok success failed
  failure error rejected accepted denied granted revoked disabled enabled active inactive created destroyed started ended
  closed opened changed updated reset set unset present absent mismatch mismatched weak short hidden redacted masked
  filtered [redacted] [masked] *** <redacted> n/a na any self default loading pending retry return`.split(
    /\s+/,
  ),
)

/** What templates and queries write where a value will be. */
const PLACEHOLDER =
  /^(?:%[sdirvq]|%\(\w{1,40}\)s|\{\d{0,2}\}|\$\d{1,2}|\$\{?\w{1,40}\}?|:\w{1,40}|\?|\*{1,40}|<[\w -]{1,40}>|\{\{?[\w .]{1,40}\}?\}|\[[A-Za-z_ -]{1,40}\]|(?:your|insert|enter|put|replace)[-_][a-z_-]{1,40}|x{3,40}|\.{3}|\$[({].{0,60})$/i

export function isPlaceholder(value: string): boolean {
  return value.length <= 64 && PLACEHOLDER.test(value)
}

/** True for words that stand for "no value" or for a status, such as `null` and `expired`. */
export function isHarmlessWord(value: string): boolean {
  return value.length <= 12 && (value.trim() === '' || HARMLESS.has(value.toLowerCase()))
}

/** A bare value that code computes: `getToken()`, `req.body.password`, `params[:password]`, `${token}`. */
const EXPRESSION =
  /^(?:(?:await|new|typeof|yield|not|ref|nil|nullptr|this|self)\b|\$?[A-Za-z_$]+(?:(?:\?\.|\.|->|::)[A-Za-z_$]+)*[([<]|process\.env\b|\$?_?[a-z$]+(?:(?:\?\.|\.|->|::)[A-Za-z_$]+)+[;,)]*$|\$\{|\$_[A-Z]+)/
/** Words that begin a sentence about a name: `password: must be …`. */
const SENTENCE =
  /^(?:must|should|cannot|can't|is|was|has|does|needs|may|will|the|this|that|your|please|no|not)$/i
/** Of style sheets. */
const PSEUDO = /^(?:hover|focus|visited|disabled|checked|before|after|first-child|last-child|nth-child)\b/

/** A value of code or of a sentence, by what stands before and behind it. */
export function isComputed(value: string, before: string, after: string): boolean {
  if (PSEUDO.test(value) && before.endsWith(':')) return true
  // Minified: `t.token===n.token`, `{token:e}`.
  if (/^[A-Za-z_$]{1,2}$/.test(value)) return true
  if (/[=!]=$/.test(before) && /^[A-Za-z_$]{1,3}\.[A-Za-z_$]/.test(value)) return true
  if (SENTENCE.test(value) && /^\s[a-z]/i.test(after)) return true
  return /\s$/.test(before) && EXPRESSION.test(value + after.slice(0, 1))
}

/** `Bearer ` alone, `Bearer ${token}`: a scheme, and where its token will be. */
export function isSchemeAlone(value: string): boolean {
  return (
    value.length <= 80 &&
    /^(?:bearer|basic|token|digest|apikey|bot)\s{0,4}(?:\$\{?[\w.()]{1,60}\}?|\{\{?[\w .]{1,60}\}?\}|<[\w -]{1,40}>|\[Filtered\]|%[sv@])?$/i.test(
      value,
    )
  )
}

/** `PWD` of a process environment is a directory, not a password. */
export function isWorkingDirectory(name: string, value: string): boolean {
  return (name === 'PWD' || name === 'OLDPWD') && /^(?:\/|[A-Za-z]:[\\/])/.test(value)
}

/** Rules whose names stand for things as often as for secrets: a token of a parser, the session that was created. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['token', 'session', 'cookie', 'authorization'])
/** A sentence: one word alone may be the secret. */
const WORDS = /^[a-z]{1,15}(?: [a-z]{1,15}){1,12}[.!]?$/
const PIECE = /[^\s"'`{}[\](),:;=]{6,}/g
const TREE_VALUES_MAX = 64
const TREE_DEPTH_MAX = 5

/** A value that cannot be the secret an ambiguous name means: small words, or a structure of nothing else. */
export function isPlainUnder(rule: string, value: unknown): boolean {
  return AMBIGUOUS.has(rule) && isPlain(value, { left: TREE_VALUES_MAX, rule }, 0)
}

interface Look {
  left: number
  readonly rule: string
}

function isPlain(value: unknown, look: Look, depth: number): boolean {
  if (--look.left < 0 || depth > TREE_DEPTH_MAX) return false
  if (typeof value === 'string') return isPlainText(value, depth, look.rule)
  if (typeof value !== 'object' || value === null) return depth > 0 || typeof value !== 'number'
  if (Array.isArray(value)) return value.every((one) => isPlain(one, look, depth + 1))
  return Object.entries(value).every(
    ([key, one]) => isPlain(one, look, depth + 1) && !(IDENTIFYING.test(key) && !isShort(one)),
  )
}

/** Fields of a structure that are the secret itself, however plain their value. */
const IDENTIFYING = /^(?:id|sid|key|secret|jwt|raw|pass|password|pwd|hash|access|refresh|bearer)$/i

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length < 4
}

function isPlainText(value: string, depth: number, rule: string): boolean {
  if (depth > 0) return value.length <= 64 && !/\d/.test(value)
  const first = value[0]
  if (first === '{' || first === '[') return value.length <= 400 && !hasTelling(value)
  // A cookie is `name=value`; a sentence about one is not.
  return rule === 'cookie'
    ? /\s/.test(value.trim()) && !value.includes('=') && !looksIssued(value)
    : WORDS.test(value)
}

function hasTelling(structure: string): boolean {
  return (structure.match(PIECE) ?? []).some(
    (piece) => looksIssued(piece) || (/\d/.test(piece) && /[A-Za-z]/.test(piece)),
  )
}
