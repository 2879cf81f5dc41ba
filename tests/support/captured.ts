/** Payloads that running SDKs sent, with their origin. */
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

const FOLDER = new URL('../fixtures/captured/', import.meta.url)

export function capturedPayloads(): readonly Captured[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map(
      (file) =>
        ({
          name: file.replace('.json', ''),
          ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
        }) as Captured,
    ) // written by the capture, checked by the suite that replays it
}

/** The event of a captured envelope. */
export function eventOf({
  envelope,
}: Captured): { readonly event_id: string } & Readonly<Record<string, unknown>> {
  const lines = envelope.split('\n')
  for (let at = 1; at < lines.length; at += 2) {
    if ((JSON.parse(lines[at] ?? '{}') as { type?: string }).type === 'event')
      return JSON.parse(lines[at + 1] ?? '{}')
  }
  throw new Error('the capture holds no event')
}
