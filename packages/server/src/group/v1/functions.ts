/** Part of grouping version 1. What of a name stays the same from build to build: `rules/name-rules.ts`. */
import { byFamily } from './by-family.ts'
import type { Family } from './rules/families.ts'
import { withoutGenerated } from './rules/name-rules.ts'

const NAME_CHARS_MAX = 512
/** Names by engines and SDKs for functions without one, and for code outside any function. */
const UNNAMED =
  /^(?:\?|<?anonymous>?|\(anonymous(?: function)?\)|<?anonymous function>?|anonymous function|<redacted>|<unknown>|<module>|<lambda>|<listcomp>|<genexpr>|<dictcomp>|<setcomp>|<main>|<top \(required\)>|\{main\}|\{closure\}|<eval>|eval|native|(?:global|module|eval|program) code|main chunk|in main chunk|<ScriptBlock>|<fn>|<static_initializer>)$/i

/** The name without markers of async calls, closures and generated code; empty when it names nothing. */
export function functionKey(name: string, family: Family): string {
  return name === '' ? '' : FUNCTIONS[family].of(name)
}

/** The module that a frame names, without what is generated; empty when it says nothing stable. */
export function moduleKey(module: string, family: Family): string {
  return module === '' ? '' : MODULES[family].of(module)
}

/** The type of an exception, without what is generated; empty when it says nothing stable. */
export function typeKey(type: string, family: Family): string {
  return type === '' ? '' : TYPES[family].of(type)
}

const FUNCTIONS = byFamily((name, family) => {
  const raw = name.slice(0, NAME_CHARS_MAX).trim()
  if (raw === '' || UNNAMED.test(raw)) return ''
  const cleaned = cleanFunction(raw, family).trim()
  return UNNAMED.test(cleaned) ? '' : cleaned
})

const MODULES = byFamily((module, family) => {
  const raw = module.slice(0, NAME_CHARS_MAX).trim()
  if (family === 'python' && raw === '__main__') return ''
  if (family === 'java' && raw.includes('$$Lambda')) return ''
  return withoutGenerated(raw, family, 'class')
})

const TYPES = byFamily((type, family) => withoutGenerated(type.slice(0, NAME_CHARS_MAX), family, 'class'))

function cleanFunction(name: string, family: Family): string {
  if (family === 'javascript') return withoutGenerated(ownJavaScriptName(name), family, 'function')
  const plain = withoutGenerated(name, family, 'function')
  if (family === 'ruby') return ownRubyName(plain)
  return family === 'native' ? withoutBrackets(plain) : plain
}

/** `async Object.save [as onClick]` is `save`; a name of one or two letters gives way to the alias. */
function ownJavaScriptName(name: string): string {
  const alias = / \[as ([^\]]+)\]$/.exec(name)
  const plain = name
    .replace(/ \[as [^\]]+\]$/, '')
    .replace(FIREFOX_CAUSE, '')
    .replace(/^(?:async |new |get |set |static )+/, '')
  // Firefox names a function without a name after the one around it: `onSubmit/<`.
  if (plain.endsWith('/<')) return ''
  const last = plain.slice(Math.max(plain.lastIndexOf('.'), slashIn(plain)) + 1).replace(/^#/, '')
  if (alias?.[1] !== undefined && (last.length <= 2 || last === '<computed>')) return alias[1]
  // Numbers are the ids that bundlers give to modules.
  return /^\d+$/.test(last) || last.startsWith('<') || last.endsWith('>') || plain.startsWith('./')
    ? ''
    : last
}

/** `async*save`, `promise callback*save`, `setTimeout handler*save`: what had the function called. */
export const FIREFOX_CAUSE = /^[A-Za-z][\w. ]{0,60}\*/

/** `onSubmit/total`: Firefox names the function around. */
function slashIn(name: string): number {
  return /^[\w$.<>]{1,200}(?:\/[\w$.<]{1,200}){1,9}$/.test(name) ? name.lastIndexOf('/') : -1
}

/** `block (2 levels) in OrdersController#show` is `show`. */
function ownRubyName(name: string): string {
  const plain = name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '')
  if (/^(?:block|<main>|<top|<class:|<module:)/.test(plain)) return ''
  return plain.slice(Math.max(plain.lastIndexOf('#'), plain.lastIndexOf('.')) + 1)
}

/** Without template arguments `<…>`, everything from the argument list on, and what is returned. */
function withoutBrackets(name: string): string {
  let depth = 0
  let kept = ''
  for (const char of name) {
    if (char === '<' && !kept.endsWith('operator')) depth += 1
    else if (char === '>' && depth > 0) depth -= 1
    else if (depth === 0) kept += char
  }
  const open = kept.indexOf('(', kept.startsWith('(') ? 1 : 0)
  const plain = open > 0 && !kept.startsWith('(anonymous') ? kept.slice(0, open) : kept
  return plain.replace(/^(?:(?:static|virtual|void|bool|int|auto) )+/, '')
}
