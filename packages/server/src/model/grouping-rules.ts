/**
 * Rules of a project that say what makes events the same: `error.type:Timeout path:"*api*" -> timeout title="Timeout"`, one a
 * line. Read once per text; the first that fits an event decides.
 */
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import { patternParts } from './text-pattern.ts'

/** Field that a matcher tests. */
export type RuleField =
  | 'type'
  | 'value'
  | 'message'
  | 'logger'
  | 'level'
  | 'release'
  | 'transaction'
  | 'sdk'
  | 'tag'
  | 'function'
  | 'module'
  | 'path'
  | 'package'
  | 'app'
  | 'family'

export interface RuleMatcher {
  readonly field: RuleField
  /** Key of the tag. */
  readonly key: string
  readonly isNegated: boolean
  /** Parts in lower case; between them, at each `*`, stands any text. */
  readonly parts: readonly string[]
}

export interface GroupingRule {
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly matchers: readonly RuleMatcher[]
  /** Fingerprint as an SDK would set it, `{{ default }}` and other variables included. */
  readonly fingerprint: readonly string[]
  readonly title: string | null
}

export interface RuleProblem {
  readonly line: number
  readonly message: string
}

export interface ParsedRules {
  readonly rules: readonly GroupingRule[]
  readonly problems: readonly RuleProblem[]
}

const FIELDS: Readonly<Record<string, RuleField>> = byWord({
  'error.type': 'type',
  type: 'type',
  'error.value': 'value',
  value: 'value',
  message: 'message',
  logger: 'logger',
  level: 'level',
  release: 'release',
  transaction: 'transaction',
  sdk: 'sdk',
  'stack.function': 'function',
  function: 'function',
  'stack.module': 'module',
  module: 'module',
  'stack.abs_path': 'path',
  path: 'path',
  'stack.package': 'package',
  package: 'package',
  app: 'app',
  family: 'family',
})
const MATCHER = /(!?)([A-Za-z_][\w.-]*):("(?:[^"\\]|\\.)*"|[^\s"]+)/y
const PART = /title="((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"|(\{\{\s*[^\s{}]+\s*\}\})|([^\s",{}]+)/y
const BETWEEN_MATCHERS = /\s*/y
const BETWEEN_PARTS = /[\s,]*/y
const PARTS_MAX = 20

/** Empty lines, and lines that begin with `#`, say nothing. */
export function parseGroupingRules(text: string): ParsedRules {
  const rules: GroupingRule[] = []
  const problems: RuleProblem[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const own = raw.trim()
    if (own === '' || own.startsWith('#')) continue
    const read = readRuleLine(own)
    if (typeof read === 'string') problems.push({ line, message: read })
    else rules.push({ ...read, line, text: own })
  }
  const most = max('groupingRulesMax')
  const beyond = rules[most]
  if (beyond !== undefined)
    problems.push({ line: beyond.line, message: `A project has at most ${most} rules.` })
  return { rules: rules.slice(0, most), problems }
}

type ReadRule = Omit<GroupingRule, 'line' | 'text'>

/** A text: what is wrong. */
function readRuleLine(text: string): ReadRule | string {
  if (text.length > max('groupingRuleCharsMax'))
    return `A rule has at most ${max('groupingRuleCharsMax')} characters.`
  const matchers: RuleMatcher[] = []
  let at = 0
  while (!text.startsWith('->', at)) {
    MATCHER.lastIndex = at
    const found = MATCHER.exec(text)
    if (found === null) {
      if (at >= text.length) return 'Say which fingerprint it sets: “… -> my-group”.'
      return `Column ${at + 1}: expected a matcher such as error.type:TypeError, or “->”.`
    }
    const matcher = readMatcher(found)
    if (typeof matcher === 'string') return `Column ${at + 1}: ${matcher}`
    matchers.push(matcher)
    at = endOfMatch(BETWEEN_MATCHERS, text, MATCHER.lastIndex)
  }
  if (matchers.length === 0) return 'Name at least one matcher before “->”.'
  const set = readParts(text, at + 2)
  return typeof set === 'string' ? set : { matchers, ...set }
}

function readMatcher([, not = '', name = '', value = '']: readonly string[]): RuleMatcher | string {
  const isTag = name.startsWith('tags.') && name.length > 'tags.'.length
  const field = isTag ? 'tag' : Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field === undefined) return `there is no matcher “${name}”.`
  const parts = patternParts((value.startsWith('"') ? unescapeText(value.slice(1, -1)) : value).toLowerCase())
  if (parts.length - 1 > max('filterPatternStarsMax'))
    return `a pattern has at most ${max('filterPatternStarsMax')} asterisks.`
  const key = isTag ? name.slice('tags.'.length) : ''
  return { field, key, isNegated: not === '!', parts }
}

function readParts(text: string, from: number): Pick<ReadRule, 'fingerprint' | 'title'> | string {
  const fingerprint: string[] = []
  let title: string | null = null
  let at = endOfMatch(BETWEEN_PARTS, text, from)
  while (at < text.length) {
    PART.lastIndex = at
    const found = PART.exec(text)
    if (found === null) return `Column ${at + 1}: expected a part of the fingerprint.`
    const [, named, quoted, variable, bare] = found
    if (named !== undefined) title = unescapeText(named)
    else fingerprint.push(quoted === undefined ? (variable ?? bare ?? '') : unescapeText(quoted))
    at = endOfMatch(BETWEEN_PARTS, text, PART.lastIndex)
  }
  if (fingerprint.length === 0) return 'Say which fingerprint it sets after “->”; {{ default }} keeps it.'
  if (fingerprint.length > PARTS_MAX) return `A fingerprint has at most ${PARTS_MAX} parts.`
  return { fingerprint, title: title?.trim() === '' ? null : title }
}

function endOfMatch(between: RegExp, text: string, at: number): number {
  between.lastIndex = at
  between.exec(text)
  return between.lastIndex
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}
