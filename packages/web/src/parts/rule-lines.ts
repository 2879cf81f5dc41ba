/** Lines of rules: what is wrong of which, and the pieces they are drawn in. Pure. */

export interface LineProblem {
  readonly line: number
  readonly says: string
}

interface Said {
  /** Refusal of the field: `Line 3: …`, `“text of a line”: …`, or of the whole. */
  readonly refused: readonly string[]
  readonly problems: readonly LineProblem[]
  /** The text that was refused. */
  readonly sent: string
  readonly text: string
}

/** Returns what is wrong by line, of lines that still stand as they were sent, and what is said of no line. */
export function atTheirLines({ refused, problems, sent, text }: Said) {
  const [before, now] = [sent.split('\n'), text.split('\n')]
  const lines = new Map<number, string[]>()
  const others: string[] = []
  const add = (line: number, says: string) => {
    if (before[line - 1] !== now[line - 1]) return
    lines.set(line, [...(lines.get(line) ?? []), says])
  }
  for (const rule of refused) {
    const numbered = /^Line (\d+): (.*)$/s.exec(rule)
    const quoted = /^“(.*?)”: (.*)$/s.exec(rule)
    const place = quoted === null ? -1 : before.findIndex((line) => line.trim() === quoted[1])
    if (numbered !== null) add(Number(numbered[1]), numbered[2] ?? '')
    else if (place >= 0) add(place + 1, quoted?.[2] ?? '')
    else others.push(rule)
  }
  for (const { line, says } of problems) add(line, says)
  return { lines: new Map([...lines].sort(([a], [b]) => a - b)), others }
}

export interface Piece {
  /** Start in its line. */
  readonly at: number
  readonly text: string
  readonly tone: 'comment' | 'key' | 'sign' | 'name' | null
}

const PIECE =
  /(?<key>(?<=^|\s)!?[\w.]+:)|(?<sign>->|\{\{[^}]*\}\}|\*+)|(?<name>(?<=\s)[#@][\w./-]+|(?<=\s)[^\s@]+@[^\s@]+)/g

/** Returns a line in pieces: its comment, keys, signs and the names of people and teams. */
export function piecesOf(line: string): readonly Piece[] {
  if (/^\s*#/.test(line)) return [{ at: 0, text: line, tone: 'comment' }]
  const pieces: Piece[] = []
  let from = 0
  for (const match of line.matchAll(PIECE)) {
    if (match.index > from) pieces.push({ at: from, text: line.slice(from, match.index), tone: null })
    const { key, sign } = match.groups ?? {}
    const tone = key !== undefined ? 'key' : sign !== undefined ? 'sign' : 'name'
    pieces.push({ at: match.index, text: match[0], tone })
    from = match.index + match[0].length
  }
  if (from < line.length) pieces.push({ at: from, text: line.slice(from), tone: null })
  return pieces
}
