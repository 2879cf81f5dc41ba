/** `kill -9` at any moment loses nothing that was acknowledged and doubles nothing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptedErrors, issues } from '../support/api.ts'
import { newDataDirectory, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const KILLS = 20
const SENDERS = 6

describe('a process killed under load', () => {
  it(`keeps every acknowledged event once over ${KILLS} kills`, { timeout: 240_000 }, async () => {
    const data = await newDataDirectory()
    const first = await serve({ data })
    const port = first.port
    const shop = await setUp(data, first.url)
    await first.kill()
    const acknowledged = new Set<string>()
    for (let round = 0; round < KILLS; round++) {
      const running = await serve({ data, port })
      await loadUntilKilled({ dsn: shop.dsn, round, acknowledged, kill: () => running.kill() })
    }
    await using running = await serve({ data, port })
    const rest = { ...shop, url: running.url }
    await waitFor(
      'everything is stored',
      async () => (await acceptedErrors(rest)) >= acknowledged.size,
      60_000,
    )
    const stored = await storedIds(rest)
    const missing = [...acknowledged].filter((id) => !stored.has(id))
    assert.deepEqual(missing, [])
    const counted = (await issues(rest)).reduce((sum, issue) => sum + Number(issue.count), 0)
    // An event whose answer the kill cut off may be stored too: never twice, and always counted as often as stored.
    assert.equal(counted, stored.size)
    assert.equal(await acceptedErrors(rest), stored.size)
  })
})

interface Load {
  readonly dsn: string
  readonly round: number
  readonly acknowledged: Set<string>
  readonly kill: () => Promise<void>
}

/** Sends from several connections; kills after a number of acknowledgements that differs each round. */
async function loadUntilKilled({ dsn, round, acknowledged, kill }: Load): Promise<void> {
  const { username, pathname, origin } = new URL(dsn)
  const target = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const killAfter = 5 + ((round * 37) % 90)
  let answers = 0
  let killed: Promise<void> | null = null
  const sender = async (lane: number) => {
    for (let n = 0; killed === null; n++) {
      const id = `${hex(round, 4)}${hex(lane, 4)}${hex(n, 8)}${'ab12'.repeat(4)}`
      const event = {
        event_id: id,
        platform: 'node',
        exception: {
          values: [
            {
              type: 'LoadError',
              value: `lane ${lane}`,
              stacktrace: { frames: [{ function: `step${n % 7}`, filename: '/app/a.js', in_app: true }] },
            },
          ],
        },
      }
      const answer = await fetch(target, {
        method: 'POST',
        body: `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}`,
      }).catch(() => null)
      const text = answer === null ? null : await answer.text().catch(() => null)
      if (answer?.status === 200 && text !== null) acknowledged.add(id)
      if (++answers >= killAfter && killed === null) killed = kill()
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, (_, lane) => sender(lane)))
  await killed
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

async function storedIds(shop: Parameters<typeof issues>[0]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const issue of await issues(shop)) {
    let cursor = ''
    do {
      const path = `/organizations/${shop.organisation}/issues/${issue.id}/events/?per_page=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      const answer = await fetch(`${shop.url}/api/0${path}`, {
        headers: { authorization: `Bearer ${shop.token}` },
      })
      const events = (await answer.json()) as { eventID: string }[]
      for (const { eventID } of events) {
        assert.equal(ids.has(eventID), false, `${eventID} is stored twice`)
        ids.add(eventID)
      }
      const next = /results="true"; cursor="([^"]+)"/.exec(
        (answer.headers.get('link') ?? '').split('rel="next"')[1] ?? '',
      )
      cursor = next?.[1] ?? ''
    } while (cursor !== '')
  }
  return ids
}
