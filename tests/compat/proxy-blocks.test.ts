/** nginx with the blocks of the documents as they stand: it takes them, and requests come through to a running Errata. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { acceptedErrors } from '../support/api.ts'
import { documents } from '../support/documentation.ts'
import { freePort } from '../support/free-port.ts'
import { hasNginx, openNginx } from '../support/nginx.ts'
import { anEvent } from '../support/send.ts'
import { newDataDirectory, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const HOST = 'errata.example.com'
const BLOCKS = documents()
  .filter(({ path }) => path === 'docs/operating/proxy.md')
  .flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'nginx').map(({ text }) => text))
const skip = hasNginx() ? false : 'no nginx or openssl here'

/** The block with another port, and the certificate that was made for the test. */
function placed(
  block: string,
  { directory, port, plain, errata }: { directory: string; port: number; plain: number; errata: number },
) {
  return block
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll(/\/etc\/letsencrypt\S*fullchain\.pem/g, join(directory, 'certificate.pem'))
    .replaceAll(/\/etc\/letsencrypt\S*privkey\.pem/g, join(directory, 'certificate.key'))
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${errata}`)
}

/** Status of a request over TLS that names the host, as a browser does. */
function statusOf(port: number, path: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, servername: HOST, ca, headers: { host: HOST } }
    request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}

describe('the proxy blocks of the documents', { skip }, () => {
  const [front = '', below = '', relay = ''] = BLOCKS

  it('are taken by nginx', async () => {
    assert.equal(BLOCKS.length, 3)
    await using nginx = await openNginx(HOST)
    const [port, plain] = [await freePort(), await freePort()]
    const own = placed(front, { directory: nginx.directory, port, plain, errata: 9000 })
    assert.equal(await nginx.check(own), '')
    // Names of other machines are looked up when nginx starts.
    const upstream = `upstream ${HOST} { server 127.0.0.1:443; }`
    for (const location of [below, relay]) {
      assert.equal(
        await nginx.check(`${upstream} server { listen 127.0.0.1:${await freePort()}; ${location} }`),
        '',
      )
    }
  })

  it('carry pages, and events of an app’s relay past a proxy that goes by the name of the certificate', async () => {
    const data = await newDataDirectory()
    const shop = await setUp(data, `https://${HOST}`)
    await using errata = await serve({ data, args: ['--url', shop.url, '--trusted-proxies', '127.0.0.1'] })
    await using nginx = await openNginx(HOST)
    const [port, plain, appPort] = [await freePort(), await freePort(), await freePort()]
    const { directory } = nginx
    // As Caddy: who names no host is refused.
    const others = `server { listen 127.0.0.1:${port} ssl default_server; ssl_reject_handshake on; }`
    await nginx.start(`${others} ${placed(front, { directory, port, plain, errata: errata.port })}`)
    const upstream = `upstream ${HOST} { server 127.0.0.1:${port}; }`
    await nginx.start(`${upstream} server { listen 127.0.0.1:${appPort}; ${relay} }`)
    const ca = await readFile(join(directory, 'certificate.pem'), 'utf8')
    const health = await waitFor('the proxy', () => statusOf(port, '/health', ca).catch(() => null))
    assert.equal(health, 200)
    // What came without TLS is asked to come again, with its body.
    const options = { method: 'POST', body: '{}', redirect: 'manual', headers: { host: HOST } } as const
    const asked = await fetch(`http://127.0.0.1:${plain}/api/1/envelope/?x=1`, options)
    assert.deepEqual(
      [asked.status, asked.headers.get('location')],
      [308, `https://${HOST}/api/1/envelope/?x=1`],
    )
    const event = anEvent({ message: 'through two proxies' })
    const header = JSON.stringify({ event_id: event.event_id, dsn: shop.dsn })
    const sent = await waitFor('the relay', () =>
      fetch(`http://127.0.0.1:${appPort}/monitoring?o=shop&p=web`, {
        method: 'POST',
        body: `${header}\n{"type":"event"}\n${JSON.stringify(event)}`,
      }).catch(() => null),
    )
    assert.equal(sent.status, 200, await sent.text())
    const local = { ...shop, url: errata.url }
    await waitFor('the event', async () => (await acceptedErrors(local)) === 1)
  })
})
