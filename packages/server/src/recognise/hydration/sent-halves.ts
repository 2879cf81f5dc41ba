/** The two halves as a helper in the page sends them. docs/wire.md, section "Hydration". */
import { isObject } from '#base/json.ts'
import type { NormalizedEvent } from '#model/event.ts'

export interface SentHalves {
  readonly server: string | null
  readonly client: string | null
  readonly component: string | null
}

const KEY = 'errata.hydration'
const HTML_CHARS_MAX = 8_192

export function sentHalves({ contexts, extra }: NormalizedEvent): SentHalves | null {
  const sent: unknown = contexts?.[KEY] ?? contexts?.errata?.hydration ?? extra?.[KEY]
  if (!isObject(sent)) return null
  const { server, client, component } = sent
  return { server: textOf(server), client: textOf(client), component: textOf(component) }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, HTML_CHARS_MAX) : null
}
