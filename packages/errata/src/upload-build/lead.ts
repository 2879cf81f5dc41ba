/**
 * Head that must stay at the beginning of a script: a byte order mark, a hashbang, directives such as "use
 * strict".
 */

export interface Lead {
  /** Byte order mark and hashbang with its line break. */
  readonly head: string
  /** Each with a semicolon behind it. */
  readonly directives: string
  /** Line of what follows the head, from 0. */
  readonly line: number
}

const HEAD = /^\uFEFF?(?:#!.*(?:\r?\n|$))?/
/** Directives come before all code; licences in comments may come before them. */
const LEAD_CHARS_MAX = 64 * 1024
/** Written so that no text can be read as it in two ways: a pattern that can takes for ever on some. */
const GAP = String.raw`(?:\s|//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`
const DIRECTIVE = new RegExp(`${GAP}("(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*')`, 'y')
const SEMICOLON = /[ \t]*;/y
/** A line break ends a directive, unless what follows goes on with it: `"a"` and then `.length`. */
const LINE_END = /[ \t]*(?:\r?\n|\/\/|\/\*|$)/y
const GOES_ON = new RegExp(String.raw`${GAP}(?:[-+*/%.,?:&|^=<>(\[\x60]|!=|in\b|instanceof\b)`, 'y')

export function leadOf(script: string): Lead {
  const head = HEAD.exec(script)?.[0] ?? ''
  const text = script.slice(head.length, head.length + LEAD_CHARS_MAX)
  let directives = ''
  let at = 0
  for (;;) {
    const found = matchAt(DIRECTIVE, text, at)
    if (found === null) break
    const literalEnd = at + found[0].length
    const end = endOfDirective(text, literalEnd)
    if (end === null) break
    directives += `${found[1] ?? ''};`
    at = end
  }
  return { head, directives, line: head.includes('\n') ? 1 : 0 }
}

function endOfDirective(text: string, at: number): number | null {
  const semicolon = matchAt(SEMICOLON, text, at)
  if (semicolon !== null) return at + semicolon[0].length
  if (matchAt(LINE_END, text, at) === null || matchAt(GOES_ON, text, at) !== null) return null
  return at
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
