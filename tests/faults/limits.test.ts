/** Stores that may not grow any more: what is acknowledged meanwhile waits in the journal, and is stored afterwards. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acceptedErrors } from '../support/api.ts'
import { anEvent, post } from '../support/send.ts'
import { errata, newDataDirectory, type ServeOptions, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PRELOAD = fileURLToPath(new URL('./limit-pages.mjs', import.meta.url))
/** More than any of the limits leaves room for. */
const EVENTS_MAX = 3_000
const AT_ONCE = 20

const LIMITS: readonly [what: string, options: ServeOptions][] = [
  [
    'a control store without room for another page (max_page_count)',
    { env: { NODE_OPTIONS: `--import=${PRELOAD}`, ERRATA_TEST_PAGES: '320' } },
  ],
  ['files that may not grow beyond 400 KiB (ulimit -f)', { fileBlocksMax: 400 }],
  ['files that may not grow beyond 1.5 MiB (ulimit -f)', { fileBlocksMax: 1_536 }],
]

describe('a limit of size', () => {
  for (const [what, options] of LIMITS) {
    it(`${what}: no acknowledged event is lost or stored twice`, { timeout: 300_000 }, async () => {
      const data = await newDataDirectory()
      const first = await serve({ data })
      const shop = await setUp(data, first.url)
      await first.stop()
      const { kept, sent } = await sendUntilFull({ ...options, data, port: first.port }, shop.dsn)
      assert.ok(kept > 0)
      const last = await serve({ data, port: first.port })
      await waitFor('everything is stored', async () => (await acceptedErrors(shop)) >= kept, 60_000)
      await waitFor('it is well again', async () => (await fetch(`${last.url}/health`)).ok)
      // One whose answer did not come back may be stored too.
      assert.ok((await acceptedErrors(shop)) <= sent)
      await last.stop()
      const found = JSON.parse(await errata(['check', '--data', data, '--deep', '--json'])) as {
        ok: boolean
      }[]
      assert.ok(found.every(({ ok }) => ok))
      await rm(data, { recursive: true, force: true })
    })
  }
})

/** Sends, and answers how many were acknowledged until the server says that it is broken, refuses, or is gone. */
async function sendUntilFull(
  options: ServeOptions,
  dsn: string,
): Promise<{ readonly kept: number; readonly sent: number }> {
  const limited = await serve(options)
  let kept = 0
  let isFull = false
  let sent = 0
  for (; !isFull; sent += AT_ONCE) {
    assert.ok(sent < EVENTS_MAX, 'the limit never came')
    const answers = Array.from({ length: AT_ONCE }, (_, at) =>
      post(dsn, anEvent({ type: `T${sent + at}`, message: `number ${sent + at} ${'x'.repeat(2_000)}` })),
    )
    for (const answer of await Promise.allSettled(answers)) {
      if (answer.status === 'fulfilled' && answer.value.ok) kept++
      else if (answer.status === 'fulfilled') {
        assert.equal(answer.value.status, 503)
        assert.ok(Number(answer.value.headers.get('retry-after')) > 0)
        isFull = true
      } else isFull = true
    }
    const health = await fetch(`${limited.url}/health`).catch(() => null)
    if (health?.status !== 200) isFull = true
  }
  await limited.kill()
  return { kept, sent }
}
