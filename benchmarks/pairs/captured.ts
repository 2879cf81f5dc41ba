/**
 * Reads what unmodified SDKs sent, and texts that hold secrets: no speed is measured with them, but both
 * builds must make the same of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/node24.mjs'
import { gzipped } from '../corpus/corpus.ts'

const FIXTURES = join(ROOT, 'tests/fixtures')
/** Times each is sent: of a part that events share, the third time is the first that takes the short way. */
const TIMES = 3
const LINES_OF_EVENT = 20

export function capturedBodies(): readonly Uint8Array[] {
  const envelopes = [
    ...['captured', 'written', 'captured-spans'].flatMap((folder) =>
      filesIn(folder, '.json').flatMap(envelopesOf),
    ),
    ...filesIn('secrets', '.txt').flatMap((text) => eventsOfLines(text.split('\n'))),
  ]
  const bodies = envelopes.map((envelope) => gzipped(withoutDsn(envelope)))
  return Array.from({ length: TIMES }, () => bodies).flat()
}

function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(join(FIXTURES, folder)).filter((name) => name.endsWith(ending))
  return names.sort().map((name) => readFileSync(join(FIXTURES, folder, name), 'utf8'))
}

interface Captured {
  readonly envelope?: string
  readonly items?: readonly { readonly type: string; readonly payload: unknown }[]
}

/** Reads envelopes: one a file, or items, each of which gets one of its own. */
function envelopesOf(json: string): string[] {
  const { envelope, items = [] } = JSON.parse(json) as Captured // as the files beside it are written
  const ofItems = items.map(({ type, payload }) => `{}\n{"type":"${type}"}\n${JSON.stringify(payload)}`)
  return envelope === undefined ? ofItems : [envelope, ...ofItems]
}

/** Removes the DSN of the project that it was captured for. */
function withoutDsn(envelope: string): string {
  return envelope.replace(/^(\{[^\n]*?)"dsn":"[^"]*",?/, '$1')
}

/** Makes events of the lines: as messages, as values of bags and as lines of source. */
function eventsOfLines(lines: readonly string[]): string[] {
  const envelopes: string[] = []
  for (let at = 0; at < lines.length; at += LINES_OF_EVENT) {
    const some = lines.slice(at, at + LINES_OF_EVENT)
    const event = {
      message: some[0],
      extra: Object.fromEntries(some.map((line, place) => [`line${place}`, line])),
      breadcrumbs: { values: some.map((message) => ({ message, data: { arguments: [message] } })) },
      exception: {
        values: [
          {
            type: 'Error',
            value: some.at(-1),
            stacktrace: { frames: [{ filename: 'a.ts', context_line: some[1] }] },
          },
        ],
      },
    }
    envelopes.push(`{}\n{"type":"event"}\n${JSON.stringify(event)}`)
  }
  return envelopes
}
