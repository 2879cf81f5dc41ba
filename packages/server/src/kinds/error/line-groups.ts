/**
 * Two bugs in one function of a framework's server without source maps. Version 1 goes by the function's name there, and by
 * the line of source where a map was used: the line that threw parts them here too. Servers are not minified, so that it
 * is the same in the next build, and however a request came. docs/wire.md, "Frames of frameworks".
 */
import { hash } from 'node:crypto'
import { groupHash } from '#base/ids.ts'
import { isOwnCall } from '#group/v1/frame-kinds.ts'
import type { ExceptionValue, Frame, Grouping, ScrubbedEvent } from '#model/event.ts'
import { isOfFrameworkServer } from './framework-frames.ts'

const VALUES_MAX = 5
const CALLS_MAX = 3
const LINE_CHARS_MAX = 120
const MORE_LINES_MAX = 3
/** A statement that goes on below. */
const GOES_ON = /(?:[([{,=?:&|+]|=>)$/
/** Numbers that a bundler adds if two of its modules have one name; another build numbers differently. */
const NUMBERED = /(?<=\w)\$\d{1,5}\b/g
/** Lines that make an error of the caller's text: `throw new Error(message)`, `super(text)`. */
const OF_CALLER = /^(?:(?:return\s|throw\s)?[^"'`]*\bnew\s[^"'`]*|throw\s[^"'`]*|super\([^"'`]*)$/

/**
 * Groups an error of a framework's server by the lines that threw it. `null` where nothing tells a line, and where an
 * SDK or a rule said what the group is.
 */
export function groupByLine(event: ScrubbedEvent, grouping: Grouping): Grouping | null {
  if (!isOfFrameworkServer(event) || grouping.mirror !== undefined) return null
  if ((event.fingerprint?.length ?? 0) > 0) return null
  const lines = (event.exception?.values ?? [])
    .slice(-VALUES_MAX)
    .flatMap((value) => groupLines(value, event))
  if (lines.length === 0) return null
  const text = [...new Set(lines)].join('\n')
  return {
    ...grouping,
    hash: groupHash(hash('sha1', `${grouping.hash} ${text}`).slice(0, 32)),
    get explanation() {
      return [
        ...grouping.explanation,
        {
          name: 'frame' as const,
          value: text.slice(0, LINE_CHARS_MAX),
          note: 'source line: without a source map the function alone would say where it failed',
          contributes: true,
        },
      ]
    },
  }
}

/** Returns the line of the app's newest call, and of its callers if it only makes the error. */
function groupLines({ stacktrace }: ExceptionValue, { platform }: ScrubbedEvent): readonly string[] {
  const own = (stacktrace?.frames ?? []).filter((frame) => isOwnCall(frame, platform))
  const lines: string[] = []
  for (const frame of own.slice(-CALLS_MAX).reverse()) {
    const line = frameLine(frame)
    if (line === null) break
    lines.push(line)
    if (!isOfCaller(frame, line)) break
  }
  return lines
}

function isOfCaller({ function: name = '' }: Frame, line: string): boolean {
  return /^(?:async )?new /.test(name) || OF_CALLER.test(line)
}

/** `null` where version 1 goes by the line itself, and of a bundle whose lines are long. */
function frameLine({ data, context_line: line = '', post_context: below = [] }: Frame): string | null {
  if (data?.sourcemap !== undefined || data?.symbolicated === true) return null
  let text = shortLine(line)
  if (text === '') return null
  for (const next of below.slice(0, MORE_LINES_MAX)) {
    if (!GOES_ON.test(text)) break
    text = `${text} ${shortLine(next)}`
  }
  return text.replaceAll(NUMBERED, '')
}

function shortLine(line: string): string {
  if (line.length > LINE_CHARS_MAX * 4 || line.includes('{snip}')) return ''
  const text = line.replace(/\s+/g, ' ').trim()
  return text.length > LINE_CHARS_MAX ? '' : text
}
