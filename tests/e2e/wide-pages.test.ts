/** No page grows with members times projects: an organisation of hundreds of both, and what each page is then. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pages } from '../../packages/web/src/shell/pages.ts'
import { issues } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { type Person, resultOf, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import {
  keyIsKnown,
  newDataDirectory,
  OWNER,
  type RunningErrata,
  type SetUp,
  serve,
  setUp,
} from '../support/start-errata.ts'
import { pageOf } from '../support/two-organisations.ts'
import { waitFor } from '../support/wait-for.ts'
import { type WideOrganisation, wideName, widen } from '../support/wide-organisation.ts'

/** Names of projects and people have as many characters as they may. */
const WIDTH = { projects: 905, people: 300, teams: 30, rules: 60 }
const CHARS_MAX = 300_000
const ELEMENTS_MAX = 4_000

/** They fail on purpose, and hold nothing of an organisation. */
const LEFT_OUT = new Set(['self-test.document', 'self-test.page-data'])
const ROUTES = pages.filter(({ id }) => !LEFT_OUT.has(id)).map(({ path }) => path)

describe('an organisation of hundreds of projects and people', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let shop: SetUp
  let wide: WideOrganisation
  let owner: Person
  let guest: Person
  let values: Readonly<Record<string, string>>

  before(async () => {
    const data = await newDataDirectory()
    const port = await freePort()
    shop = await setUp(data, `http://127.0.0.1:${port}`)
    wide = await widen(join(data, 'control.sqlite'), WIDTH)
    running = await serve({ data, port })
    await keyIsKnown(running.url, shop.dsn)
    const event = await send(shop.dsn, anEvent({ type: 'WideError', message: wideName(1) }))
    await waitFor('the issue', async () => (await issues(shop, event)).length === 1)
    const [issue] = await issues(shop, event)
    owner = await signIn(running.url, OWNER)
    guest = await signIn(running.url, { ...OWNER, email: wide.guest })
    values = { org: 'shop', project: 'web', id: issue?.shortId ?? '', eventId: event, rule: '1' }
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const route of ROUTES)
    it(`has a page ${route} that a browser opens at once`, async () => {
      const path = route
        .replace(/:(\w+)/g, (_, name: string) => values[name] ?? name)
        .replace('*', '/no/such')
      for (const who of [owner, guest]) {
        const { chars, elements } = await sizeOf(who, path)
        assert.ok(chars <= CHARS_MAX, `${path}: ${chars} characters`)
        assert.ok(elements <= ELEMENTS_MAX, `${path}: ${elements} elements`)
      }
    })

  it('has no larger page where a team with everybody and everything is changed', async () => {
    const { chars, elements } = await sizeOf(owner, '/shop/settings/teams?team=wide-0')
    assert.ok(chars <= CHARS_MAX, `${chars} characters`)
    assert.ok(elements <= ELEMENTS_MAX, `${elements} elements`)
  })

  it('offers the 20 that match what is typed, and only what whoever asks may see', async () => {
    const all = await found(owner, 'of=projects')
    assert.equal(all.projects.length, 20)
    const one = await found(owner, 'of=projects&q=0904+AGENCY')
    assert.deepEqual(
      one.projects.map(({ name }) => name),
      [wideName(904)],
    )
    assert.equal((await found(owner, 'of=people&q=person-299')).people.length, 1)
    assert.equal((await found(guest, 'of=projects')).projects.length, 3)
    assert.equal((await found(guest, 'of=projects&q=0904')).projects.length, 0)
    assert.deepEqual((await found(guest, 'of=projects&heldBy=team%3A2')).held, [])
  })

  it('finds a project without script, in the menu of the page itself', async () => {
    const html = await (await owner.document('/shop/issues?find=0777')).text()
    assert.ok(html.includes('project=agency-client-storefront-0777'))
    assert.ok(!html.includes('project=agency-client-storefront-0001'))
  })

  it('keeps of a long list what a form does not show', async () => {
    const path = '/shop/settings/teams'
    const [team] = await teamsOf(owner, 'wide-0')
    assert.ok(team !== undefined)
    assert.equal(team.members.total, WIDTH.people)
    assert.equal(team.projects.total, WIDTH.projects)
    const ids = (list: typeof team.members) => list.shown.map(({ id }) => String(id))
    const [firstPerson = '', ...otherPeople] = ids(team.members)
    const input = {
      ...{ team: String(team.id), name: 'Everybody but one', asksProjects: 'on', seen: team.seen },
      ...{ members: otherPeople, membersListed: [firstPerson, ...otherPeople], admins: [] },
      ...{ projects: ids(team.projects), projectsListed: ids(team.projects) },
    }
    await resultOf(await owner.act('team.save', path, input))
    const [changed] = await teamsOf(owner, 'wide-0')
    assert.equal(changed?.members.total, WIDTH.people - 1)
    assert.equal(changed?.projects.total, WIDTH.projects)
  })

  async function sizeOf(who: Person, path: string) {
    const text = await (await who.document(path)).text()
    return { chars: text.length, elements: text.match(/<[a-z]/g)?.length ?? 0 }
  }
})

interface Choice {
  readonly id: number
  readonly name: string
}

async function found(who: Person, query: string) {
  const answer = await (await who.script(`/shop/choices?${query}`)).json()
  return answer as { projects: Choice[]; people: Choice[]; held?: number[] } // as `answerChoices` says it
}

interface TeamRow {
  readonly id: number
  readonly slug: string
  readonly seen: string | null
  readonly members: { readonly shown: readonly Choice[]; readonly total: number }
  readonly projects: { readonly shown: readonly Choice[]; readonly total: number }
}

async function teamsOf(who: Person, slug: string) {
  const path = `/shop/settings/teams?team=${slug}`
  const { teams } = await pageOf<{ teams: readonly TeamRow[] }>(who, path, 'org-settings.teams')
  return teams.filter((team) => team.slug === slug)
}
