import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anOtlpExport, anOtlpSpan, protobufOf } from '#testing/builders/otlp.ts'
import { aSpansContext, spanId, TRACE } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { readOtlp } from './otlp.ts'
import { mayBeSpelledOtherwise, respellKeys } from './otlp-spelling.ts'

const said = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }))
const recorded = (name: string, attributes: Readonly<Record<string, string>>) => ({
  ...{ timeUnixNano: `${NOW + 10}000000`, name, attributes: said(attributes) },
})
const thrown = (type: string, message: string, more: Readonly<Record<string, string>> = {}) =>
  recorded('exception', { 'exception.type': type, 'exception.message': message, ...more })

describe('exceptions on spans of OpenTelemetry', () => {
  it('are events, with trace, release, route and stack, and with what their span recorded before', () => {
    const stack =
      'Traceback (most recent call last):\n  File "/app/pay.py", line 17, in pay\n    raise E\nE: no'
    const span = {
      ...anOtlpSpan({
        id: 'a',
        kind: 2,
        status: 2,
        attributes: { 'http.route': '/pay', 'url.full': 'https://shop.test/pay' },
      }),
      events: [
        thrown('KeyError', 'first one'),
        recorded('retry', { attempt: '2' }),
        thrown('E', 'no', { 'exception.stacktrace': stack }),
      ],
    }
    const resource = {
      'service.version': 'shop@1',
      'telemetry.sdk.language': 'python',
      'deployment.environment.name': 'production',
    }
    const { exceptions, fragments } = readOtlp(anOtlpExport([span], resource), aSpansContext())
    assert.equal(exceptions.length, 1)
    const [last] = exceptions as readonly Record<string, never>[]
    assert.deepEqual(last?.exception, {
      values: [
        {
          ...{ type: 'E', value: 'no', mechanism: { type: 'otel.exception', handled: false } },
          stacktrace: {
            frames: [
              {
                ...{ function: 'pay', abs_path: '/app/pay.py', filename: 'pay.py', lineno: 17 },
                context_line: 'raise E',
              },
            ],
          },
        },
      ],
    })
    const crumbs = last?.breadcrumbs as unknown as { values: readonly { message: string }[] } | undefined
    assert.deepEqual(
      crumbs?.values.map(({ message }) => message),
      ['KeyError: first one', 'retry'],
    )
    const { contexts, release, environment, transaction, platform, request } = last as unknown as Record<
      string,
      Record<string, unknown>
    >
    assert.deepEqual(contexts?.trace, {
      trace_id: TRACE,
      span_id: spanId('a'),
      parent_span_id: undefined,
      op: 'default',
    })
    assert.deepEqual(
      [release, environment, transaction, platform],
      ['shop@1', 'production', '/pay', 'python'],
    )
    assert.deepEqual(request, { url: 'https://shop.test/pay', method: null })
    const events = fragments[0]?.spans[0]?.attributes?.['span.events']
    assert.deepEqual(events, [
      '+10.0 ms  exception  exception.type=KeyError  exception.message=first one',
      '+10.0 ms  retry  attempt=2',
      '+10.0 ms  exception  exception.type=E  exception.message=no',
    ])
  })

  it('are one event where several spans of a trace recorded the same', () => {
    const spans = ['a', 'b'].map((id) => ({ ...anOtlpSpan({ id, kind: 2 }), events: [thrown('E', 'no')] }))
    const ids = readOtlp(anOtlpExport(spans), aSpansContext()).exceptions.map(({ event_id: id }) => id)
    assert.deepEqual([ids.length, new Set(ids).size], [2, 1])
    assert.match(String(ids[0]), /^[0-9a-f]{32}$/)
  })

  it('are bounded, and further ones are counted', () => {
    const most = max('otlpExceptionsMax')
    const spans = Array.from({ length: 150 }, (_, at) => ({
      ...anOtlpSpan({ id: (at + 256).toString(16).slice(-2) }),
      events: [thrown('E', `number ${at}`)],
    }))
    const answer = readOtlp(anOtlpExport(spans), aSpansContext())
    assert.deepEqual([answer.exceptions.length, answer.exceptionsBeyond], [most, 50])
  })

  it('are the same in protobuf', () => {
    const sent = anOtlpExport([{ ...anOtlpSpan({ id: 'a' }) }])
    assert.deepEqual(readOtlp(sent, aSpansContext()).exceptions, [])
    assert.ok(protobufOf(sent).length > 0)
  })
})

describe('spellings of an export in JSON', () => {
  const span = {
    ...anOtlpSpan({ id: 'a', parent: 'b', attributes: { user_id: 'x', ratio: 0.5 } }),
    events: [thrown('E', 'no')],
  }
  const sent = anOtlpExport([span])
  const snake = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(snake)
    if (typeof value !== 'object' || value === null) return value
    const name = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [name(key), snake(one)]))
  }
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

  for (const [what, other] of [
    ['names of the schema', snake(sent)],
    ['both mixed', { resourceSpans: [snake(sent.resourceSpans[0])] }],
    [
      'instrumentation libraries',
      {
        resourceSpans: sent.resourceSpans.map(({ resource, scopeSpans }) => ({
          resource,
          instrumentationLibrarySpans: scopeSpans.map(({ scope, spans }) => ({
            instrumentationLibrary: scope,
            spans,
          })),
        })),
      },
    ],
    [
      'ids in base64',
      anOtlpExport([
        {
          ...span,
          traceId: base64(span.traceId),
          spanId: base64(span.spanId),
          parentSpanId: base64(span.parentSpanId ?? ''),
        },
      ]),
    ],
    ['an enum as a text', anOtlpExport([{ ...span, kind: 'SPAN_KIND_INTERNAL' }])],
  ] as const)
    it(`read ${what} alike`, () => {
      const raw = mayBeSpelledOtherwise(Buffer.from(JSON.stringify(other))) ? respellKeys(other) : other
      assert.deepEqual(readOtlp(raw, aSpansContext()), readOtlp(sent, aSpansContext()))
    })

  it('count an export in which no spans were found among what nobody knows', () => {
    const refused = (raw: unknown) => readOtlp(raw, aSpansContext()).refused.map(({ reason }) => reason)
    for (const empty of [{}, { resourceSpans: [] }, anOtlpExport([])]) assert.deepEqual(refused(empty), [])
    for (const odd of [
      { spans: [span] },
      { resourceSpans: [{ scopes: [] }] },
      { resourceSpans: [{ scopeSpans: [{ items: [span] }] }] },
      [],
    ])
      assert.deepEqual(refused(odd), ['no_spans'])
  })
})
