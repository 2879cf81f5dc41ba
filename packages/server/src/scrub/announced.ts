/** Elements of a list that say what the one behind them is: `["password:", "x"]` of a console, `["--token", "x"]` of a command line. */
import { isWordUnder, LISTED_NAME } from './harmless.ts'
import type { SecretKeys } from './keys.ts'
import { endsInWord, isIssued } from './walked-texts.ts'

interface Announced {
  /** Element before, as it was or as scrubbing left it. */
  readonly previous: unknown
  readonly keys: SecretKeys
  /** The list holds names, and no values. */
  readonly isOfNames: boolean
}

/** The rule that makes a secret of the element at `at`, or `null`. */
export function announcedRule(list: readonly unknown[], at: number, announced: Announced): string | null {
  const { previous, keys } = announced
  if (typeof previous !== 'string' || previous.length > 128) return null
  const rule = ruleBefore(list, at, { ...announced, previous })
  if (rule === null || previous.startsWith('-')) return rule
  const value = list[at]
  if (typeof value !== 'string') return rule
  // `hidden: ['password', 'remember_token']`, `services: ['auth', 'keys']`
  const isName = (LISTED_NAME.test(value) && keys.ruleOf(value) !== null) || areVariables(list)
  return isName || isWordUnder(rule, value) ? null : rule
}

/** `["DATABASE_URL", "SECRET_KEY", "SENTRY_DSN"]`: names of variables, and no value among them. */
function areVariables(list: readonly unknown[]): boolean {
  return list.every((one) => typeof one === 'string' && VARIABLE.test(one))
}
const VARIABLE = /^[A-Z]{2,24}(?:_[A-Z]{1,24}){1,6}$/

function ruleBefore(
  list: readonly unknown[],
  at: number,
  { previous, keys, isOfNames }: Announced & { readonly previous: string },
): string | null {
  // A letter or digit at the end announces nothing: most texts need no look at their blanks.
  const last = endsInWord(previous) ? '' : previous.trimEnd().at(-1)
  if (last === ':' || last === '=' || last === '>') {
    const name = /(?<![\w.-])([\w.-]{2,64})["']?\s{0,2}(?:[:=]|=>)\s{0,2}$/.exec(previous)?.[1]
    return name === undefined ? null : keys.ruleOf(name)
  }
  // As Python shows a text: within quotes.
  if (/^'--?[\w-]{2,64}'$/.test(previous)) return keys.ruleOf(previous.slice(1, -1))
  if (previous.startsWith('-')) return keys.ruleOf(previous)
  if (!NAME.test(previous)) return null
  const rule = keys.ruleOf(previous)
  const isPair = list.length <= PAIR_MAX
  if (rule === null || (isPair && !isOfNames)) return rule
  // Where names alone may stand, what looks like a value; in a longer list, behind what is no word of a path or a bundle's name.
  const isTelling = isPair || TELLING.has(rule) || TELLING_NAME.test(previous) || isWritten(list, previous)
  return isIssued(list[at]) && isTelling ? rule : null
}

/** `["SET", "token", "x", "EX", "60"]`: Redis is told to store it. */
function isWritten([command]: readonly unknown[], name: string): boolean {
  return name.toLowerCase() === 'token' && typeof command === 'string' && REDIS_WRITE.test(command)
}
const REDIS_WRITE = /^(?:SET|SETEX|SETNX|MSET|MSETNX|HSET|HSETNX|HMSET)$/i

const NAME = /^[\w.-]+$/
/** Names of several words, and those that are written as one. */
const TELLING_NAME = /[_.-]|[a-z][A-Z]|^(?:api|access|secret|private|auth)key$/i
/** Rules of names that mean nothing else, however short. */
const TELLING: ReadonlySet<string> = new Set(['password', 'secret', 'project_key'])
/** A pair, and a command or a number before it. */
const PAIR_MAX = 3
