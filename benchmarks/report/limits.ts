/** Why a goal may be missed, by measure, as `goals.ts` states them: printed below a table that has rows which do not meet theirs. */
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
  {
    of: /^wide: built/,
    why:
      'three weeks are sent for 95 s whatever the machine is; before that 400 people are hashed, two at a time and 64 MiB ' +
      'each, while 1,500 projects, 300 rules and 100 organisations are made one by one, each a transaction of its own that ' +
      'is synced. Times scale with the machine',
  },
  {
    of: /^wide: CPU of/,
    why:
      'a change is one transaction, its entry in the audit log and what every thread learns of it; the page that it is made ' +
      'on is read anew but for what an action says it leaves alone. CPU scales with the machine',
  },
  {
    of: /^wide: the last project beside the tenth/,
    why:
      'forty projects are 200 to 300 ms, told in steps of the kernel’s clock of 10 ms, and what runs beside them on a busy ' +
      'machine is counted too',
  },
  {
    of: /^largest page/,
    why:
      'a list of 25 issues, twice on the timeline, with a graph each: shapes that are drawn, and the numbers they are drawn ' +
      'of for the script that takes over. Counts that differ from slot to slot are longer, so it varies with the events',
  },
  {
    of: /^(pages p95|slowest page|issues by tag|traces of 30 days|outcomes of 30 days|projects), /,
    why:
      'a look over all of 905 projects reads columns of thirty days, file by file, and sums of each project; what a page ' +
      'shows of them is read after. Times scale with the machine',
  },
  {
    of: /^longest on the main thread/,
    why:
      'a document is rendered there, and its lists are read as JSON from other threads: what it shows decides, and CPU ' +
      'scales with the machine',
  },
  {
    of: /^wide: drained beside narrow/,
    why:
      'each event is of another group of another project: a group, its issue and its eight tags are read and written for one ' +
      'event, where the narrow backlog writes them once for forty, and so are sums of tags, outcomes and releases of each ' +
      'project. About thirty rows an event are written, a third of what the commit thread takes; collecting what it holds ' +
      'of a thousand groups at once is a sixth',
  },
  {
    of: /^wide: readable beside a flood/,
    why:
      'what waits is taken in turns, and a batch that has begun is stored first: on a machine whose cores are taken a turn is ' +
      'longer. Times scale with the machine',
  },
  {
    of: /^wide: memory after a rest/,
    why:
      'eight thousand groups with their issues and tags are remembered, as is what every thread knows of 1,500 projects; V8 ' +
      'gives the rest back when a thread has rested for two looks of 30 s',
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
