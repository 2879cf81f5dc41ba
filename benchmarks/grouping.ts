/**
 * Shows what another tree groups otherwise, and what grouping costs in both: in one process, in turns.
 *
 *   node scripts/with-node24.mjs benchmarks/grouping.ts --before DIR [--events FILE …] [--rounds N]
 *
 * Events are those of the fixtures and of grouping's own corpora, of FILEs (`{"events": […]}`, or one event a line), and of the
 * generated corpus, 10,000 in all. Each issue that was joined or parted is listed with its titles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusEvent } from './corpus/corpus.ts'

const ROOT = join(import.meta.dirname, '..')
const EVENTS = 10_000
const SHOWN_MAX = 200

interface Tree {
  /** Title, place and group of a raw event; `null`: refused. */
  readonly group: (
    raw: object,
  ) => { readonly hash: string; readonly title: string; readonly culprit: string } | null
  readonly prepare: (raw: object) => unknown
  readonly groupPrepared: (event: unknown) => unknown
}

async function treeOf(root: string): Promise<Tree> {
  const source = join(root, 'packages/server/src')
  const { normalizeEvent } = await import(join(source, 'normalize/normalize.ts'))
  const { recogniseEvent } = await import(join(source, 'kinds/error/recognised.ts'))
  const { eventTitle } = await import(join(source, 'kinds/error/title.ts'))
  const prepare = (raw: object) => {
    const answer = normalizeEvent(structuredClone(raw), {
      ...{ eventId: null, receivedMs: Date.now(), sentAt: null, clientAddress: null },
      ...{ userAgent: null, sdk: undefined, client: null },
    })
    return answer.ok ? { ...answer.event, scrubbedPaths: [] } : null
  }
  return {
    prepare,
    groupPrepared: (event) => recogniseEvent(event).grouping.hash,
    group: (raw) => {
      const event = prepare(raw)
      if (event === null) return null
      const { grouping, recognised } = recogniseEvent(event)
      const { title, culprit } = eventTitle(event, recognised)
      return { hash: grouping.hash, title, culprit }
    },
  }
}

function eventsOf(files: readonly string[]): readonly object[] {
  const found: object[] = [...capturedEvents(), ...groupingCorpus(), ...files.flatMap(eventsOfFile)]
  for (let number = 0; found.length < EVENTS; number += 1) {
    const kind = number % 4 === 0 ? 'error-18k' : 'error-5k'
    found.push(JSON.parse(corpusEvent({ kind, stacks: 'all', seed: 7 }, number, Date.now()).json))
  }
  return found
}

function capturedEvents(): readonly object[] {
  return ['captured', 'written'].flatMap((folder) => {
    const path = join(ROOT, 'tests/fixtures', folder)
    return readdirSync(path).flatMap((name) => {
      const fixture: { readonly envelope?: string } = JSON.parse(readFileSync(join(path, name), 'utf8'))
      return (fixture.envelope ?? '').split('\n').flatMap(eventOfLine)
    })
  })
}

function eventOfLine(line: string): readonly object[] {
  try {
    const read: unknown = JSON.parse(line)
    const isEvent =
      typeof read === 'object' &&
      read !== null &&
      ('exception' in read || 'message' in read || 'threads' in read)
    return isEvent ? [read] : []
  } catch {
    return []
  }
}

function groupingCorpus(): readonly object[] {
  const folder = join(ROOT, 'packages/server/src/group/v1/corpus')
  const corpus = ['captured.json', 'written.json'].flatMap((name) => {
    const read: readonly { readonly event: object }[] = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return read.map(({ event }) => event)
  })
  const lines = readFileSync(join(folder, 'instances.ndjson'), 'utf8').split('\n').filter(Boolean)
  return [...corpus, ...lines.flatMap(eventsOfInstance)]
}

function eventsOfInstance(line: string): readonly object[] {
  const read: Readonly<Record<string, unknown>> = JSON.parse(line)
  const many: unknown = read.together ?? read.apart ?? [read.event]
  return Array.isArray(many) ? many : []
}

