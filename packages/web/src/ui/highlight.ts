/** JavaScript and TypeScript, told apart as far as a reader's eye needs it: no parser, one line at a time. Pure. */

export interface CodeToken {
  readonly kind: 'plain' | 'keyword' | 'comment' | 'string'
  readonly text: string
}

const KEYWORDS =
  'as|async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|from|' +
  'function|if|import|in|instanceof|interface|let|new|of|return|static|super|switch|this|throw|try|type|typeof|' +
  'var|void|while|yield'
const TOKEN = new RegExp(
  '(\\/\\/.*|\\/\\*.*?(?:\\*\\/|$))|' +
    '("(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`)|' +
    `(?<![\\w$.])(?:${KEYWORDS})(?![\\w$:])`,
  'g',
)
/** A line within a comment of several, as most people write them. */
const INNER_COMMENT = /^\s*\*(?:[\s/]|$)/
/** Longer lines nobody wrote; SDKs cut those of minified files and say so. */
const LINE_CHARS_MAX = 200
const CUT = '{snip}'

export function codeTokens(line: string): readonly CodeToken[] {
  if (INNER_COMMENT.test(line)) return [{ kind: 'comment', text: line }]
  if (line.length > LINE_CHARS_MAX || line.includes(CUT)) return [{ kind: 'plain', text: line }]
  const tokens: CodeToken[] = []
  let end = 0
  for (const match of line.matchAll(TOKEN)) {
    const [text, comment, string] = match
    if (match.index > end) tokens.push({ kind: 'plain', text: line.slice(end, match.index) })
    const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : 'keyword'
    tokens.push({ kind, text })
    end = match.index + text.length
  }
  if (end < line.length) tokens.push({ kind: 'plain', text: line.slice(end) })
  return tokens
}

/** Returns the tokens behind the first `chars` characters. */
export function tokensFrom(tokens: readonly CodeToken[], chars: number): readonly CodeToken[] {
  let at = 0
  return tokens.flatMap((token) => {
    const from = Math.max(0, chars - at)
    at += token.text.length
    return from >= token.text.length ? [] : [{ ...token, text: token.text.slice(from) }]
  })
}
