import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { readWords, type Subcommand, textOption, UsageError } from '../command-line.ts'
import { EVENT_ROW, type EventRow, ISSUE, type Issue, printable, printableJson } from './answers.ts'
import { type Connection, connect, LIST_HELP, LIST_OPTIONS } from './connection.ts'

const { limit: _limit, ...KNOWN } = LIST_OPTIONS
const OPTIONS = { ...KNOWN, every: { type: 'string' } } as const
const EVERY_SECONDS = 2
const ISSUES_LOOKED_AT = 100
const EVENTS_LOOKED_AT = 100
/** Ids that were printed; the oldest are forgotten. */
const SEEN_MAX = 20_000

export const tailCommand: Subcommand = {
  name: ['tail'],
  summary: 'shows events as they arrive',
  help: `errata tail [SEARCH…] [--project SLUG] [--every SECONDS] [--json] [--url URL] [--token TOKEN] [--org SLUG]

Shows events of issues that match a search as they are stored, until it is stopped. If an issue gets more than
${EVENTS_LOOKED_AT} events between two polls, only the newest are shown.

${LIST_HELP}
  --every          how often to poll; default ${EVERY_SECONDS}
  --json           a line of JSON for each: {"issue": …, "event": …}`,
  async run(args) {
    const { values, words } = readWords(args, OPTIONS)
    const everyMs = secondsFrom(textOption(values, 'every')) * 1_000
    const tail = new Tail(await connect(values, process.env), {
      query: words.join(' '),
      project: textOption(values, 'project') ?? null,
    })
    await tail.look()
    console.error('Waiting for events. Stop with Ctrl+C.')
    for (;;) {
      await pause(everyMs)
      for (const each of await tail.look())
        console.log(values.json === true ? printableJson(each) : eventLine(each))
    }
  },
}

interface TailedEvent {
  readonly issue: Issue
  readonly event: EventRow
}

/** Asks again and again for issues whose counts have grown, and of those for their newest events. */
class Tail {
  readonly #connection: Connection
  readonly #path: string
  /** Count of every listed issue at the last look; `null` before the first. */
  #counts: Map<string, number> | null = null
  #listsAll = false
  readonly #seen = new Set<string>()

  constructor(connection: Connection, asked: { readonly query: string; readonly project: string | null }) {
    this.#connection = connection
    const query = new URLSearchParams({
      ...{ query: asked.query, sort: 'date', limit: String(ISSUES_LOOKED_AT) },
      ...(asked.project === null ? {} : { project: asked.project }),
    })
    this.#path = `/organizations/${connection.org}/issues/?${query}`
  }

  /** Returns what is new since the last look, in the order of receipt; nothing the first time. */
  async look(): Promise<readonly TailedEvent[]> {
    const issues = await this.#connection.calls.get(this.#path, v.array(ISSUE))
    const known = this.#counts
    this.#counts = new Map([...(known ?? []), ...issues.map(({ id, count }) => [id, Number(count)] as const)])
    if (known === null) {
      this.#listsAll = issues.length < ISSUES_LOOKED_AT
      return []
    }
    const found: TailedEvent[] = []
    for (const issue of issues) {
      const count = Number(issue.count)
      // Where not every issue was listed at first, one that comes up may be old: then its newest event alone is new.
      const more = count - (known.get(issue.id) ?? (this.#listsAll ? 0 : count - 1))
      if (more <= 0) continue
      const newest = (await this.#newest(issue)).slice(0, more)
      found.push(...newest.filter(({ eventID }) => this.#note(eventID)).map((event) => ({ issue, event })))
    }
    return found.toSorted((a, b) => a.event.dateReceived.localeCompare(b.event.dateReceived))
  }

  async #newest({ id }: Issue): Promise<readonly EventRow[]> {
    const { calls, org } = this.#connection
    return calls.get(
      `/organizations/${org}/issues/${id}/events/?limit=${EVENTS_LOOKED_AT}`,
      v.array(EVENT_ROW),
    )
  }

  #note(eventId: string): boolean {
    if (this.#seen.has(eventId)) return false
    this.#seen.add(eventId)
    if (this.#seen.size > SEEN_MAX) this.#seen.delete(this.#seen.values().next().value ?? eventId)
    return true
  }
}

function eventLine({ issue, event }: TailedEvent): string {
  const environment = event.tags.find(({ key }) => key === 'environment')?.value
  const where = [environment, event.culprit].filter((part) => part !== undefined && part !== '').join(', ')
  return `${event.dateReceived}  ${issue.shortId}  ${printable(event.title)}${where === '' ? '' : `  (${printable(where)})`}`
}

/** @throws UsageError */
function secondsFrom(text: string | undefined): number {
  const seconds = Number(text ?? EVERY_SECONDS)
  if (seconds >= 0.2 && seconds <= 3_600) return seconds
  throw new UsageError(`--every: "${text}" isn’t a number of seconds from 0.2 to 3600`)
}