function eventsOfFile(path: string): readonly object[] {
  const text = readFileSync(path, 'utf8')
  try {
    const read: { readonly events?: readonly object[] } = JSON.parse(text)
    return (read.events ?? [read]).filter((event) => typeof event === 'object' && event !== null)
  } catch {
    return text.split('\n').flatMap(eventOfLine)
  }
}

interface Grouped {
  readonly before: string
  readonly after: string
  readonly titleBefore: string
  readonly titleAfter: string
  readonly place: string
}

function report(events: readonly object[], before: Tree, after: Tree): void {
  const grouped = events.flatMap((event): readonly Grouped[] => {
    const [one, other] = [before.group(event), after.group(event)]
    if (one === null || other === null) return []
    return [
      {
        before: one.hash,
        after: other.hash,
        titleBefore: one.title,
        titleAfter: other.title,
        place: other.culprit,
      },
    ]
  })
  const count = (key: 'before' | 'after') => new Set(grouped.map((each) => each[key])).size
  console.log(`${grouped.length} events: ${count('before')} issues before, ${count('after')} now`)
  list('JOINED', grouped, { by: 'after', were: 'before' })
  list('PARTED', grouped, { by: 'before', were: 'after' })
  const renamed = new Map(
    grouped.flatMap(({ titleBefore, titleAfter }) =>
      titleBefore === titleAfter ? [] : [[titleBefore, titleAfter]],
    ),
  )
  console.log(`\n${renamed.size} titles changed`)
  for (const [one, other] of [...renamed].slice(0, SHOWN_MAX)) console.log(`  ${one}\n    → ${other}`)
}

function list(
  word: string,
  grouped: readonly Grouped[],
  { by, were }: { readonly by: 'before' | 'after'; readonly were: 'before' | 'after' },
): void {
  const groups = new Map<string, Map<string, Grouped>>()
  for (const each of grouped) {
    const parts = groups.get(each[by]) ?? new Map<string, Grouped>()
    if (!parts.has(each[were])) parts.set(each[were], each)
    groups.set(each[by], parts)
  }
  const changed = [...groups.values()].filter((parts) => parts.size > 1)
  console.log(`\n${word}: ${changed.length}`)
  for (const parts of changed.slice(0, SHOWN_MAX)) {
    console.log(`  ${parts.size} ${by === 'after' ? 'issues became one' : 'issues of what was one'}`)
    for (const { titleAfter, place } of [...parts.values()].slice(0, 6))
      console.log(`    ${titleAfter} — ${place}`)
  }
}

/** CPU of grouping alone, microseconds an event, the median of rounds in turn. */
function measure(events: readonly object[], trees: Readonly<Record<string, Tree>>, rounds: number): void {
  const prepared = Object.entries(trees).map(([name, tree]) => ({
    ...{ name, tree, costs: [] as number[] },
    events: events.map((event) => tree.prepare(event)).filter((event) => event !== null),
  }))
  for (let round = 0; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? prepared : prepared.toReversed()) {
      const start = process.cpuUsage()
      for (const event of each.events) each.tree.groupPrepared(event)
      const { user, system } = process.cpuUsage(start)
      each.costs.push((user + system) / each.events.length)
    }
  }
  for (const { name, costs } of prepared) {
    const sorted = costs.toSorted((one, other) => one - other)
    console.log(
      `${name}: ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)} µs an event (${(sorted[0] ?? 0).toFixed(1)} at best)`,
    )
  }
}

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    events: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
  },
})
if (values.before === undefined || !existsSync(values.before)) {
  console.error('--before names the folder of another tree.')
  process.exitCode = 2
} else {
  const [before, after] = [await treeOf(values.before), await treeOf(ROOT)]
  const events = eventsOf(values.events)
  report(events, before, after)
  measure(events, { before, after }, Number(values.rounds))
}
