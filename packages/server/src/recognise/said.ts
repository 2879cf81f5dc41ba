/** Returns the text of an event: the exception that names it, else its message. */
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'

export interface Said {
  readonly type: string
  /** Without what runtimes put before a message; at most `CHARS_MAX`. */
  readonly text: string
}

const CHARS_MAX = 8_192
/** Prefixes of a message that reached the SDK as text. */
const PREFIX = /^(?:Uncaught |Unhandled |\(in promise\) |Warning: |[A-Za-z]{0,24}Error: ){1,4}/

export function saidBy(event: NormalizedEvent): Said {
  const exception = mainException(event)
  const message = event.logentry?.formatted ?? event.message ?? ''
  const isMessage = exception === null || (exception.type === undefined && message !== '')
  const raw = isMessage ? withArguments(message, event) : (exception.value ?? '')
  return { type: exception?.type ?? '', text: plainText(raw) }
}

function plainText(text: string): string {
  const cut = text.length > CHARS_MAX ? text.slice(0, CHARS_MAX) : text
  return cut.trimStart().replace(PREFIX, '')
}

/** A line of the console that was captured as a message keeps its places, and the SDK what belongs into them. */
function withArguments(message: string, event: NormalizedEvent): string {
  const given = event.extra?.arguments
  if (!message.includes('%s') || !Array.isArray(given)) return message
  // The first is the line itself.
  let at = 1
  return message.replace(/%[sdio]/g, (place) => {
    const value: unknown = given[at++]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : place
  })
}
