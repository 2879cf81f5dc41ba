/**
 * OpenTelemetry's conventions about a span, in the words of the other wires. docs/wire.md, section "OTLP".
 */
import { textAttribute } from '#model/attributes.ts'
import type { Attributes } from '#model/span.ts'

const KINDS: readonly string[] = ['internal', 'server', 'client', 'producer', 'consumer']

/** Numbers of the enum, or its names as lenient exporters write them; `null` for none. */
export function spanKind(raw: unknown): string | null {
  if (typeof raw === 'number') return KINDS[raw - 1] ?? null
  if (typeof raw === 'string' && /^\d$/.test(raw)) return KINDS[Number(raw) - 1] ?? null
  const name = typeof raw === 'string' ? raw.replace(/^SPAN_KIND_/, '').toLowerCase() : ''
  return KINDS.find((kind) => kind === name) ?? null
}

/** The operation, which this wire does not name. */
export function opOf(attributes: Attributes, kind: string | null): string {
  const says = (...names: readonly string[]) => textAttribute(attributes, ...names) !== null
  if (says('http.request.method', 'http.method')) {
    return kind === 'server' || kind === 'client' ? `http.${kind}` : 'http'
  }
  if (says('db.system.name', 'db.system')) return 'db'
  if (says('rpc.system.name', 'rpc.system'))
    return kind === null || kind === 'internal' ? 'rpc' : `rpc.${kind}`
  if (says('messaging.system')) return MESSAGE_OPS.get(kind ?? '') ?? 'queue'
  return says('faas.trigger') ? 'function' : 'default'
}

const MESSAGE_OPS: ReadonlyMap<string, string> = new Map([
  ['producer', 'queue.publish'],
  ['consumer', 'queue.process'],
])

const HAS_REMOTE = 0x100
const IS_REMOTE = 0x200

/** Whether a span is the entry into its service. Newer SDKs say whether the parent is remote; else what it is tells. */
export function isOtlpSegment({
  parent,
  kind,
  flags,
  isParentThere,
}: {
  readonly parent: string | null
  readonly kind: string | null
  readonly flags: unknown
  readonly isParentThere: boolean
}): boolean {
  if (parent === null) return true
  if (typeof flags === 'number' && (flags & HAS_REMOTE) !== 0) return (flags & IS_REMOTE) !== 0
  return (kind === 'server' || kind === 'consumer') && !isParentThere
}

const PLATFORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ nodejs: 'node', webjs: 'javascript', dotnet: 'csharp', cpp: 'native', swift: 'cocoa' },
    ...{ erlang: 'elixir', python: 'python', java: 'java', go: 'go', ruby: 'ruby', php: 'php', rust: 'rust' },
  }),
)

/** By the language of the SDK. */
export function platformOf(resource: Attributes): string {
  return PLATFORMS.get(textAttribute(resource, 'telemetry.sdk.language') ?? '') ?? 'other'
}

const THRESHOLD = /(?:^|,)\s*ot=(?:[^,]*;)?th:([0-9a-f]{1,14})(?:[;,]|$)/

/** Share of the traces that the sampler sends, as consistent probability sampling writes it; `null` where it is not said. */
export function sampleRateOf(traceState: unknown): number | null {
  const digits = typeof traceState === 'string' ? THRESHOLD.exec(traceState.slice(0, 512))?.[1] : undefined
  if (digits === undefined) return null
  return 1 - Number.parseInt(digits.padEnd(14, '0'), 16) / 2 ** 56
}
