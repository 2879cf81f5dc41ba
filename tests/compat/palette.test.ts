/** The palette: everything with a name is found by typing, by who may read it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { acceptedErrors } from '../support/api.ts'
import { type Person, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

interface Found {
  readonly groups: readonly {
    readonly name: string
    readonly entries: readonly { readonly text: string; readonly path: string }[]
  }[]
  readonly creations: readonly { readonly text: string }[]
  readonly assignees: readonly { readonly to: string; readonly name: string }[]
}

describe('the palette', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  before(async () => {
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
    await rosa.act('team.create', '/shop/settings/teams', { name: 'Night shift' })
    const more = { release: 'shop@4.7.1', user: { email: 'zoe@visitor.example' } }
    await send(running.shop.dsn, anEvent({ type: 'NamedError', message: 'found by name', more }))
    await waitFor('the event', async () => (await acceptedErrors(running.shop)) === 1)
  })
  after(() => running?.[Symbol.asyncDispose]())

  const ask = async (text: string): Promise<Found> => {
    const answer = await rosa.script(`/palette?${new URLSearchParams({ org: 'shop', q: text })}`)
    assert.equal(answer.status, 200)
    return answer.json()
  }
  const inGroup = ({ groups }: Found, name: string) =>
    groups.find((group) => group.name === name)?.entries ?? []

  for (const [text, group, entry, path] of [
    ['4.7', 'Releases', 'shop@4.7.1', '/shop/releases/shop%404.7.1'],
    ['zoe@', 'Affected users', 'zoe@visitor.example', '/shop/people/email%3Azoe%40visitor.example'],
    ['night', 'Teams', 'Night shift', '/shop/settings/teams?query=night-shift'],
    ['named found', 'Issues', 'NamedError: found by name', '/shop/issues/WEB-1'],
    ['sample rate', 'Settings', 'Sample rate: web', '/shop/projects/web/settings/retention'],
    ['openid', 'Settings', 'OpenID Connect: organisation', '/shop/settings/sign-in'],
  ] as const)
    it(`finds ${entry} by “${text}”`, async () => {
      const found = await waitFor(entry, async () => {
        const entries = inGroup(await ask(text), group)
        return entries.find((each) => each.text === entry)
      })
      assert.equal(found?.path, path)
    })

  it('says what can be made, and whom an issue may be assigned to', async () => {
    const { creations } = await ask('new rule')
    assert.deepEqual(
      creations.map(({ text }) => text),
      ['New alert rule on issues', 'New alert rule on a metric'],
    )
    const { assignees } = await ask('assign to rosa')
    assert.equal(assignees.length, 1)
    assert.match(assignees[0]?.name ?? '', /rosa/i)
  })

  it('takes any text for a text', async () => {
    for (const text of ['"', '%', '\\', '*', 'a'.repeat(3_000), "x' OR 1=1", '<b>', 'kind:*', '\u0000'])
      await ask(text)
  })
})
