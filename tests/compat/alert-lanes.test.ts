/** Alerts reach whoever is there, whoever else is down: the built product, a mail server that fails in each way, calls that hang. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, it } from 'node:test'
import { SCOPES } from '@errata/server/access'
import { anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { type Hook, openHook, openPost } from '../../packages/server/testing/notices/receivers.ts'
import { apiGet } from '../support/api.ts'
import { signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import {
  keyIsKnown,
  OWNER,
  type RunningErrata,
  type SetUp,
  serve,
  startShop,
} from '../support/start-errata.ts'
import { makeToken } from '../support/two-organisations.ts'
import { waitFor } from '../support/wait-for.ts'

/** From event to delivery, with everything else down. The promise is 4 s undisturbed; the machine may be busy. */
const WITHIN_MS = 8_000
const HANGING = 6

const MAIL: Readonly<Record<string, (socket: NodeJS.WritableStream) => void>> = {
  'hangs after it was connected to': () => {},
  'is slow to greet': (socket) => void setTimeout(() => socket.write('220 slow\r\n'), 20_000).unref(),
}

const VALUES: Readonly<Record<string, (url: string) => object>> = {
  opsgenie: (url) => ({ key: 'a-key', server: url }),
  webhook: (url) => ({ url, secret: 'signs-what-is-sent' }),
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return address !== null && typeof address !== 'string' ? address.port : assert.fail('no port')
}

async function post(shop: SetUp, path: string, body: object): Promise<{ readonly id: number }> {
  const answer = await fetch(`${shop.url}/api/0/organizations/${shop.organisation}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = await answer.text()
  assert.equal(answer.status, 201, said)
  return JSON.parse(said)
}

/** A rule on new issues that tells members and each of the channels. */
async function alertTo(shop: SetUp, channels: readonly { readonly kind: string; readonly url: string }[]) {
  const notify: object[] = [{ target: { to: 'members' }, fromLevel: 'warning' }]
  for (const [index, { kind, url }] of channels.entries()) {
    const values = VALUES[kind]?.(url) ?? { url }
    const { id } = await post(shop, '/alert-channels/', { kind, name: `${kind} ${index}`, values })
    notify.push({ target: { to: 'channel', channelId: Number(id) }, fromLevel: 'warning' })
  }
  await post(shop, '/alerts/rules/', { ...anIssueRule({ on: 'new' }), name: 'New', notify })
}

/** Another organisation with a project, of the same owner. */
async function anotherOrganisation(running: RunningErrata): Promise<SetUp> {
  const { url } = running
  const owner = await signIn(url, OWNER)
  await owner.act('org.create', '/account', { name: 'other' })
  await owner.act('project.create', '/other/projects/new', { name: 'Ledger', slug: 'ledger', platform: '' })
  const token = await makeToken(owner, 'other', [...SCOPES])
  const setup = { url, token, organisation: 'other', project: 'ledger', dsn: '' }
  const [key] = await apiGet<{ dsn: { public: string } }[]>(setup, '/projects/other/ledger/keys/')
  return { ...setup, dsn: key?.dsn.public ?? '' }
}

interface Told {
  readonly shop: SetUp
  readonly message: string
  /** Beginnings of addresses that are to be called. */
  readonly paths: readonly string[]
}

/** How long until all of them were called about a new issue, in milliseconds. */
async function tookMs(hook: Hook, { shop, message, paths }: Told): Promise<number> {
  const startMs = performance.now()
  await send(shop.dsn, anEvent({ message, type: message }))
  for (const path of paths)
    await waitFor(`a call of ${path} about ${message}`, async () => {
      return hook.calls.some(({ url, body }) => url.startsWith(path) && body.includes(message)) || null
    })
  return performance.now() - startMs
}

describe('alerts, with a mail server that fails', () => {
  const failing = async (name: string) => {
    const onConnection = MAIL[name]
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}) // Errata hangs up
      onConnection?.(socket)
    })
    const port = await listening(server)
    if (onConnection === undefined) server.close()
    return { port, server }
  }
  for (const name of ['is away', ...Object.keys(MAIL)])
    it(`reach pagers, chats and webhooks while it ${name}, others hang, and in every organisation`, async () => {
      const { port, server } = await failing(name)
      const hook = await openHook()
      const hung = await openHook(() => {})
      const args = ['--smtp-url', `smtp://127.0.0.1:${port}`, '--mail-from', 'errata@example.com']
      await using running = await startShop({ args: [...args, '--webhook-private-targets', 'allow'] })
      const hanging = Array.from({ length: HANGING }, (_, at) => ({
        kind: 'webhook',
        url: hung.url(`/${at}`),
      }))
      const fine = (path: string) => [
        { kind: 'slack', url: hook.url(`${path}/slack`) },
        { kind: 'opsgenie', url: hook.url(path) },
        { kind: 'webhook', url: hook.url(`${path}/hook`) },
      ]
      const other = await anotherOrganisation(running)
      await alertTo(running.shop, [...hanging, ...fine('/a')])
      await alertTo(other, fine('/b'))
      // What follows within a minute is gathered in a chat, and goes to pagers and webhooks at once.
      for (const [turn, places] of [
        ['First', ['slack', 'v2/alerts', 'hook']] as const,
        ['Second', ['v2/alerts', 'hook']] as const,
      ].entries())
        for (const [at, shop] of [running.shop, other].entries()) {
          const message = `${places[0]}${shop.organisation}`
          const paths = places[1].map((place) => `/${at === 0 ? 'a' : 'b'}/${place}`)
          const ms = await tookMs(hook, { shop, message, paths })
          assert.ok(ms < WITHIN_MS, `${turn} ${shop.organisation}: ${Math.round(ms)} ms`)
        }
      assert.ok(hung.calls.length >= HANGING)
      for (const one of [hook, hung]) await one.close()
      server.close()
    })
})

