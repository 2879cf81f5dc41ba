import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, sendEnvelope } from '#testing/worlds/api.ts'

const SECONDS = (NOW - HOUR) / 1_000
const TRACE = { trace_id: 'c'.repeat(32), span_id: 'e'.repeat(16) }
const SDK = { name: 'sentry.javascript.tanstackstart-react', version: '10.75.2' }

const enveloped = (type: string, payload: object) =>
  Buffer.from([{}, { type }, payload].map((line) => JSON.stringify(line)).join('\n'))

function failed(id: string, message: string) {
  const request = { method: 'GET', url: `https://shop.example/_serverFn/${id}`, headers: {} }
  const values = [{ type: 'Error', value: message, mechanism: { type: 'generic', handled: false } }]
  return enveloped(
    'event',
    anError({
      ...{ platform: 'node', timestamp: SECONDS, user: undefined, sdk: SDK, contexts: { trace: TRACE } },
      ...{ transaction: `GET /_serverFn/${id}`, request, exception: { values } },
    }),
  )
}

/** The request, with the span that says the function's name. */
function request(id: string, name: string) {
  const times = { start_timestamp: SECONDS, timestamp: SECONDS + 0.01 }
  const data = { 'http.url': `https://shop.example/_serverFn/${id}`, 'tanstackstart.function.id': id }
  const own = { ...TRACE, ...times, parent_span_id: TRACE.span_id, span_id: 'f'.repeat(16), data }
  return enveloped('transaction', {
    ...{ event_id: 'd'.repeat(32), type: 'transaction', platform: 'node', ...times, sdk: SDK },
    transaction: `GET /_serverFn/${id}`,
    transaction_info: { source: 'url' },
    contexts: { trace: { ...TRACE, op: 'http.server', data: { ...data, 'http.request.method': 'GET' } } },
    spans: [{ ...own, op: 'function.tanstackstart', description: `GET /_serverFn/${name}` }],
  })
}

async function culprits(...envelopes: readonly Uint8Array[]) {
  const shop = await openShop()
  try {
    for (const envelope of envelopes) await sendEnvelope(shop, shop.dsn, envelope)
    const found = async (query: string) => {
      const path = `/organizations/acme/issues/?query=${encodeURIComponent(query)}`
      const { body } = await callerOf(shop)(shop.token, `GET ${path}`)
      const listed: readonly { readonly culprit: string }[] = JSON.parse(JSON.stringify(body))
      return listed.map(({ culprit }) => culprit).sort()
    }
    return { all: await found(''), byName: await found('getBoat') }
  } finally {
    await shop.close()
  }
}

const [ID, OTHER] = ['a1'.repeat(32), 'b2'.repeat(32)]

describe('an issue of a server function', () => {
  it('has the name of its function once a request tells it, and is found by that', async () => {
    const named = await culprits(failed(ID, 'no boat'), failed(OTHER, 'no tide'), request(ID, 'getBoat'))
    assert.deepEqual(named, {
      all: [`GET /_serverFn/${OTHER}`, 'GET /_serverFn/getBoat'],
      byName: ['GET /_serverFn/getBoat'],
    })
  })

  it('has it where the request came first', async () => {
    const { all } = await culprits(request(ID, 'getBoat'), failed(ID, 'no boat'))
    assert.deepEqual(all, ['GET /_serverFn/getBoat'])
  })
})
