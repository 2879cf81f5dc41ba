/** An event as grouping sees it: normalised and scrubbed. */
import type { ScrubbedEvent } from '#model/event.ts'

export function aScrubbedEvent(fields: Partial<ScrubbedEvent> | object = {}): ScrubbedEvent {
  const event = {
    ...{ event_id: 'a'.repeat(32), timestamp: 1_795_258_000, received: 1_795_258_000 },
    ...{ level: 'error', platform: 'node', tags: [], problems: [], scrubbedPaths: [] },
    ...fields,
  }
  return event as unknown as ScrubbedEvent // brand of a test value
}
