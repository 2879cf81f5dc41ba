import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { PublicAddress } from '#base/public-address.ts'
import { aNotice } from '#testing/builders/notice.ts'
import { NOW } from '#testing/builders/times.ts'
import { ERRATA_URL, type Hook, KEY, openHook } from '#testing/notices/receivers.ts'
import { createSend } from '../deliver.ts'
import { STOPPED } from './attempt.ts'
import { attemptOf, type CallOptions, createGuardedCall, type GuardedCall } from './guarded-call.ts'

const signal = new AbortController().signal
const hooks: Hook[] = []
after(() => Promise.all(hooks.map((hook) => hook.close())))

async function hookOf(...args: Parameters<typeof openHook>): Promise<Hook> {
  const hook = await openHook(...args)
  hooks.push(hook)
  return hook
}

const callWith = async (options: CallOptions, given: GuardedCall) =>
  attemptOf(await createGuardedCall(options)(given))
const call = (url: string, options: CallOptions = { privateTargets: true }) =>
  callWith(options, { url, body: '{}', headers: { 'content-type': 'application/json' }, signal })

describe('webhooks', () => {
  it('sends signed JSON that names the notice', async () => {
    const hook = await hookOf()
    const send = createSend({
      smtp: null,
      privateTargets: true,
      publicAddress: new PublicAddress({ url: ERRATA_URL, port: 0 }),
      version: '1.2.3',
      clock: manualClock(NOW),
    })
    const secret = 'not a real secret'
    const to = { channel: 'webhook' as const, url: hook.url('/hook?team=web'), secret }
    const attempt = await send({ to, key: KEY, tries: 2, notice: aNotice(), signal })
    assert.deepEqual(attempt, { outcome: 'sent', says: 'Answered 204.' })
    const [got] = hook.calls
    assert.ok(got !== undefined)
    assert.deepEqual([got.method, got.url], ['POST', '/hook?team=web'])
    assert.equal(got.headers['content-type'], 'application/json')
    assert.equal(got.headers['user-agent'], 'Errata/1.2.3')
    assert.equal(got.headers['errata-notice'], KEY)
    assert.equal(got.headers['errata-try'], '2')
    const hex = createHmac('sha256', secret)
      .update(`${NOW / 1_000}.${got.body}`)
      .digest('hex')
    assert.equal(got.headers['errata-signature'], `t=${NOW / 1_000},v1=${hex}`)
    assert.ok(!got.body.includes(secret))
    assert.deepEqual(JSON.parse(got.body), {
      version: 1,
      id: KEY,
      kind: 'new',
      at: '2026-11-16T12:00:00.000Z',
      text: 'SHOP-12 is new: TypeError: total is undefined',
      url: `${ERRATA_URL}/acme/issues/SHOP-12`,
      installation: ERRATA_URL,
      organisation: 'acme',
      project: { id: 7, slug: 'shop', name: 'Shop' },
      issue: {
        shortId: 'SHOP-12',
        title: 'TypeError: total is undefined',
        culprit: 'app/cart.ts in total',
        level: 'error',
        summary: 'Server-side exception, digest 2674428404, in a server action on /orders/[id]',
        side: 'server',
        digest: '2674428404',
        isMirror: false,
        requestKind: 'action',
        route: '/orders/[id]',
        environment: 'production',
        release: 'shop@2.0.1',
        eventId: '1'.repeat(32),
        traceId: '2'.repeat(32),
        traceUrl: `${ERRATA_URL}/acme/traces/${'2'.repeat(32)}`,
        events: 1_284,
        users: 3,
        firstSeen: '2026-11-16T12:00:00.000Z',
        lastSeen: '2026-11-16T12:00:00.000Z',
      },
      more: null,
    })
  })

  it('follows no redirect, and says so', async () => {
    const target = await hookOf()
    const hook = await hookOf((_, response) => response.writeHead(302, { location: target.url() }).end())
    const attempt = await call(hook.url())
    assert.deepEqual(attempt, { outcome: 'refused', says: 'Answered 302: redirects are not followed.' })
    assert.equal(target.calls.length, 0)
  })

  it('tries again what may pass, and gives up what will not', async () => {
    for (const [status, outcome] of [
      [200, 'sent'],
      [299, 'sent'],
      [400, 'refused'],
      [404, 'refused'],
      [408, 'failed'],
      [410, 'refused'],
      [429, 'failed'],
      [500, 'failed'],
      [503, 'failed'],
    ] as const) {
      const hook = await hookOf((_, response) => response.writeHead(status).end())
      assert.equal((await call(hook.url())).outcome, outcome, String(status))
    }
  })

  it('keeps nothing of the answer’s body, however much there is', async () => {
    const hook = await hookOf((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.on('error', () => {})
      const pour = () => {
        while (!response.destroyed && response.write('internal secret '.repeat(1_000))) {
          // until the socket is full
        }
      }
      response.on('drain', pour)
      pour()
    })
    assert.deepEqual(await call(hook.url()), { outcome: 'failed', says: 'Answered 500.' })
  })

  it('waits no longer than it may', async () => {
    const hook = await hookOf(() => {})
    const attempt = await call(hook.url(), { privateTargets: true, timeoutMs: 50 })
    assert.equal(attempt.outcome, 'failed')
    assert.match(attempt.says, /^No answer within/)
    const never = { privateTargets: true, timeoutMs: 50, resolve: () => new Promise<never>(() => {}) }
    assert.match((await call('http://slow.example/', never)).says, /^No answer within/)
  })

  it('says what is wrong without naming an address', async () => {
    const gone = await openHook()
    await gone.close()
    assert.equal((await call(gone.url())).says, 'The connection was refused.')
    const resolve = async () => Promise.reject(Object.assign(new Error('10.9.8.7'), { code: 'ENOTFOUND' }))
    const unknown = await call('http://unknown.example/', { privateTargets: false, resolve })
    assert.deepEqual(unknown, { outcome: 'failed', says: 'The host name is unknown.' })
    const hook = await hookOf((request) => request.socket.destroy())
    assert.equal((await call(hook.url())).says, 'The connection was closed without an answer.')
  })

  it('calls no private network unless the operator allows it', async () => {
    const hook = await hookOf()
    const literal = await call(hook.url(), { privateTargets: false })
    assert.deepEqual([literal.outcome, hook.calls.length], ['refused', 0])
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::a00:1',
    ]) {
      const resolve = async () => [
        { address: '1.1.1.1', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]
      const options = { privateTargets: false, resolve }
      const attempt = await call(`http://rebound.example:${hook.port}/`, options)
      assert.equal(attempt.outcome, 'refused', `one of its addresses is ${address}`)
      assert.match(attempt.says, /private network/)
    }
    assert.equal(hook.calls.length, 0)
  })

  it('calls no public address that this machine has at the time of the call', async () => {
    const own = ['1.1.1.1', '2606:4700::1']
    const options = (address: string) => ({
      privateTargets: false,
      ownAddresses: () => own,
      resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }],
    })
    const refused = async (url: string, address: string) => {
      const attempt = await call(url, options(address))
      assert.equal(attempt.outcome, 'refused', url)
      assert.match(attempt.says, /this machine/)
    }
    await refused('http://errata.example:9000/', '1.1.1.1')
    await refused('http://errata.example/', '2606:4700:0:0:0:0:0:1')
    await refused('http://1.1.1.1/', 'never asked')
    own.push('8.8.8.8')
    await refused('http://errata.example/', '8.8.8.8')
  })

  it('connects to the address it checked and looks the name up once', async () => {
    const hook = await hookOf()
    let asked = 0
    const resolve = async () => {
      asked++
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    }
    const attempt = await call(`http://pinned.example:${hook.port}/`, { privateTargets: true, resolve })
    assert.deepEqual([attempt.outcome, asked], ['sent', 1])
    assert.equal(hook.calls[0]?.headers.host, `pinned.example:${hook.port}`)
  })

  it('stops when Errata stops', async () => {
    const stop = new AbortController()
    const hook = await hookOf(() => stop.abort())
    const attempt = await callWith(
      { privateTargets: true },
      {
        url: hook.url(),
        body: '{}',
        headers: {},
        signal: stop.signal,
      },
    )
    assert.deepEqual(attempt, STOPPED)
  })
})
