/** Shapes that Next.js, React Router, TanStack Start and middleware call; Node's frameworks are tried in tests/sdk. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { anEnvelope, Monitor } from '../../testing/monitor.ts'
import { relay as expressRelay } from './express.ts'
import { relayApiRoute, relayProxy, relayRoute } from './next.ts'
import { relayAction } from './react-router.ts'
import { relayHandlers } from './tanstack-start.ts'

const post = (body: string, path = '/monitoring?o=shop&p=web', headers: Record<string, string> = {}) =>
  new Request(`https://shop.example${path}`, { method: 'POST', body, headers })

/** Handlers of each framework that speaks `Request` and `Response`. */
const WEB: Readonly<Record<string, (dsn: string) => (request: Request) => Promise<Response> | undefined>> = {
  'the route handler of Next.js': (dsn) => relayRoute({ dsn }).POST,
  'proxy.ts of Next.js': (dsn) => relayProxy({ dsn }),
  'the action of React Router': (dsn) => {
    const action = relayAction({ dsn })
    return (request) => action({ request })
  },
  'the handlers of TanStack Start': (dsn) => {
    const { POST } = relayHandlers({ dsn })
    return (request) => POST({ request })
  },
}

for (const [name, make] of Object.entries(WEB)) {
  describe(name, () => {
    it('relays, with the address that the app’s proxy appended', async () => {
      await using monitor = await new Monitor().start()
      const body = anEnvelope(monitor.dsn)
      const answer = await make(monitor.dsn)(
        post(body, '/monitoring', { 'x-forwarded-for': '6.6.6.6, 198.51.100.4' }),
      )
      assert.equal(answer?.status, 200)
      assert.equal(monitor.taken[0]?.body.toString(), body)
      assert.equal(monitor.taken[0]?.headers['x-forwarded-for'], '198.51.100.4')
    })
  })
}

describe('OPTIONS', () => {
  it('is answered without a grant, by the frameworks that ask for it by name', async () => {
    const dsn = 'https://k@h.example/42'
    const asked = new Request('https://shop.example/monitoring', { method: 'OPTIONS' })
    for (const answer of [
      await relayRoute({ dsn }).OPTIONS(asked),
      await relayHandlers({ dsn }).OPTIONS({ request: asked }),
    ]) {
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [204, null])
    }
  })
})

describe('proxy.ts of Next.js', () => {
  it('leaves every other path, and the body, to the app', async () => {
    const request = post('own', '/cart')
    assert.equal(relayProxy({ dsn: 'https://k@h.example/42' })(request), undefined)
    assert.equal(await request.text(), 'own')
  })

  it('answers at the path that `tunnel: true` makes', () => {
    const proxy = relayProxy({ dsn: 'https://k@h.example:8443/a/b/42' })
    assert.notEqual(proxy(post('', '/tdecpq')), undefined)
  })
})

type Listener = (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => unknown

async function served(listener: Listener, body: string): Promise<Response> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  try {
    return await fetch(`http://127.0.0.1:${address.port}/monitoring`, { method: 'POST', body })
  } finally {
    server.close()
  }
}

describe('an API route of Next.js', () => {
  it('relays what has not been parsed', async () => {
    await using monitor = await new Monitor().start()
    const route = relayApiRoute({ dsn: monitor.dsn })
    const answer = await served((request, response) => {
      request.headers['x-forwarded-for'] = '198.51.100.4' // as Next.js does
      return route(request, response)
    }, anEnvelope(monitor.dsn))
    assert.equal(answer.status, 200)
    assert.equal(monitor.taken[0]?.headers['x-forwarded-for'], '198.51.100.4')
  })
})

describe('a body that the app has read', () => {
  const parsers: readonly [name: string, parse: (text: string) => unknown, status: number][] = [
    ['as text is relayed', (text) => text, 200],
    ['as bytes is relayed', (text) => Buffer.from(text), 200],
    ['as anything else is refused, and says why', () => ({}), 500],
  ]
  for (const [name, parse, status] of parsers) {
    it(name, async () => {
      await using monitor = await new Monitor().start()
      const relay = expressRelay({ dsn: monitor.dsn })
      const answer = await served(async (request, response) => {
        const chunks: string[] = []
        for await (const chunk of request) chunks.push(String(chunk))
        request.body = parse(chunks.join(''))
        relay(request, response, () => assert.fail('it was left to the app'))
      }, anEnvelope(monitor.dsn))
      assert.equal(answer.status, status)
      assert.equal(monitor.taken.length, status === 200 ? 1 : 0)
      if (status === 500) assert.match(await answer.text(), /parsed before the relay/)
    })
  }
})
