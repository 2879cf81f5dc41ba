/** Server's and browser's HTML, as far as an event has them. */
import type { NormalizedEvent } from '#model/event.ts'
import { sentHalves } from './sent-halves.ts'

export interface Halves {
  /** HTML, text, or the attributes that differ; `null` for a half that is not known. */
  readonly server: string | null
  readonly client: string | null
}

/** A line of the tree that React 19 prints in development: `-` is the server's, `+` the browser's. */
interface DiffLine {
  readonly side: 'server' | 'client' | 'both'
  /** `>`: what is wrong in a tree that both have. */
  readonly isMarked: boolean
  readonly indent: number
  readonly text: string
}

const LINES_MAX = 200
const CHARS_MAX = 4_000
/** Not the list of reasons above it, which has dashes, too. */
const DIFF_START = /\n\n(?=[ +>-] {1,60}(?:<|\.\.\.))/

/** Finds the halves by the most certain rule first. */
export function halvesOf(event: NormalizedEvent, text: string): Halves | null {
  const sent = sentHalves(event)
  if (sent !== null && (sent.server !== null || sent.client !== null)) {
    return { server: sent.server, client: sent.client }
  }
  return ofDiff(text) ?? ofSentence(text)
}

/** Empty for a text without such a tree. */
export function diffLines(text: string): readonly DiffLine[] {
  const start = DIFF_START.exec(text)
  if (start === null) return []
  return text
    .slice(start.index + 2, start.index + 2 + CHARS_MAX * 2)
    .split('\n', LINES_MAX)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const side = line.startsWith('+') ? 'client' : line.startsWith('-') ? 'server' : 'both'
      const rest = side === 'both' ? line.replace(/^>/, ' ') : ` ${line.slice(1)}`
      return {
        side,
        isMarked: line.startsWith('>'),
        indent: rest.length - rest.trimStart().length,
        text: rest.trim(),
      }
    })
}

function ofDiff(text: string): Halves | null {
  const lines = diffLines(text)
  if (!lines.some(({ side }) => side !== 'both')) return null
  const outer = Math.min(...lines.map(({ indent }) => indent))
  const half = (of: 'server' | 'client') =>
    lines
      .filter(({ side }) => side === of || side === 'both')
      .map(({ indent, text: shown }) => `${' '.repeat(indent - outer)}${shown}`)
      .join('\n')
      .slice(0, CHARS_MAX)
  return { server: half('server'), client: half('client') }
}

/** Sentences of one console line each: React 16 to 18, Vue. */
const SENTENCES: readonly (readonly [pattern: RegExp, halves: (groups: readonly string[]) => Halves])[] = [
  [
    /^Text content did not match\. Server: "([\s\S]{0,2000}?)" Client: "([\s\S]{0,2000}?)"(?:\n|%s|$)/,
    ([server = '', client = '']) => ({ server, client }),
  ],
  [
    /^Prop `([^`]{1,100})` did not match\. Server: ([^\n]{0,2000}?) Client: ([^\n]{0,2000}?)(?:\n|%s|$)/,
    ([name = '', server = '', client = '']) => ({ server: `${name}=${server}`, client: `${name}=${client}` }),
  ],
  [
    /^Expected server HTML to contain a matching <([\w-]{1,60})> in <([\w-]{1,60})>/,
    ([inner = '', outer = '']) => ({ server: `<${outer}>`, client: `<${outer}>\n  <${inner}>` }),
  ],
  [
    /^Did not expect server HTML to contain a <([\w-]{1,60})> in <([\w-]{1,60})>/,
    ([inner = '', outer = '']) => ({ server: `<${outer}>\n  <${inner}>`, client: `<${outer}>` }),
  ],
  [
    /^Did not expect server HTML to contain the text node "([\s\S]{0,2000}?)" in <([\w-]{1,60})>/,
    ([text = '', outer = '']) => ({ server: `<${outer}>\n  ${text}`, client: `<${outer}>` }),
  ],
  [
    /- rendered on server: ?([\s\S]{0,2000}?)\n\s*- expected on client: ?([\s\S]{0,2000}?)(?:\n {2}Note: |\s*$)/,
    ([server = '', client = '']) => ({ server: server.trim(), client: client.trim() }),
  ],
]

function ofSentence(text: string): Halves | null {
  for (const [pattern, halves] of SENTENCES) {
    const found = pattern.exec(text)
    if (found !== null) return halves(found.slice(1))
  }
  return null
}
