/** A cap on payloads set over the web API, and a flood of one issue sent as SDKs do. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ApiEvent, acceptedErrors, apiGet, issues } from '../support/api.ts'
import { type Person, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const CAP = 5
const FLOOD = 120

interface FullEvent extends ApiEvent {
  readonly errors: readonly { readonly type: string }[]
  readonly user: { readonly id: string | null } | null
}

describe('an issue that floods', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  const flood: string[] = []
  const quiet: string[] = []
  before(async () => {
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
    const body = { options: { payloadsPerIssueHour: CAP } }
    assert.equal((await rosa.api('PUT', '/projects/shop/web/', body)).status, 200)
    for (let number = 1; number <= FLOOD; number++) {
      const more = { tags: { number: String(number) }, user: { id: `u${number}` } }
      flood.push(await send(running.shop.dsn, anEvent({ type: 'FloodError', message: 'again', more })))
      if (number % 40 === 0)
        quiet.push(await send(running.shop.dsn, anEvent({ type: 'QuietError', message: 'rare' })))
    }
    await waitFor('all of them', async () => (await acceptedErrors(running.shop)) === FLOOD + quiet.length)
  })
  after(() => running?.[Symbol.asyncDispose]())

  const event = (id: string) => apiGet<FullEvent>(running.shop, `/projects/shop/web/events/${id}/`)
  const issueOf = async (title: string) => {
    const found = (await issues(running.shop)).find((each) => each.title.startsWith(title))
    assert.ok(found !== undefined)
    return found
  }
  const readable = async (ids: readonly string[]) => {
    const full: string[] = []
    for (const id of ids) {
      const { entries, errors } = await event(id)
      const hasException = entries.some(({ type }) => type === 'exception')
      assert.notEqual(hasException, errors.length > 0, 'an event without its payload says so')
      if (hasException) full.push(id)
    }
    return full
  }

  it('counts every event and says how many have a payload; another issue keeps all of them', async () => {
    const issue = await issueOf('FloodError')
    assert.equal(issue.count, String(FLOOD))
    const full = await readable(flood)
    // Twice the cap and more when the hour of receipt changes meanwhile.
    assert.ok(full.length >= CAP && full.length < FLOOD / 2, `${full.length} payloads`)
    assert.deepEqual(full.slice(0, CAP), flood.slice(0, CAP))
    const page = await (await rosa.document(`/shop/issues/${issue.shortId}`)).text()
    const text = page.replaceAll(/<!--.*?-->/g, '')
    assert.match(text, new RegExp(`${FLOOD} events, ${full.length} with details`))
    assert.deepEqual(await readable(quiet), quiet)
    const other = await (await rosa.document(`/shop/issues/${(await issueOf('QuietError')).shortId}`)).text()
    assert.doesNotMatch(other, /with details/)
  })

  it('shows its newest readable event first, and of every other what its row tells', async () => {
    const issue = await issueOf('FloodError')
    const full = await readable(flood)
    const of = (which: string) =>
      apiGet<FullEvent>(running.shop, `/organizations/shop/issues/${issue.id}/events/${which}/`)
    assert.equal((await of('recommended')).eventID, full.at(-1))
    assert.equal((await of('latest')).eventID, flood.at(-1))
    const bare = flood.find((id) => !full.includes(id))
    assert.ok(bare !== undefined)
    const told = await event(bare)
    const number = String(flood.indexOf(bare) + 1)
    assert.ok(told.tags.some(({ key, value }) => key === 'number' && value === number))
    assert.deepEqual([told.title, told.user?.id], ['FloodError: again', `u${number}`])
    const page = await rosa.document(`/shop/issues/${issue.shortId}/events/${bare}`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /This event’s details weren’t kept\./)
    const json = await rosa.api('GET', `/projects/shop/web/events/${bare}/json/`)
    assert.deepEqual([json.status, (await json.json()).event_id], [200, bare])
    const found = await issues(running.shop, `number:${number}`)
    assert.deepEqual(
      found.map(({ shortId }) => shortId),
      [issue.shortId],
    )
  })
})
