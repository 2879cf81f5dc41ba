/** Source maps of a real build that come after the events they are for. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ApiEvent, acceptedErrors, apiGet, issues } from '../support/api.ts'
import { type BuiltApp, buildApp, FAILS_AT } from '../support/minified-app.ts'
import { anEvent, send } from '../support/send.ts'
import { type RunningErrata, type SetUp, serve, startShop } from '../support/start-errata.ts'
import { uploadBundle } from '../support/upload-bundle.ts'
import { waitFor } from '../support/wait-for.ts'

interface ShownFrame {
  readonly filename: string
  readonly function: string | null
  readonly lineNo: number
  readonly context: readonly (readonly [number, string])[]
}

describe('source maps that come late', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let directory: string
  let one: BuiltApp
  let other: BuiltApp
  let sent = 0
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'errata-late-'))
    const ids = ['1', '2'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)}`)
    one = await buildApp(directory, { minifying: 'all', debugId: ids[0] ?? '' })
    other = await buildApp(directory, { minifying: 'names', debugId: ids[1] ?? '' })
    running = await startShop()
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  const fail = async ({ exception, debugMeta }: BuiltApp, user: string) => {
    const more = {
      ...{ platform: 'javascript', release: 'shop@2.0.0', user: { id: user } },
      ...{ exception: { values: [exception] }, debug_meta: debugMeta },
    }
    const id = await send(running.shop.dsn, anEvent({ message: '', more }))
    sent++
    await waitFor('it is stored', async () => (await acceptedErrors(running.shop)) === sent)
    return id
  }
  const eventOf = (id: string) => apiGet<ApiEvent>(running.shop, `/projects/shop/web/events/${id}/`)
  const framesOf = async (id: string): Promise<readonly ShownFrame[]> => {
    const { entries } = await eventOf(id)
    const data = entries.find(({ type }) => type === 'exception')?.data as {
      values: readonly { stacktrace: { frames: readonly ShownFrame[] } }[]
    } // as the API documents it
    return data.values[0]?.stacktrace.frames.toReversed() ?? []
  }
  const assertOriginal = async (id: string) => {
    const frames = await framesOf(id)
    for (const { file, line, function: name, text } of FAILS_AT) {
      const frame = frames.find(({ filename }) => filename.endsWith(file))
      assert.deepEqual([frame?.lineNo, frame?.function], [line, name], JSON.stringify(frames))
      assert.ok(frame?.context.some(([at, shown]) => at === line && shown.startsWith(text)))
    }
  }
  const isOriginal = async (id: string) =>
    (await framesOf(id)).some(({ filename }) => filename === FAILS_AT[0].file)
  const found: string[] = []

  it('shows what ran, in an issue for each way of minifying, before anything was uploaded', async () => {
    found.push(await fail(one, 'u1'), await fail(one, 'u2'), await fail(other, 'u3'))
    for (const id of found) assert.equal(await isOriginal(id), false)
    assert.equal((await issues(running.shop)).length, 2)
  })

  it('shows the original frames of what is stored, and finds later events in the same issue', async () => {
    const [first = ''] = found
    const { groupID } = await eventOf(first)
    await uploadBundle(running.shop, one.bundle)
    await waitFor('its frames', () => isOriginal(first))
    await assertOriginal(first)
    await waitFor('its issue is called as it was written', async () =>
      (await issues(running.shop)).some(({ id, culprit }) => id === groupID && /cart|priceOf/.test(culprit)),
    )
    const resolved = await fail(one, 'u4')
    await assertOriginal(resolved)
    assert.equal((await eventOf(resolved)).groupID, groupID)
    found.push(resolved)
    assert.equal((await issues(running.shop)).length, 2)
  })

  it('makes one issue of two builds of one source, the older, whatever ends in between', async () => {
    const [first = ''] = found
    const { groupID } = await eventOf(first)
    await uploadBundle(running.shop, other.bundle)
    // Whatever was reached by then: the rest follows the next start.
    await running.kill()
    const { shop, data, port } = running
    running = Object.assign(await serve({ data, port }), { shop })
    const [issue] = await waitFor('one issue', async () => {
      const all = await issues(running.shop)
      return all.length === 1 && all
    })
    assert.deepEqual([issue?.id, issue?.count, issue?.userCount], [groupID, '4', 4])
    for (const id of found) {
      await assertOriginal(id)
      assert.equal((await eventOf(id)).groupID, groupID)
    }
    const later = await fail(other, 'u5')
    assert.equal((await eventOf(later)).groupID, groupID)
    assert.equal((await issues(running.shop)).length, 1)
    const { activity } = await apiGet<{ activity: readonly { type: string }[] }>(
      running.shop,
      `/organizations/shop/issues/${groupID}/`,
    )
    assert.ok(activity.some(({ type }) => type === 'merge'))
  })

  it('keeps what was written when the maps are gone', async () => {
    const { groupID } = await eventOf(found[0] ?? '')
    // A list says what is stored of each, not what is made of it for who reads one.
    interface Listed {
      readonly eventID: string
      readonly culprit: string
    }
    await waitFor('they are stored anew', async () => {
      const listed = await apiGet<readonly Listed[]>(running.shop, `/issues/${groupID}/events/`)
      const original = listed.filter(({ culprit }) => /cart|priceOf/.test(culprit))
      return found.every((id) => original.some(({ eventID }) => eventID === id))
    })
    await running.kill()
    const { shop, data, port } = running
    await rm(join(data, 'artifacts'), { recursive: true })
    for (const end of ['', '-wal', '-shm']) await rm(join(data, `artifacts.sqlite${end}`), { force: true })
    running = Object.assign(await serve({ data, port }), { shop })
    for (const id of found) await assertOriginal(id)
  })
})
