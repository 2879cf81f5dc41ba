/** Threads of a running product that die: it goes on, or ends itself for its supervisor. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acceptedErrors, issues } from '../support/api.ts'
import { anEvent, post, send } from '../support/send.ts'
import { serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const preload = (file: URL, thread: string) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(file)}`,
  ERRATA_TEST_THREAD: thread,
})
const ending = (thread: string) => ({ env: preload(new URL('./end-thread.mjs', import.meta.url), thread) })
const hanging = (thread: string) => ({ env: preload(new URL('./hang-thread.mjs', import.meta.url), thread) })
const METRICS = { ERRATA_METRICS_TOKEN: 'a-token-of-this-test' }

/** Returns the lines of /metrics about threads that accept; none while nobody answers. */
async function acceptMetrics(url: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${METRICS.ERRATA_METRICS_TOKEN}`, connection: 'close' }
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2_000) }).catch(
    () => null,
  )
  if (!answer?.ok) return []
  return (await answer.text())
    .split('\n')
    .filter((line) => /^errata_(accept|part_healthy\{part="accept)/.test(line))
}
const ACCEPT_WELL = [
  'errata_part_healthy{part="accept"} 1',
  'errata_accept_threads{state="wanted"} 2',
  'errata_accept_threads{state="running"} 2',
]

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
    const env = { ...ending('accept').env, ...METRICS }
    await using running = await startShop({ env, args: ['--accept-threads', '2'] })
    const { shop } = running
    await send(shop.dsn, anEvent({ message: 'before' }))
    running.signal('SIGUSR2')
    await waitFor('it is told', async () => running.output().split('a thread that accepts').length > 2)
    const isAnswered = () => post(shop.dsn, anEvent({ message: 'after' })).then(({ ok }) => ok)
    await waitFor('it is taken again', () => isAnswered().catch(() => false))
    await waitFor('it is well again', async () => (await fetch(`${running.url}/health`)).ok)
    await waitFor('both are stored', async () => (await acceptedErrors(shop)) >= 2)
    const expected = [
      ...ACCEPT_WELL,
      'errata_accept_threads_replaced_total{reason="died"} 2',
      'errata_accept_threads_replaced_total{reason="hung"} 0',
      'errata_accept_socket_renewed_total 0',
    ]
    await waitFor('metrics tell it', async () => `${await acceptMetrics(running.url)}` === `${expected}`)
    assert.equal(await running.stop(), 0)
  })

  it('replaces a thread that accepts and runs in circles, and tells it', async () => {
    const env = { ...hanging('accept').env, ...METRICS }
    await using running = await startShop({ env, args: ['--accept-threads', '2'] })
    const { shop } = running
    running.signal('SIGUSR2')
    await waitFor('it is told', async () =>
      running.output().includes('a thread that accepts hung and was ended'),
    )
    const expected = [
      ...ACCEPT_WELL,
      'errata_accept_threads_replaced_total{reason="died"} 0',
      'errata_accept_threads_replaced_total{reason="hung"} 1',
      'errata_accept_socket_renewed_total 0',
    ]
    await waitFor('metrics tell it', async () => `${await acceptMetrics(running.url)}` === `${expected}`)
    // New connections reach either.
    for (let sent = 0; sent < 8; sent++) await send(shop.dsn, anEvent({ message: `number ${sent}` }))
    await waitFor('all are stored', async () => (await acceptedErrors(shop)) === 8)
    assert.equal(await running.stop(), 0)
  })

  it('makes the socket file of the main thread anew when it was deleted, with its folder', async () => {
    await using running = await startShop({ env: METRICS, args: ['--accept-threads', '2'] })
    const { data } = running
    for (const [at, gone] of [join(data, 'accept', 'main.sock'), join(data, 'accept')].entries()) {
      await rm(gone, { recursive: true })
      const renewed = `errata_accept_socket_renewed_total ${at + 1}`
      await waitFor('pages are answered', async () => (await acceptMetrics(running.url)).includes(renewed))
    }
    await waitFor('all is well', async () => {
      const shown = await acceptMetrics(running.url)
      return ACCEPT_WELL.every((line) => shown.includes(line))
    })
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
