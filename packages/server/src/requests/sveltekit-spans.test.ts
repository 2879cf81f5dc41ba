/** Requests of SvelteKit as SDK 11 tells them: status and names on children alone, operations that say nothing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { anEnvelope, processRecords, storedFragments } from '#testing/builders/records.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

interface Request {
  readonly name: string
  readonly attributes: Attributes
  readonly op?: string
  readonly sdk?: string
  /** `within`: place of the child that it is below; of the request's own span where none is said. */
  readonly children?: readonly (readonly [name: string, attributes: Attributes, within?: number])[]
}

const resolve = (status: number) => ['sveltekit.resolve', { 'http.response.status_code': status }] as const

/** `kind route method status end action`. */
function told({ name, attributes, op = 'http.server', sdk = 'sveltekit', children = [] }: Request): string {
  const own = {
    ...{ 'sentry.sdk.name': `sentry.javascript.${sdk}`, 'sveltekit.is_data_request': false },
    ...{ 'sveltekit.is_sub_request': false, 'sentry.op': op, ...attributes },
  }
  const spans = [
    aSpan({ id: 'a', isSegment: true, segment: 'a', op, name, attributes: own }),
    ...children.map(([child, said, within], at) =>
      aSpan({
        ...{
          id: 'bcdef'[at] ?? 'f',
          parent: 'bcdef'[within ?? -1] ?? 'a',
          segment: 'a',
          op: 'function',
          name: child,
        },
        attributes: { 'sentry.op': 'function', ...said },
      }),
    ),
  ]
  const [first] = storedFragments(processRecords([anEnvelope(spanEnvelope(spans))]))
  assert.ok(first !== undefined)
  const { requestKind, route, method, httpStatus, end, action } = first.row as FragmentRow // the kind asked for
  return [requestKind, route, method, httpStatus, end, action].map((fact) => fact ?? '–').join(' ')
}

const page = (url: string, change: Attributes = {}) => ({
  ...{ 'http.method': 'GET', 'http.route': '/orders/[id]', 'http.url': `http://a.example${url}` },
  ...{ 'http.request.header.sec-fetch-dest': 'document', ...change },
})
const DATA = page('/orders/7', {
  'sveltekit.is_data_request': true,
  'http.request.header.sec-fetch-dest': 'empty',
})
const THROWN = ['sveltekit.load', { 'sveltekit.load.result.type': 'unknown_error' }] as const
const MISSING = [
  'sveltekit.load',
  { 'sveltekit.load.result.type': 'known_error', 'sveltekit.load.result.status': 404 },
] as const

describe('requests of SvelteKit, told by SDK 11', () => {
  it('have the status of what resolved them', () => {
    const document = (status: number) =>
      told({ name: 'GET /orders/[id]', attributes: page('/orders/7'), children: [resolve(status)] })
    assert.equal(document(200), 'document /orders/[id] GET 200 answered –')
    assert.equal(document(404), 'document /orders/[id] GET 404 answered –')
    assert.equal(document(500), 'document /orders/[id] GET 500 failed –')
  })

  it('failed behind 200 where a load threw, and not where it said so itself', () => {
    const data = (...children: NonNullable<Request['children']>) =>
      told({ name: 'GET /orders/[id]', attributes: DATA, children })
    assert.equal(data(resolve(200), THROWN), 'page-data /orders/[id] GET 200 failed-behind-200 –')
    assert.equal(data(THROWN, resolve(200)), 'page-data /orders/[id] GET 200 failed-behind-200 –')
    assert.equal(data(resolve(200), MISSING), 'page-data /orders/[id] GET 200 answered –')
    assert.equal(data(resolve(200)), 'page-data /orders/[id] GET 200 answered –')
  })

  it('failed behind 200 where a load says 503 itself', () => {
    const closed = { 'sveltekit.load.result.type': 'known_error', 'sveltekit.load.result.status': 503 }
    const data = [resolve(200), ['sveltekit.load', closed]] as const
    assert.equal(
      told({ name: 'GET /orders/[id]', attributes: DATA, children: data }),
      'page-data /orders/[id] GET 200 failed-behind-200 –',
    )
  })

  it('are what they are where a load asks the app’s own endpoint, whatever that answers', () => {
    const asked = (status: number) =>
      [
        ['sveltekit.load', {}],
        ['GET /api/stock', { 'sveltekit.is_sub_request': true, 'http.route': '/api/stock' }, 0],
        [...resolve(status), 1],
        ['sveltekit.endpoint', { 'http.route': '/api/stock' }, 2],
        resolve(200),
      ] as const
    for (const status of [200, 500]) {
      const children = asked(status)
      assert.equal(
        told({ name: 'GET /orders/[id]', attributes: page('/orders/7'), children }),
        'document /orders/[id] GET 200 answered –',
      )
      assert.equal(
        told({ name: 'GET /orders/[id]', attributes: DATA, children }),
        'page-data /orders/[id] GET 200 answered –',
      )
    }
  })

  it('are actions by name: forms and commands', () => {
    const attributes = page('/orders/7', { 'http.method': 'POST' })
    const form = ['sveltekit.form_action', { 'sveltekit.form_action.name': 'checkout' }] as const
    const called = { 'sveltekit.remote.call.type': 'command', 'sveltekit.remote.call.name': 'reserve' }
    const command = ['sveltekit.remote.call', called] as const
    const posted = (child: typeof form | typeof command) =>
      told({ name: 'POST /orders/[id]', attributes, children: [resolve(200), child] })
    assert.equal(posted(form), 'action /orders/[id] POST 200 answered checkout')
    assert.equal(posted(command), 'action /orders/[id] POST 200 answered reserve')
  })

  it('are page data where a remote query has neither operation nor route', () => {
    const attributes = { 'http.method': 'GET', 'http.route': 'unknown', 'http.url': '/_app/remote/1q/stock' }
    for (const op of ['', 'default', 'http'])
      assert.equal(
        told({ name: 'sveltekit.handle.root', attributes, op, children: [resolve(200)] }),
        'page-data /_app/remote/1q/stock GET 200 answered –',
        op,
      )
  })

  it('say nothing of other frameworks', () => {
    const request = { name: 'GET /orders/[id]', attributes: page('/orders/7'), sdk: 'nextjs' }
    assert.equal(
      told({ ...request, children: [resolve(500), THROWN] }),
      'document /orders/[id] GET – answered –',
    )
  })
})
