/** Why a goal is out of reach, by measure: printed below a table that has rows which do not meet theirs. */
import type { ResultRow } from './result-row.ts'

interface Limit {
  readonly of: RegExp
  readonly why: string
}

/** The first that fits speaks for a row. README.md has the profile behind each, "Where the limits are". */
const LIMITS: readonly Limit[] = [
  {
    of: /^maps, all different: ÷/,
    why:
      'no two events have a place in common, in 150,000 lines of source that are drawn evenly: eleven lines a frame are ' +
      'unpacked, scrubbed and stored, so that an event carries a hundred lines more. Stacks that repeat are the row above',
  },
  {
    of: /^spans: .*÷ CPU of the bare sink/,
    why:
      'of the process threads’ share, a fifth is reading and bounding spans, a fifth scrubbing them, a sixth what they were ' +
      'requests of and where their time went; parsing, inflating, packing and collecting are a third, whatever is done. ' +
      'Code is still being compiled in the first thousand containers, which the quick form is made of',
  },
  {
    of: /^spans: bytes kept a span/,
    why:
      'an id of eight random bytes a span, its times and what no two spans share is the most of it; fixed parts of a ' +
      'directory weigh with few spans',
  },
  {
    of: /^spans: (routes|trace)/,
    why: 'a route’s sums are one row, its sketches one text; joining 20,000 sketches is the rest. Times scale with the machine',
  },
  {
    of: /: drained$|÷ CPU of the bare sink/,
    why:
      'the work of an event is spread thinly: of what process, main, commit and V8’s own threads take, no function has a ' +
      'tenth. A rate scales with the machine, the ratio does not; only edits of the bytes that came, instead of parsing, ' +
      'normalising and writing them again, would bring a sixth at once',
  },
  {
    of: /all different: bytes kept/,
    why:
      'payload and columns alone are 0.57. An issue of one event keeps 1.4 KB in the control store for the list, its ' +
      'filters and its search: its row 0.4, tags and their words 0.3, its text and a record of its beginning 0.1 each',
  },
  {
    of: /bytes kept/,
    why:
      'fixed parts of a directory weigh with few events (the full form stores 45,000). What is left is payload that no ' +
      'two events share: breadcrumbs, times, ids. zstd at 15 instead of 11 would take 2 to 4 % off for four to seven times the time',
  },
  {
    of: /^half load: (acknowledged|page)/,
    why:
      'two thirds of the p99 are threads that wait for one of two cores, the rest is the page beside it, rendered on the ' +
      'thread that accepts. Times scale with the machine',
  },
  {
    of: /event list by a tag/,
    why:
      'the places of a page are searched in three to twelve column files, 1 to 2 ms of CPU each, more the fewer events match. Times ' +
      'scale with the machine',
  },
  {
    of: /event by id|where an event is|latest event|issue page/,
    why:
      'one event is unpacked from a block of up to 128, and what that takes makes V8 collect once in two or three. Times ' +
      'scale with the machine',
  },
  {
    of: /^start to first answer/,
    why:
      'half of it is the loading of five threads, a quarter the launcher and Node itself, whatever is stored. Times scale ' +
      'with the machine',
  },
  {
    of: /, (document|page data|API)( |$)/,
    why: 'rendering and reading in turn. Times scale with the machine',
  },
]

/** Writes one line for each cause, with the measures it is the cause of. */
export function whyNot(rows: readonly ResultRow[]): readonly string[] {
  const measures = new Map<string, string[]>()
  for (const { measure, met } of rows) {
    if (met !== false) continue
    const why = LIMITS.find(({ of }) => of.test(measure))?.why ?? 'no limit is known: something is wrong'
    measures.set(why, [...(measures.get(why) ?? []), measure])
  }
  return [...measures].map(([why, named]) => `${named.join('; ')}: ${why}.`)
}
