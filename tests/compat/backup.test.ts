import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { apiGet, issues } from '../support/api.ts'
import { anEvent, send, sendSpans } from '../support/send.ts'
import { errata, serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('a backup of the running product', () => {
  it('restores into a new directory that answers the same', async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'errata-backup-'))
    t.after(() => rm(base, { recursive: true, force: true }))
    await using running = await startShop()
    const { shop } = running
    for (let number = 0; number < 12; number++) {
      await send(shop.dsn, anEvent({ type: `Error${number % 3}`, message: `number ${number}` }))
    }
    const before = await waitFor('three issues', async () => {
      const list = await issues(shop)
      return list.length === 3 && list.every(({ count }) => Number(count) === 4) ? list : null
    })
    const to = join(base, 'backup')
    assert.match(
      await errata(['backup', to, '--data', running.data]),
      / files, [\d.]+ [KM]iB, [\d.]+ [KM]?i?B of them newly written/,
    )
    assert.match(await errata(['backup', '--verify', to]), /^whole: \d+ files, [\d.]+ [KM]iB$/m)
    await send(shop.dsn, anEvent({ type: 'Later', message: 'not in the backup' }))

    const data = join(base, 'restored')
    assert.match(await errata(['restore', to, '--data', data]), /12 events/)
    assert.match(await errata(['check', '--deep', '--data', data]), /payloads and columns agree/)
    await using copy = await serve({ data })
    const after = await issues({ ...shop, url: copy.url })
    // The copy listens elsewhere; everything else is as it was.
    const withoutLink = (list: typeof after) => list.map((issue) => ({ ...issue, permalink: '' }))
    assert.deepEqual(withoutLink(after), withoutLink(before))
  })

  it('holds traces and what is summed up of them, and nothing of it is missing', async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'errata-backup-'))
    t.after(() => rm(base, { recursive: true, force: true }))
    await using running = await startShop()
    const { shop } = running
    // The newest batch writes to the file of spans alone: that of errors ends before it.
    await send(shop.dsn, anEvent({ message: 'before the spans' }))
    await waitFor('one issue', async () => (await issues(shop)).length === 1)
    const [trace, segment, now] = ['4f'.repeat(16), 'a1'.repeat(8), Date.now()]
    const attributes = { 'http.route': '/orders/[id]', 'http.request.method': 'GET', 'next.rsc': false }
    await sendSpans(shop.dsn, [
      {
        ...{ id: segment, op: 'http.server', name: 'GET /orders/[id]', trace, segment, attributes },
        atMs: now,
        ms: 90,
      },
      {
        ...{ id: 'b2'.repeat(8), parent: segment, op: 'db', name: 'SELECT 1', trace, segment },
        ...{ atMs: now + 5, ms: 20 },
      },
    ])
    const told = async (of: typeof shop) => {
      const requests = await apiGet<{ data: readonly object[] }>(
        of,
        `/organizations/${of.organisation}/requests/`,
      )
      if (requests.data.length === 0) return null
      return { requests, spans: await apiGet(of, `/organizations/${of.organisation}/events-trace/${trace}/`) }
    }
    const before = await waitFor('the request', () => told(shop))
    const [to, data] = [join(base, 'backup'), join(base, 'restored')]
    await errata(['backup', to, '--data', running.data])
    assert.match(await errata(['backup', '--verify', to]), /^whole: /)
    await errata(['restore', to, '--data', data])
    assert.match(await errata(['check', '--deep', '--data', data]), /payloads and columns agree/)
    await using copy = await serve({ data })
    assert.deepEqual(await told({ ...shop, url: copy.url }), before)
    const health: unknown = await (await fetch(`${copy.url}/health`)).json()
    assert.deepEqual(health, { ok: true, status: 'ok', detail: 'ok', reasons: [] })
    assert.doesNotMatch(copy.output(), /"level":"error"/)
  })

  it('refuses to check deeply or to rebuild while a server uses the directory', async () => {
    await using running = await startShop()
    for (const command of [['check', '--deep'], ['rebuild']]) {
      await assert.rejects(errata([...command, '--data', running.data]), /another Errata process uses/)
    }
  })

  it('made of a stopped directory, columns can be made anew', async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'errata-backup-'))
    t.after(() => rm(base, { recursive: true, force: true }))
    const data = join(base, 'data')
    {
      await using running = await startShop()
      await send(running.shop.dsn, anEvent({ message: 'kept' }))
      await waitFor('one issue', async () => (await issues(running.shop)).length === 1)
      await running.stop()
      await cp(running.data, data, { recursive: true })
    }
    await rm(join(data, 'columns'), { recursive: true })
    const found: unknown = await errata(['check', '--deep', '--data', data]).catch((cause: unknown) => cause)
    assert.ok(found instanceof Error && 'stdout' in found)
    assert.match(String(found.stdout), /has payloads but no columns/)
    assert.match(await errata(['rebuild', '--data', data]), / 1 row\nrebuilt 1 file/)
    assert.match(await errata(['check', '--deep', '--data', data]), /payloads and columns agree/)
  })
})
