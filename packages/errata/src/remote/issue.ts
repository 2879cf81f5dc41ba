import { exceptionTree, relationHead } from '@errata/server/exception-tree'
import * as v from 'valibot'
import { countText, readWords, type Subcommand, UsageError } from '../command-line.ts'
import { CallFailed } from '../upload-build/server-calls.ts'
import {
  EVENT,
  type Event,
  EXCEPTIONS,
  type Frame,
  ISSUE,
  type Issue,
  printable,
  printableJson,
  stateOf,
} from './answers.ts'
import { ADDRESS_OPTIONS, type Connection, connect, explainMissingIssue, LIST_HELP } from './connection.ts'

const OPTIONS = { ...ADDRESS_OPTIONS, org: { type: 'string' }, json: { type: 'boolean' } } as const
const FRAMES_SHOWN = 12

export const issueCommand: Subcommand = {
  name: ['issue'],
  summary: 'shows one issue with the stack of an event',
  help: `errata issue ISSUE [--json] [--url URL] [--token TOKEN] [--org SLUG]

Shows an issue, by short id such as SHOP-12 or by id, and the exceptions of its newest event with details.

${LIST_HELP}
  --json           {"issue": …, "event": …} as the web API answers them; event is null where none is kept`,
  async run(args) {
    const { values, words } = readWords(args, OPTIONS)
    const [ref, ...others] = words
    if (ref === undefined || others.length > 0) throw new UsageError('name one issue, such as SHOP-12')
    const connection = await connect(values, process.env)
    const path = `/organizations/${connection.org}/issues/${encodeURIComponent(ref)}/`
    const issue = await connection.calls.get(path, ISSUE).catch(explainMissingIssue(ref, connection.org))
    const event = await eventOf(connection, path)
    console.log(values.json === true ? printableJson({ issue, event }, 2) : issueText(issue, event))
    return 0
  },
}

async function eventOf({ calls }: Connection, path: string): Promise<Event | null> {
  try {
    return await calls.get(`${path}events/recommended/`, EVENT)
  } catch (cause) {
    if (cause instanceof CallFailed && cause.status === 404) return null // retention took the last one
    throw cause
  }
}

function issueText(issue: Issue, event: Event | null): string {
  const { shortId, title, culprit, level, count, userCount, firstSeen, lastSeen, permalink } = issue
  const head = [
    `${shortId}  ${printable(title)}`,
    ...(culprit === '' ? [] : [`  ${printable(culprit)}`]),
    `  ${stateOf(issue)}, ${level}, ${countText(Number(count), 'event')}, ${countText(userCount, 'affected user')}`,
    `  first seen ${firstSeen}, last seen ${lastSeen}`,
    `  ${permalink}`,
  ]
  if (event === null) return [...head, '', 'No events of this issue are kept.'].join('\n')
  const exceptions = event.entries
    .filter(({ type }) => type === 'exception')
    .flatMap(({ data }) => {
      const read = v.safeParse(EXCEPTIONS, data)
      return read.success ? inTree(read.output.values) : []
    })
    .map(({ exception: { type, value, stacktrace }, place }) => {
      const begins = place.relation === null ? '' : `${relationHead(place)} `
      const frames = (stacktrace?.frames ?? []).slice(-FRAMES_SHOWN).toReversed().map(frameText)
      return [`${begins}${printable(`${type ?? 'Error'}: ${value ?? ''}`)}`, ...frames].join('\n')
    })
  return [...head, '', `Event ${event.eventID} of ${event.dateCreated}`, ...exceptions].join('\n')
}

/** The root first, each followed by what belongs to it. */
function inTree(values: v.InferOutput<typeof EXCEPTIONS>['values']) {
  const mechanisms = values.map(({ mechanism }) => (mechanism ? { mechanism } : {}))
  return exceptionTree(mechanisms).flatMap((place) => {
    const exception = values[place.index]
    return exception === undefined ? [] : [{ exception, place }]
  })
}

function frameText({ filename, absPath, function: name, lineNo, colNo, inApp, context }: Frame): string {
  const place = [filename ?? absPath ?? '<unknown>', lineNo, colNo].filter(
    (part) => part !== null && part !== undefined,
  )
  const head = `  at ${printable(name ?? '<anonymous>')} (${printable(place.join(':'))})`
  if (inApp !== true) return head
  const [, line] = context?.find(([number]) => number === lineNo) ?? []
  return line === undefined || line === null ? head : `${head}\n      ${printable(line).trim()}`
}
