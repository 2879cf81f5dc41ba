/** Errata's own project is the operator's: in no list of an organisation, and there where its address names it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, signIn } from '../support/person.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'

describe('Errata’s own project', { timeout: 120_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  before(async () => {
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('is in no list, menu or palette', async () => {
    const { organisation } = running.shop
    for (const page of ['issues', 'projects', 'releases', 'performance', 'traces', 'outcomes', 'alerts']) {
      const answer = await rosa.pageData(`/${organisation}/${page}`)
      assert.equal(answer.status, 200, page)
      // The frame tells the operator where it is.
      const text = (await answer.text()).replace(/"self":\{[^}]*\}/, '')
      assert.doesNotMatch(text, /"(?:slug|project)":"errata"/, page)
    }
    const palette = await rosa.script(`/palette?org=${organisation}`)
    assert.equal(palette.status, 200)
    assert.doesNotMatch(await palette.text(), /errata/)
  })

  it('is in no list of the API', async () => {
    const { organisation } = running.shop
    const answer = await rosa.api('GET', `/organizations/${organisation}/projects/`)
    const slugs = ((await answer.json()) as readonly { slug: string }[]).map(({ slug }) => slug)
    assert.ok(slugs.length > 0 && !slugs.includes('errata'), slugs.join())
  })

  it('opens for the operator, by its address and from System', async () => {
    const { organisation } = running.shop
    const list = await rosa.pageData(`/${organisation}/issues?project=errata`)
    assert.match(await list.text(), /"slug":"errata"/)
    assert.equal((await rosa.pageData(`/${organisation}/projects/errata/settings`)).status, 200)
    assert.equal((await rosa.api('GET', `/projects/${organisation}/errata/`)).status, 200)
    assert.match(
      await (await rosa.document('/system')).text(),
      new RegExp(`href="/${organisation}/issues\\?project=errata"`),
    )
  })
})
