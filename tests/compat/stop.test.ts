/** An ordinary stop: readiness first, what is under way is answered, and nothing is called an error. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it } from 'node:test'
import { acceptedErrors } from '../support/api.ts'
import { anEvent, send } from '../support/send.ts'
import { serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

it('says that it is not ready, answers all the same, and ends with 0', async () => {
  await using running = await startShop({ args: ['--stop-pause', '2', '--log-level', 'info'] })
  const { shop } = running
  await send(shop.dsn, anEvent({ message: 'before' }))
  const { username, pathname } = new URL(shop.dsn)
  const slow = request(`${running.url}/api${pathname}/envelope/?sentry_key=${username}`, { method: 'POST' })
  const answered = new Promise((resolve, reject) =>
    slow.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject),
  )
  slow.write('{}\n{"type":"event"}\n')
  await waitFor('it is ready', async () => (await fetch(`${running.url}/health`)).ok)
  running.signal('SIGTERM')
  await waitFor('it says that it is not', async () => (await fetch(`${running.url}/health`)).status === 503)
  const health: unknown = await (await fetch(`${running.url}/health`)).json()
  assert.deepEqual(health, { ok: false, status: 'broken', detail: 'stopping', reasons: ['stopping'] })
  assert.equal((await fetch(`${running.url}/sign-in`)).status, 200)
  await send(shop.dsn, anEvent({ message: 'meanwhile' }))
  await waitFor('it takes no more connections', async () =>
    fetch(`${running.url}/health`).then(
      () => false,
      () => true,
    ),
  )
  slow.end(`${JSON.stringify(anEvent({ message: 'slow' }))}\n`)
  assert.equal(await answered, 200)
  assert.equal(await running.ended, 0)
  assert.doesNotMatch(running.output(), /"level":"(?:error|warn)"/)
  await using again = await serve({ data: running.data, port: running.port })
  await waitFor('all of it is stored', async () => (await acceptedErrors({ ...shop, url: again.url })) === 3)
})
