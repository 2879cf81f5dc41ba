/** Two texts line by line, side by side: compared on the server, laid out in the browser. Pure. */

export interface DiffCell {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** Part of a changed line that the other lacks; `null` for a line that both have. */
  readonly changed: { readonly from: number; readonly to: number } | null
}

export interface DiffRow {
  readonly server: DiffCell | null
  readonly client: DiffCell | null
}

/** More lines are not compared: the bounds of what is stored leave fewer. */
const LINES_MAX = 200

export function diffRows(server: string, client: string): readonly DiffRow[] {
  const before = htmlLines(server)
  const after = htmlLines(client)
  const rows: DiffRow[] = []
  let [from, to] = [0, 0]
  for (const [inServer, inClient] of [...keptLines(before, after), [before.length, after.length] as const]) {
    rows.push(...changedRows({ before, after, from, to, inServer, inClient }))
    const same = before[inServer]
    if (same !== undefined) {
      rows.push({
        server: { line: inServer + 1, text: same, changed: null },
        client: { line: inClient + 1, text: same, changed: null },
      })
    }
    from = inServer + 1
    to = inClient + 1
  }
  return rows
}

/** Returns rows for the page: of one half alone nothing is marked; `isNear` as in `rowsAround`. */
export function markedRows({
  server,
  client,
}: {
  readonly server: string | null
  readonly client: string | null
}) {
  const rows = diffRows(server ?? client ?? '', client ?? server ?? '')
  const near = new Set(rowsAround(rows))
  return rows.map((row) => ({ ...row, isNear: near.has(row) }))
}

const AROUND = 3

/** The lines that differ, and some around each; all where nothing differs. */
export function rowsAround(rows: readonly DiffRow[]): readonly DiffRow[] {
  const differs = rows.flatMap((row, at) => (isSame(row) ? [] : [at]))
  if (differs.length === 0) return rows
  return rows.filter((_, at) => differs.some((other) => Math.abs(at - other) <= AROUND))
}

/**
 * Returns rows one below the other: common lines once, of differing lines the server's before the browser's.
 */
export function diffColumn(
  rows: readonly DiffRow[],
): readonly { readonly cell: DiffCell; readonly side: keyof DiffRow }[] {
  const lines: { readonly cell: DiffCell; readonly side: keyof DiffRow }[] = []
  let clients: DiffCell[] = []
  const flush = () => {
    lines.push(...clients.map((cell) => ({ cell, side: 'client' as const })))
    clients = []
  }
  for (const row of rows) {
    const { server, client } = row
    if (isSame(row)) flush()
    if (server !== null) lines.push({ cell: server, side: 'server' })
    if (client !== null && !isSame(row)) clients.push(client)
  }
  flush()
  return lines
}

function isSame({ server, client }: DiffRow): boolean {
  return server !== null && client !== null && server.changed === null
}

function htmlLines(text: string): readonly string[] {
  return text.replace(/\n+$/, '').split(/\r\n|\r|\n/, LINES_MAX)
}

interface Gap {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly from: number
  readonly to: number
  readonly inServer: number
  readonly inClient: number
}

/** Lines that only one of them has, each beside the one that took its place. */
function changedRows({ before, after, from, to, inServer, inClient }: Gap): readonly DiffRow[] {
  const count = Math.max(inServer - from, inClient - to)
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const one = from + at < inServer ? (before[from + at] ?? null) : null
    const other = to + at < inClient ? (after[to + at] ?? null) : null
    return {
      server: one === null ? null : { line: from + at + 1, text: one, changed: changedIn(one, other) },
      client: other === null ? null : { line: to + at + 1, text: other, changed: changedIn(other, one) },
    }
  })
}

/** Grown to whole words and characters; all of a line without a counterpart. */
function changedIn(text: string, other: string | null): NonNullable<DiffCell['changed']> {
  const indent = text.length - text.trimStart().length
  if (other === null) return { from: indent, to: text.length }
  const shorter = Math.min(text.length, other.length)
  let start = 0
  while (start < shorter && text[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1
  while (start > 0 && isWord(text[start - 1]) && (isWord(text[start]) || isWord(other[start]))) start -= 1
  while (end > 0 && isWord(text.at(-end)) && (isWord(text.at(-end - 1)) || isWord(other.at(-end - 1))))
    end -= 1
  return { from: start, to: text.length - end }
}

/** Half of a surrogate pair counts, so that no pair is parted. */
function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}\p{Cs}.,:'’/_-]/u.test(character)
}

/** Places of the longest subsequence that both have. */
function keptLines(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
      lengths[i * width + j] = before[i] === after[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : skipped
    }
  }
  const kept: (readonly [number, number])[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) kept.push([i++, j++])
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1
    else j += 1
  }
  return kept
}
