/** Threads of a running product that die: it goes on, or ends itself for its supervisor. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acceptedErrors, issues } from '../support/api.ts'
import { anEvent, post, send } from '../support/send.ts'
import { serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PRELOAD = fileURLToPath(new URL('./end-thread.mjs', import.meta.url))
const ending = (thread: string) => ({
  env: { NODE_OPTIONS: `--import=${PRELOAD}`, ERRATA_TEST_THREAD: thread },
})

describe('a product of which a thread dies', () => {
  it('answers pages again when it was the read thread', async () => {
    await using running = await startShop(ending('read'))
    const { shop } = running
    await send(shop.dsn, anEvent({ message: 'before' }))
    await waitFor('it is stored', async () => (await acceptedErrors(shop)) === 1)
    running.signal('SIGUSR2')
    await waitFor('it is told', async () => running.output().includes('a thread has ended by itself'))
    await send(shop.dsn, anEvent({ message: 'after' }))
    await waitFor('it is well again', async () => (await fetch(`${running.url}/health`)).ok)
    await waitFor('both are stored', async () => (await acceptedErrors(shop)) === 2)
    assert.ok((await issues(shop)).length > 0)
  })

  it('accepts and answers pages again when it was a thread that accepts', async () => {
    const { env } = ending('accept')
    await using running = await startShop({ env, args: ['--accept-threads', '2'] })
    const { shop } = running
    await send(shop.dsn, anEvent({ message: 'before' }))
    running.signal('SIGUSR2')
    await waitFor('it is told', async () => running.output().split('a thread that accepts').length > 2)
    const isAnswered = () => post(shop.dsn, anEvent({ message: 'after' })).then(({ ok }) => ok)
    await waitFor('it is taken again', () => isAnswered().catch(() => false))
    await waitFor('it is well again', async () => (await fetch(`${running.url}/health`)).ok)
    await waitFor('both are stored', async () => (await acceptedErrors(shop)) >= 2)
    assert.equal(await running.stop(), 0)
  })

  it('ends with a sentence and 70 when it was the commit thread, and the next one has everything', async () => {
    const running = await startShop(ending('commit'))
    const { shop, data, port } = running
    for (let sent = 0; sent < 5; sent++) await send(shop.dsn, anEvent({ message: `number ${sent}` }))
    // A thread torn away within a call of DuckDB ends the process by a signal: what is under way is for `kills.test.ts`.
    await waitFor('all are stored', async () => (await acceptedErrors(shop)) === 5)
    running.signal('SIGUSR2')
    assert.equal(await running.ended, 70)
    assert.match(running.output(), /Errata is stopping: what it acknowledged is in the journal/)
    const next = await serve({ data, port })
    await waitFor('all are there', async () => (await acceptedErrors(shop)) === 5)
    assert.equal(await next.stop(), 0)
    await rm(data, { recursive: true, force: true })
  })
})
