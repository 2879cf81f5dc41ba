/** Part of grouping version 1. Engines' words for one failure as one: `rules/engine-rules.ts`. */
import { Memo } from '#base/memo.ts'
import { MEMO_LIMITS } from './memo-limits.ts'
import type { EngineRule } from './rules/engine-rule.ts'
import { ENGINE_RULES, ENGINE_TYPES } from './rules/engine-rules.ts'

const CHARS_MAX = 2_048
/** Names this short are a minifier's. */
const MINIFIED_CHARS_MAX = 2

export interface EngineText {
  readonly type: string
  readonly text: string
}

/**
 * Returns what a browser's engine says in the words of one engine, so that the same failure reads alike. `null` where
 * no engine says so, or not of this type of error.
 */
export function engineText(type: string, value: string): EngineText | null {
  if (!ENGINE_TYPES.has(type)) return null
  const found = TEXTS.of(value.slice(0, CHARS_MAX))
  if (found === null) return null
  return { type: found.rule.type ?? type, text: found.text }
}

/** True for the error of endless recursion, which stops anywhere in it. */
export function isEndlessRecursion(type: string, value: string): boolean {
  if (RECURSION_TYPE.test(type)) return true
  return ENGINE_TYPES.has(type) && RECURSION_TEXT.test(value)
}

const RECURSION_TYPE =
  /(?:^|[.\\])(?:RecursionError|StackOverflowError|StackOverflowException|SystemStackError)$/
const RECURSION_TEXT = /^(?:Maximum call stack size exceeded|too much recursion)/

interface Found {
  readonly rule: EngineRule
  readonly text: string
}

const TEXTS = new Memo<Found | null>(readEngineText, MEMO_LIMITS)

function readEngineText(value: string): Found | null {
  const plain = value.trim().replace(/^(?:Uncaught )?(?:[A-Z]\w{0,30}Error: )/, '')
  for (const rule of ENGINE_RULES) {
    for (const pattern of rule.patterns) {
      const match = pattern.exec(plain)
      if (match !== null) return { rule, text: fillMatch(rule.to, match) }
    }
  }
  return null
}

function fillMatch(text: string, match: RegExpExecArray): string {
  const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {}
  return text
    .replace(/\{(name|prop|of)\}/g, (_, key: string) => {
      const told = groups[key] ?? ''
      return key === 'name' && isMinified(told, match[0]) ? '<name>' : told
    })
    .trim()
}

/** Minifiers rename variables and leave properties. */
function isMinified(name: string, text: string): boolean {
  return name.length > 0 && name.length <= MINIFIED_CHARS_MAX && !text.includes(`.${name}`)
}
