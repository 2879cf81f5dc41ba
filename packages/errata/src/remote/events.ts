import * as v from 'valibot'
import { readWords, type Subcommand, UsageError } from '../command-line.ts'
import { columns, EVENT_ROW, type EventRow, printable, printableJson } from './answers.ts'
import { connect, explainMissingIssue, LIST_HELP, LIST_OPTIONS, limitFrom } from './connection.ts'

const { project: _project, ...OPTIONS } = LIST_OPTIONS
const LIMIT_DEFAULT = 25

export const eventsCommand: Subcommand = {
  name: ['events'],
  summary: 'lists events of an issue',
  help: `errata events ISSUE [SEARCH…] [--limit N] [--json] [--url URL] [--token TOKEN] [--org SLUG]

Lists the events of an issue, newest first. SEARCH narrows them, such as release:1.2.0.

${LIST_HELP}
  --limit          default ${LIMIT_DEFAULT}, at most 100
  --json           as the web API answers them`,
  async run(args) {
    const { values, words } = readWords(args, OPTIONS)
    const [ref, ...search] = words
    if (ref === undefined) throw new UsageError('name one issue, such as SHOP-12')
    const limit = limitFrom(values, LIMIT_DEFAULT)
    const { calls, org } = await connect(values, process.env)
    const query = new URLSearchParams({ query: search.join(' '), limit: String(limit) })
    const path = `/organizations/${org}/issues/${encodeURIComponent(ref)}/events/?${query}`
    const events = await calls.get(path, v.array(EVENT_ROW)).catch(explainMissingIssue(ref, org))
    if (values.json === true) console.log(printableJson(events, 2))
    else console.log(events.length === 0 ? 'No event matches.' : columns(events.map(eventCells)))
    return 0
  },
}

function eventCells({ eventID, dateCreated, tags, title }: EventRow): readonly string[] {
  return [
    eventID,
    dateCreated,
    ...['environment', 'release'].map((key) => tagOf(tags, key)),
    printable(title),
  ]
}

function tagOf(tags: EventRow['tags'], key: string): string {
  return printable(tags.find((tag) => tag.key === key)?.value ?? '-')
}