describe('alerts to a receiver whose first call hangs', () => {
  it('are called of what follows all the same', async () => {
    // Nothing answers the first call, whatever comes after it.
    let calls = 0
    const hook = await openHook((_, response) => {
      if (++calls > 1) response.writeHead(204).end()
    })
    await using running = await startShop({ args: ['--webhook-private-targets', 'allow'] })
    await alertTo(running.shop, [{ kind: 'webhook', url: hook.url('/hook') }])
    await tookMs(hook, { shop: running.shop, message: 'FirstOfAll', paths: ['/hook'] })
    for (const message of ['Second', 'Third']) {
      const ms = await tookMs(hook, { shop: running.shop, message, paths: ['/hook'] })
      assert.ok(ms < WITHIN_MS, `${message}: ${Math.round(ms)} ms`)
    }
    await hook.close()
  })
})

describe('alerts of a process that is killed', () => {
  it('go out at once after its start, with their keys', async () => {
    let isBack = false
    const hook = await openHook((_, response) => {
      if (isBack) response.writeHead(204).end()
    })
    const mail = await openPost({
      onMailFrom: (_address, _session, done) => {
        if (isBack) done()
      },
    })
    const args = ['--smtp-url', `smtp://127.0.0.1:${mail.smtp.port}`, '--mail-from', 'errata@example.com']
    const all = [...args, '--webhook-private-targets', 'allow']
    await using first = await startShop({ args: all })
    await alertTo(first.shop, [{ kind: 'webhook', url: hook.url('/hook') }])
    await send(first.shop.dsn, anEvent({ message: 'Killed', type: 'Killed' }))
    await waitFor('the call', async () => (hook.calls.length > 0 ? hook.calls : null))
    await first.kill()
    isBack = true
    const startMs = performance.now()
    await using second = await serve({ args: all, data: first.data, port: first.port })
    await keyIsKnown(second.url, first.shop.dsn)
    await waitFor('the call again', async () => (hook.calls.length > 1 ? hook.calls : null))
    await waitFor('the mail', async () => (mail.letters.length > 0 ? mail.letters : null))
    assert.ok(performance.now() - startMs < 15_000, 'no lease ran out first')
    assert.equal(new Set(hook.calls.map(({ headers }) => headers['errata-alert'])).size, 1)
    assert.equal(mail.letters.length, 1, 'one new issue is one email')
    await Promise.all([hook.close(), mail.close()])
  })
})
