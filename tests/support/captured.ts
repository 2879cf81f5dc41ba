/** Payloads that running SDKs sent, and for SDKs that could not be run, written ones; each with its origin. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Captured {
  readonly name: string
  readonly origin: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  }
  /** The envelope's text, not compressed. */
  readonly envelope: string
}

const FOLDERS = [
  new URL('../fixtures/captured/', import.meta.url),
  new URL('../fixtures/written/', import.meta.url),
]

export function capturedPayloads(): readonly Captured[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => readPayload(new URL(file, folder), file.replace('.json', ''))),
  )
}

function readPayload(file: URL, name: string): Captured {
  return { name, ...JSON.parse(readFileSync(file, 'utf8')) } as Captured // checked by the suite that replays it
}

/** The id an event is stored under: the envelope header's wins over the payload's. */
export function eventIdOf(captured: Captured): string {
  const header = JSON.parse(captured.envelope.split('\n', 1)[0] ?? '{}') as { event_id?: string } // an envelope's first line
  const id = header.event_id ?? eventOf(captured).event_id
  if (typeof id !== 'string') throw new Error('the capture has no event id')
  return id.replaceAll('-', '').toLowerCase()
}

/** The event of a captured envelope. */
export function eventOf({ envelope }: Captured): Readonly<Record<string, unknown>> {
  const lines = envelope.split('\n')
  for (let at = 1; at < lines.length; at += 2) {
    if ((JSON.parse(lines[at] ?? '{}') as { type?: string }).type === 'event')
      return JSON.parse(lines[at + 1] ?? '{}')
  }
  throw new Error('the capture holds no event')
}
