/** Exports of OpenTelemetry: as JSON, and the same as protobuf. */
import assert from 'node:assert/strict'
import { otlpEnvelope } from '@errata/protocol'
import { isObject } from '#base/json.ts'
import { spanId, TRACE } from './spans.ts'
import { NOW } from './times.ts'

interface OtlpSpanParts {
  /** Id of one or two hex characters; the rest is filled up. */
  readonly id: string
  readonly parent?: string
  readonly name?: string
  readonly kind?: number
  readonly status?: number
  readonly flags?: number
  /** Milliseconds from `NOW`. */
  readonly at?: number
  readonly ms?: number
  readonly trace?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

export function anOtlpSpan(parts: OtlpSpanParts) {
  const { id, parent, name = 'GET /prices/{sku}', kind = 1, status, flags, at = 0, ms = 100 } = parts
  return {
    ...{ traceId: parts.trace ?? TRACE, spanId: spanId(id) },
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    ...{ name, kind, startTimeUnixNano: `${NOW + at}000000`, endTimeUnixNano: `${NOW + at + ms}000000` },
    attributes: pairsOf(parts.attributes ?? {}),
    ...(status === undefined ? {} : { status: { code: status } }),
    ...(flags === undefined ? {} : { flags }),
  }
}

/** `ExportTraceServiceRequest` of one service. */
export function anOtlpExport(
  spans: readonly unknown[],
  resource: Readonly<Record<string, string | number | boolean>> = { 'service.name': 'prices' },
) {
  const scopeSpans = [{ scope: { name: 'prices.web', version: '1.4.0' }, spans }]
  return { resourceSpans: [{ resource: { attributes: pairsOf(resource) }, scopeSpans }] }
}

/** Builds the envelope of an export that came as JSON, as the journal holds it. */
export function anOtlpEnvelope(sent: ReturnType<typeof anOtlpExport>): Uint8Array {
  const envelope = otlpEnvelope(Buffer.from(JSON.stringify(sent)), 'application/json')
  assert.ok(envelope !== null)
  return envelope
}

function pairsOf(attributes: Readonly<Record<string, string | number | boolean>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }))
}

function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Number and form of each field, by the message that it is of. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, readonly [number: number, form: string]>>>> =
  {
    request: { resourceSpans: [1, 'resourceSpans'] },
    resourceSpans: { resource: [1, 'resource'], scopeSpans: [2, 'scopeSpans'] },
    resource: { attributes: [1, 'pair'] },
    scopeSpans: { scope: [1, 'scope'], spans: [2, 'span'] },
    scope: { name: [1, 'text'], version: [2, 'text'] },
    span: {
      ...{ traceId: [1, 'id'], spanId: [2, 'id'], traceState: [3, 'text'], parentSpanId: [4, 'id'] },
      ...{ name: [5, 'text'], kind: [6, 'varint'], startTimeUnixNano: [7, 'fixed64'] },
      ...{
        endTimeUnixNano: [8, 'fixed64'],
        attributes: [9, 'pair'],
        status: [15, 'status'],
        flags: [16, 'fixed32'],
      },
    },
    pair: { key: [1, 'text'], value: [2, 'value'] },
    value: {
      ...{ stringValue: [1, 'text'], boolValue: [2, 'varint'], intValue: [3, 'varint'] },
      doubleValue: [4, 'double'],
    },
    status: { code: [3, 'varint'] },
  }

/** Encodes what `anOtlpExport` makes in protobuf. */
export function protobufOf(value: unknown, message = 'request'): Buffer {
  if (!isObject(value)) return Buffer.alloc(0)
  const parts = Object.entries(value).flatMap(([name, said]) => {
    const [number, form] = MESSAGES[message]?.[name] ?? []
    if (number === undefined || form === undefined) throw new Error(`${message} has no field ${name}`)
    return (Array.isArray(said) ? said : [said]).map((one: unknown) => fieldOf(number, form, one))
  })
  return Buffer.concat(parts)
}

function fieldOf(number: number, form: string, value: unknown): Buffer {
  const tag = (wireType: number) => varint(BigInt(number * 8 + wireType))
  if (form === 'varint') return Buffer.concat([tag(0), varint(BigInt(Number(value)))])
  const fixed = Buffer.alloc(form === 'fixed32' ? 4 : 8)
  if (form === 'fixed64') fixed.writeBigUInt64LE(BigInt(String(value)))
  if (form === 'double') fixed.writeDoubleLE(Number(value))
  if (form === 'fixed64' || form === 'double') return Buffer.concat([tag(1), fixed])
  if (form === 'fixed32') {
    fixed.writeUInt32LE(Number(value))
    return Buffer.concat([tag(5), fixed])
  }
  const bytes =
    form === 'text'
      ? Buffer.from(String(value))
      : form === 'id'
        ? Buffer.from(String(value), 'hex')
        : protobufOf(value, form)
  return Buffer.concat([tag(2), varint(BigInt(bytes.length)), bytes])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, value)
  while (left >= 0x80n) {
    bytes.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  }
  return Buffer.from([...bytes, Number(left)])
}
