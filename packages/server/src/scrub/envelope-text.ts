/** Recognises an envelope inside a text: a JSON line of headers, then a JSON line with an item's type. */
const LINE_CHARS = 8_192

export function isEnvelopeText(text: string): boolean {
  if (!text.startsWith('{')) return false
  const first = text.indexOf('\n')
  if (first === -1 || first > LINE_CHARS) return false
  const header = objectOf(text.slice(0, first))
  if (header === null) return false
  const second = text.indexOf('\n', first + 1)
  const line = text.slice(first + 1, second === -1 ? text.length : second)
  const item = line.length > LINE_CHARS ? null : objectOf(line)
  return (
    item !== null &&
    typeof item.type === 'string' &&
    (header.dsn !== undefined ||
      header.sent_at !== undefined ||
      header.event_id !== undefined ||
      Object.keys(header).length === 0)
  )
}

function objectOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>) // just checked
      : null
  } catch {
    return null // not JSON: no envelope
  }
}
