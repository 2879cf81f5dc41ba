/** Compares what Errata shows of a stack with the sources themselves. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiEvent, type ApiIssue, apiGet, issues } from '../support/api.ts'
import type { SetUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import type { App } from './app.ts'

/**
 * Expected frame: the source file, the function, and a part of the source line that stands in no other line
 * of the file.
 */
export type Place = readonly [file: string, name: string | null, text: string]

interface ShownFrame {
  readonly filename: string | null
  readonly absPath: string | null
  readonly function: string | null
  readonly lineNo: number | null
  readonly colNo: number | null
  readonly inApp: boolean
  readonly context: readonly (readonly [number, string])[]
}

interface ShownException {
  readonly type: string
  readonly value: string
  readonly stacktrace: { readonly frames: readonly ShownFrame[] } | null
}

/** The newest event of the one issue that a search finds among those of a release; of a server's failure its own. */
export async function eventOf(shop: SetUp, query: string, release: string): Promise<ApiEvent> {
  const [event] = await ownEvents(shop, query, release)
  assert.ok(event, `${query} has no event of ${release}`)
  return event
}

/** Newest first; without those that the browser sent of a server's failure, which may come at any time. */
export async function ownEvents(shop: SetUp, query: string, release?: string): Promise<readonly ApiEvent[]> {
  const of = release === undefined ? '' : `release:${release}`
  const { id } = await issueOf(shop, `${query} ${of}`.trim())
  const path = `/organizations/${shop.organisation}/issues/${id}/events/?full=1&query=${encodeURIComponent(of)}`
  const all = await apiGet<readonly ApiEvent[]>(shop, path)
  const ofServer = all.filter(({ platform }) => platform === 'node')
  return ofServer.length > 0 ? ofServer : all
}

/** The one issue that a search finds; two issues are a failure. */
export async function issueOf(shop: SetUp, query: string): Promise<ApiIssue> {
  const found = await waitFor(
    `an issue for ${query}`,
    async () => {
      const some = await issues(shop, query)
      return some.length > 0 ? some : null
    },
    30_000,
  )
  const titles = found.map(({ title, culprit }) => `${title} in ${culprit}`)
  assert.equal(found.length, 1, `${query}: ${titles.join(', ')}`)
  const [issue] = found
  assert.ok(issue)
  return issue
}

/** The engine's own functions, like `Array.map`: they are in no source. */
const isEngine = ({ filename }: ShownFrame) => filename === '<anonymous>'

/** Every in-app frame is one of the places, innermost first, with the line of the source itself. */
export function assertFrames(app: App, event: ApiEvent, places: readonly Place[], exception = -1): void {
  const entry = event.entries.find(({ type }) => type === 'exception')
  assert.ok(entry !== undefined, `${event.eventID} has no exception`)
  const { values } = entry.data as { readonly values: readonly ShownException[] } // as the API documents it
  const frames = values.at(exception)?.stacktrace?.frames ?? []
  const shown = frames.filter((frame) => frame.inApp && !isEngine(frame)).toReversed()
  const wanted = places.map((place) => wantedPlace(app, place))
  const all = frames.map(
    (frame) => `${frame.inApp} ${frame.absPath} ${shownPlace(frame, frame.filename ?? '')}`,
  )
  assert.deepEqual(
    shown.map((frame, index) => shownPlace(frame, places[index]?.[0] ?? '')),
    wanted,
    all.join('\n'),
  )
}

/** `file:line function | text`; the file as it is called in the sources, where it is that file. */
function shownPlace({ filename, function: name, lineNo, context }: ShownFrame, file: string): string {
  const isFile = filename === file || filename?.endsWith(`/${file}`) === true
  const text = context.find(([line]) => line === lineNo)?.[1]
  return `${isFile ? file : filename}:${lineNo} ${name} | ${text}`
}

function wantedPlace(app: App, [file, name, text]: Place): string {
  const folder = app.sources.find((each) => existsSync(join(each, file)))
  assert.ok(folder !== undefined, `no source is called ${file}`)
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  const found = [...lines.entries()].filter(([, line]) => line.includes(text))
  assert.equal(found.length, 1, `${file}: ${found.length} lines have ${text}`)
  const [[at, line] = [0, '']] = found
  return `${file}:${at + 1} ${name} | ${line}`
}
