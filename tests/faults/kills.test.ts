/** `kill -9` at every step of a commit and a recovery, and at any other moment, loses nothing and doubles nothing. */
import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { COMMIT_STEPS, RECOVERY_STEPS } from '../../packages/server/src/commit/commit.ts'
import { acceptedErrors, issues, waitingEnvelopes } from '../support/api.ts'
import {
  errata,
  newDataDirectory,
  type RunningErrata,
  type SetUp,
  serve,
  setUp,
} from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

/** Each step once on every change, all moments in `npm run test:long`. */
const KILLS = process.env.ERRATA_TEST_LONG === '1' ? 40 : 13
const SENDERS = 6
/** A step that has not come by then is given up, and the process killed from outside. */
const ANSWERS_MAX = 400
const PRELOAD = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url))

/** Moment at which a process ends: at a step after so many times, or after a number of answers. */
type Moment = { readonly step: string; readonly times: number } | { readonly answers: number }

/** Each step of a commit three times, each of a recovery twice, and any moment for the rest, in turn. */
const MOMENTS: readonly Moment[] = Array.from({ length: KILLS }, (_, round) => {
  const lap = Math.floor(round / 13)
  const place = round % 13
  const commit = COMMIT_STEPS[place]
  if (commit !== undefined && lap < 3) return { step: commit, times: 1 + ((lap + place) % 3) }
  const recovery = RECOVERY_STEPS[place - COMMIT_STEPS.length]
  if (recovery !== undefined && lap < 2) return { step: recovery, times: 1 }
  return { answers: 5 + ((round * 37) % 90) }
})

describe('a process killed under load', () => {
  it(`keeps every acknowledged event once over ${KILLS} kills`, { timeout: 560_000 }, async () => {
    const data = await newDataDirectory()
    const first = await serve({ data })
    const port = first.port
    const shop = await setUp(data, first.url)
    await first.kill()
    const load = new Load(shop.dsn)
    let atSteps = 0
    for (const [round, moment] of MOMENTS.entries()) {
      atSteps += (await killedAt(moment, { data, port, load, round })) ? 1 : 0
    }
    // A recovery has a step to be killed at whenever it runs; so has a commit while somebody sends.
    assert.ok(
      atSteps >= MOMENTS.filter((moment) => 'step' in moment).length - 2,
      `${atSteps} kills at a step`,
    )
    const running = await serve({ data, port })
    const rest = { ...shop, url: running.url }
    // Their number alone would not tell: what a kill cut the answer off from is stored and counted too.
    await waitFor('everything is stored', async () => (await waitingEnvelopes(rest)) === 0, 60_000)
    assert.ok((await acceptedErrors(rest)) >= load.acknowledged.size)
    await checkStored(rest, load.acknowledged)
    assert.equal(await running.stop(), 0)
    await checkLeft(data)
    await rm(data, { recursive: true, force: true })
  })
})

/** Serves and loads until the process ends there; false when it had to be killed from outside. */
async function killedAt(
  moment: Moment,
  { data, port, load, round }: { data: string; port: number; load: Load; round: number },
): Promise<boolean> {
  if (!('step' in moment)) {
    const running = await serve({ data, port })
    await load.until({ running, round, answers: moment.answers })
    return false
  }
  const env = {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PRELOAD}`,
    ERRATA_TEST_KILL: `${moment.step}:${moment.times}`,
  }
  const running = await serve({ data, port, env }).catch((cause: unknown) => {
    // Killed while it recovered.
    if (cause instanceof Error && cause.message.includes('before it was ready')) return null
    throw cause
  })
  if (running === null) return true
  const answers = await load.until({ running, round, answers: ANSWERS_MAX })
  return answers < ANSWERS_MAX
}

/** Senders on several connections, and the ids they were given a 200 for. */
class Load {
  readonly acknowledged = new Set<string>()
  readonly #target: string

  constructor(dsn: string) {
    const { username, pathname, origin } = new URL(dsn)
    this.#target = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  }

  /** Sends until the process is gone, which it is after so many answers at the latest; answers how many came. */
  async until({
    running,
    round,
    answers,
  }: {
    readonly running: RunningErrata
    readonly round: number
    readonly answers: number
  }): Promise<number> {
    let count = 0
    let killed: Promise<void> | null = null
    const sender = async (lane: number) => {
      for (let n = 0; ; n++) {
        // Every tenth is sent twice: stored once, whatever lies between.
        const id = `${hex(round, 4)}${hex(lane, 4)}${hex(n - (n % 10 === 9 ? 1 : 0), 8)}${'ab12'.repeat(4)}`
        if (!(await this.#send(id, lane, n))) return
        if (++count >= answers) killed ??= running.kill()
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, (_, lane) => sender(lane)))
    await (killed ?? running.kill())
    return count
  }

  /** False when nobody answers any more. */
  async #send(id: string, lane: number, n: number): Promise<boolean> {
    const frames = [{ function: `step${n % 7}`, filename: '/app/a.js', in_app: true }]
    const event = {
      event_id: id,
      platform: 'node',
      exception: { values: [{ type: 'LoadError', value: `lane ${lane}`, stacktrace: { frames } }] },
    }
    const answer = await fetch(this.#target, {
      method: 'POST',
      body: `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}`,
    }).catch(() => null)
    const text = answer === null ? null : await answer.text().catch(() => null)
    if (answer?.status === 200 && text !== null) this.acknowledged.add(id)
    return text !== null
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** Everything acknowledged once; what a kill cut the answer off from may be there too, and is counted as often. */
async function checkStored(shop: SetUp, acknowledged: ReadonlySet<string>): Promise<void> {
  const stored = await storedIds(shop)
  const missing = [...acknowledged].filter((id) => !stored.has(id))
  assert.deepEqual(missing, [])
  const counted = (await issues(shop)).reduce((sum, issue) => sum + Number(issue.count), 0)
  assert.equal(counted, stored.size)
  assert.equal(await acceptedErrors(shop), stored.size)
}

/** After a stop: stores that agree, and nothing in the journal. */
async function checkLeft(data: string): Promise<void> {
  const found = JSON.parse(await errata(['check', '--data', data, '--deep', '--json'])) as {
    readonly ok: boolean
    readonly name: string
    readonly detail: string
  }[] // printed by the command under test
  assert.deepEqual(
    found.filter(({ ok }) => !ok),
    [],
  )
  assert.match(found.findLast(({ name }) => name === 'journal')?.detail ?? '', /, 0 envelopes$/)
  const files = (await readdir(join(data, 'journal'))).filter((name) => name.endsWith('.log'))
  assert.ok(files.length <= 1, `the journal keeps ${files.join(', ')}`)
}

async function storedIds(shop: SetUp): Promise<ReadonlySet<string>> {
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
