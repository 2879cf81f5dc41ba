/** Difference between two fragments of HTML: line by line, and in each line what the other lacks. */

export interface ChangedParts {
  readonly server: string
  readonly client: string
}

const LINES_MAX = 200

/**
 * Returns one change per line that differs, text before elements: what people read tells more than an
 * attribute that follows from it. A line on one side only stands beside nothing.
 */
export function changesBetween(server: string, client: string): readonly ChangedParts[] {
  const before = server.split('\n', LINES_MAX)
  const after = client.split('\n', LINES_MAX)
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const count = Math.max(before.length, after.length) - start - end
  const lines = Array.from({ length: Math.max(0, count) }, (_, at) => {
    const one = start + at < before.length - end ? (before[start + at] ?? '') : ''
    const other = start + at < after.length - end ? (after[start + at] ?? '') : ''
    return { isElement: /^\s{0,200}</.test(one || other), ...changedParts(one, other) }
  }).filter((line) => line.server.trim() !== line.client.trim())
  return [...lines.filter(({ isElement }) => !isElement), ...lines.filter(({ isElement }) => isElement)]
}

const WORD = /[\p{L}\p{N}.,:'’/_-]/u

/** Both parts are empty for equal texts. Grown to whole words, so that 12 and 11 differ and not 2 and 1. */
function changedParts(server: string, client: string): ChangedParts {
  const shorter = Math.min(server.length, client.length)
  let start = 0
  while (start < shorter && server[start] === client[start]) start += 1
  if (start === server.length && start === client.length) return { server: '', client: '' }
  let end = 0
  while (end < shorter - start && server.at(-1 - end) === client.at(-1 - end)) end += 1
  while (start > 0 && WORD.test(server[start - 1] ?? '') && isInWord(server, client, start)) start -= 1
  while (end > 0 && WORD.test(server.at(-end) ?? '') && endsInWord(server, client, end)) end -= 1
  return {
    server: server.slice(start, server.length - end),
    client: client.slice(start, client.length - end),
  }
}

function isInWord(server: string, client: string, at: number): boolean {
  return WORD.test(server[at] ?? '') || WORD.test(client[at] ?? '')
}

function endsInWord(server: string, client: string, end: number): boolean {
  return WORD.test(server.at(-end - 1) ?? '') || WORD.test(client.at(-end - 1) ?? '')
}
