/** An event with React's numbers decoded, for who reads it. What is stored stays as it was sent. */
import type { NormalizedEvent } from '#model/event.ts'
import { decodeReactText } from './decode.ts'
import { reactVersion } from './version.ts'

/** A text of the event that reads otherwise than it was sent. */
export interface DecodedText {
  /**
   * Path such as `exception.values.0.value`, `breadcrumbs.values.3.message`, `logentry.formatted`, `message`.
   */
  readonly path: string
  readonly sent: string
}

export interface DecodedEvent<E> {
  readonly event: E
  readonly decoded: readonly DecodedText[]
}

export function decodeEvent<E extends NormalizedEvent>(event: E): DecodedEvent<E> {
  const version = reactVersion(event)
  const decoded: DecodedText[] = []
  const changed = withTexts(event, (path, text) => {
    const plain = decodeReactText(text, version)
    if (plain !== text) decoded.push({ path, sent: text })
    return plain
  })
  return decoded.length === 0 ? { event, decoded } : { event: changed, decoded }
}

/** The event as it was sent. */
export function encodedEvent<E extends NormalizedEvent>({ event, decoded }: DecodedEvent<E>): E {
  const sent = new Map(decoded.map((text) => [text.path, text.sent]))
  return sent.size === 0 ? event : withTexts(event, (path, text) => sent.get(path) ?? text)
}

function withTexts<E extends NormalizedEvent>(event: E, read: (path: string, text: string) => string): E {
  const { exception, breadcrumbs, logentry, message } = event
  const values = exception?.values.map((value, at) =>
    value.value === undefined
      ? value
      : { ...value, value: read(`exception.values.${at}.value`, value.value) },
  )
  const crumbs = breadcrumbs?.values.map((crumb, at) =>
    crumb.message === undefined
      ? crumb
      : { ...crumb, message: read(`breadcrumbs.values.${at}.message`, crumb.message) },
  )
  return {
    ...event,
    ...(values && { exception: { ...exception, values } }),
    ...(crumbs && { breadcrumbs: { ...breadcrumbs, values: crumbs } }),
    ...(logentry && { logentry: { ...logentry, formatted: read('logentry.formatted', logentry.formatted) } }),
    ...(message !== undefined && { message: read('message', message) }),
  }
}
