import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { type NormalizeContext, normalizeEvent } from './normalize.ts'

const CONTEXT: NormalizeContext = {
  ...{ eventId: null, receivedMs: Date.parse('2026-11-21T10:00:00Z'), sentAt: null },
  ...{
    clientAddress: '203.0.113.9',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    sdk: null,
    client: null,
  },
}

/** Shaped like an event as a whole, anything at each place. */
const FIELDS =
  `event_id timestamp level platform logger transaction server_name release dist environment message logentry
  exception threads stacktrace breadcrumbs request user tags extra contexts modules sdk fingerprint debug_meta errors
  _meta sentry.interfaces.Http sentry.interfaces.User __proto__ constructor type`.split(/\s+/)
const INNER =
  `values frames type value mechanism stacktrace filename lineno vars pre_context context_line data headers
  cookies url query_string env ip_address id name version settings params formatted message arguments __proto__ 0`.split(
    /\s+/,
  )

const anything = (longest: string) =>
  fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'medium' },
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('\ud800', '\0', 'a', '%', '{', '}', '=') }),
        fc.double(),
        fc.integer(),
        fc.boolean(),
        fc.constantFrom(
          null,
          undefined,
          '{{auto}}',
          '2026-11-21T09:00:00Z',
          1795238308.446,
          longest,
          NaN,
          -0,
        ),
      ),
      fc.array(tie('any'), { maxLength: 6 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...INNER), fc.string()), tie('any'), {
        maxKeys: 6,
        noNullPrototype: true,
      }),
    ),
  })).any
const eventLike = (longest: string) =>
  fc.dictionary(fc.constantFrom(...FIELDS), anything(longest), { maxKeys: 12, noNullPrototype: true })

function check(raw: unknown): NormalizedEvent | null {
  const answer = normalizeEvent(raw, CONTEXT)
  if (!answer.ok) return null
  const { event } = answer
  const text = JSON.stringify(event)
  assert.ok(text.isWellFormed(), 'a lone surrogate came through')
  assert.ok(!text.includes('\\u0000'), 'a NUL came through')
  assert.ok(event.problems.length <= max('problemsMax'))
  assert.ok(event.tags.length <= max('tagsMax'))
  assert.ok((event.breadcrumbs?.values.length ?? 0) <= max('breadcrumbsMax'))
  assert.ok((event.exception?.values.length ?? 0) <= max('exceptionsMax'))
  assert.ok(Number.isFinite(event.timestamp) && event.timestamp > 0)
  assert.match(event.event_id, /^[0-9a-f]{32}$/)
  assert.ok(['fatal', 'error', 'warning', 'info', 'debug'].includes(event.level))
  for (const [key, value] of event.tags)
    assert.ok(key !== '' && key.length <= 200 && value !== '' && value.length <= 200)
  return event
}

test('any JSON value is an event within bounds or refused; nothing throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (raw) => void check(raw)),
    { numRuns: PROPERTY_RUNS },
  )
  fc.assert(
    fc.property(eventLike('x'.repeat(20_000)), (raw) => void check(raw)),
    { numRuns: PROPERTY_RUNS },
  )
})

test('normalising a normalised event keeps its meaning', () => {
  fc.assert(
    fc.property(eventLike('short'), (raw) => {
      const once = check(raw)
      if (once === null) return
      const { problems: _problems, other: _other, ...meaning } = once
      const twice = check(JSON.parse(JSON.stringify({ ...meaning, event_id: once.event_id })))
      assert.ok(twice !== null)
      const { problems: _again, other: _rest, ...same } = twice
      assert.deepEqual(JSON.parse(JSON.stringify(same)), JSON.parse(JSON.stringify(meaning)))
    }),
    { numRuns: PROPERTY_RUNS },
  )
})

test('a text of which nothing can be kept is no text', () => {
  const event = check({ stacktrace: [{ filename: '\ud800', function: 'run' }], transaction: '\ud800' })
  assert.deepEqual(event?.stacktrace?.frames, [{ function: 'run' }])
  assert.equal(event?.transaction, undefined)
})

test('two megabytes of keys cost a bounded time and come out bounded', () => {
  const extra: Record<string, unknown> = {}
  for (let at = 0; at < 120_000; at++) extra[`key${at}`] = at
  const startedMs = cpuMs()
  const event = check({ extra, contexts: { a: extra }, tags: extra, modules: extra, user: { data: extra } })
  // A walk that looked at every key again for each of them would take hours.
  assert.ok(cpuMs() - startedMs < 20_000)
  assert.ok(JSON.stringify(event).length < 1_000_000)
})
