/**
 * A session that an organisation's identity provider began, for somebody who owns another organisation: every page,
 * action, handler and call of the web API, asked of either organisation and of the account. Whoever runs the provider can
 * name anybody, so that it must neither show nor change what is not of its organisation.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { secretHash } from '../../packages/server/src/access/secrets.ts'
import { API_ROUTES } from '../../packages/server/src/http/api/routes.ts'
import { actions, handlers } from '../../packages/web/src/shell/features.server.ts'
import { pages } from '../../packages/web/src/shell/pages.ts'
import {
  apiProblems,
  apiVerdict,
  canaryProblems,
  documentProblems,
  inProject,
  isSigned,
  pageDataProblems,
} from '../support/access-problems.ts'
import { fill } from '../support/access-state.ts'
import { ACTION_INPUTS, actionAddress } from '../support/action-inputs.ts'
import { changeBeside, readBeside } from '../support/beside.ts'
import { joinAs, type Person, person, resultOf } from '../support/person.ts'
import {
  CANARIES,
  type Things,
  type TwoOrganisations,
  twoOrganisations,
} from '../support/two-organisations.ts'
import { verdictInProject, verdictOf } from '../support/verdicts.ts'

const SEAT = 'viewer'
const EMAIL = 'victim@rival.example'

describe('the session of an organisation’s provider', () => {
  let world: TwoOrganisations
  /** By the provider of the shop, and with their own password. */
  let asker: Person
  let own: Person

  before(async () => {
    world = await twoOrganisations()
    own = await victimOf(world)
    asker = begunByProvider(world, own)
  })
  after(() => world?.running[Symbol.asyncDispose]())

  it('opens pages of its organisation by its role there, and none of another', async () => {
    const wrong: string[] = []
    for (const { path, access } of pages) {
      const verdict = inProject(path) ? verdictInProject(access, SEAT) : verdictOf(access, SEAT)
      const asked = { address: fill(path, world.shop), access, verdict, seat: SEAT } as const
      wrong.push(...(await documentProblems(await asker.document(asked.address), asked)))
      wrong.push(...(await pageDataProblems(await asker.pageData(asked.address), asked)))
      if (!path.startsWith('/:org')) continue
      const there = { ...asked, address: fill(path, world.rival), verdict: 'missing' } as const
      wrong.push(...(await documentProblems(await asker.document(there.address), there)))
      wrong.push(...(await pageDataProblems(await asker.pageData(there.address), there)))
    }
    for (const { path } of handlers)
      for (const things of [world.shop, world.rival]) {
        const address = fill(path, things)
        wrong.push(...canaryProblems(await (await asker.script(address)).text(), SEAT, address))
      }
    assert.deepEqual(wrong, [])
  })

  it('calls the web API by its role there, and nothing of another organisation', async () => {
    const before = accountOf(world)
    const wrong: string[] = []
    for (const route of API_ROUTES) {
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : { name: 'Taken over' }
      const ask = (things: Things) => asker.api(route.method, fill(route.pattern, things), body)
      const verdict = apiVerdict(route, SEAT)
      const isNamed = /\{(?:org|issue)\}/.test(route.pattern)
      if (verdict !== 'open' || route.method === 'GET')
        wrong.push(...(await apiProblems(await ask(world.shop), { route, verdict, seat: SEAT })))
      if (!isNamed || isSigned(route)) continue
      // Where no organisation is named, what their role lacks anywhere is refused before anything is looked for.
      const isRefusedFirst =
        !route.pattern.includes('{org}') && verdictOf(route.permission, SEAT) === 'forbidden'
      const asked = { route, verdict: isRefusedFirst ? 'forbidden' : 'missing', seat: SEAT } as const
      wrong.push(...(await apiProblems(await ask(world.rival), asked)))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(accountOf(world), before)
  })

  it('changes by actions nothing of another organisation, and nothing of the account', async () => {
    const before = accountOf(world)
    const wrong: string[] = []
    for (const { name } of actions) {
      if (name === 'auth.sign-out' || !(name in ACTION_INPUTS)) continue
      for (const things of [world.rival, world.shop]) {
        const isOfShop = things === world.shop
        if (isOfShop && !/^(?:auth|account|app|system|list|search|org)\./.test(name)) continue
        const input = ACTION_INPUTS[name]?.(things) ?? {}
        const answer = await asker.act(name, actionAddress(name, things), input)
        const text = await answer.text()
        wrong.push(...canaryProblems(text, SEAT, name))
        if (answer.status >= 500 && name !== 'self-test.fail') wrong.push(`${name}: ${answer.status}`)
        const after = accountOf(world)
        if (JSON.stringify(after) !== JSON.stringify(before)) {
          const changed = Object.keys(after).filter(
            (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
          )
          wrong.push(`${name} at ${things.org} changed ${changed.join()}: ${text.slice(0, 150)}`)
          Object.assign(before, after)
        }
      }
    }
    assert.deepEqual(wrong, [])
    assert.equal((await own.document('/account')).status, 200, 'their own session is there')
  })
})

/** Owns the rival's organisation beside its owner, views the shop, and has a token and a device that say so. */
async function victimOf({ running, url, seats, shop, rival }: TwoOrganisations): Promise<Person> {
  const invite = async (by: Person, org: string, role: string, teams: readonly string[]) => {
    const input = { email: EMAIL, role, teams, projects: [] }
    return resultOf<{ url: string }>(await by.act('member.invite', `/${org}/settings/members`, input))
  }
  const first = await invite(seats['owner of another organisation'], rival.org, 'owner', [])
  const joined = await joinAs(url, first.url, 'a password of twenty')
  const second = await invite(seats.owner, shop.org, 'viewer', [frontOf(running.data)])
  await joined.act('auth.join-signed-in', new URL(second.url).pathname, {})
  const token = { name: CANARIES.rival, kind: 'personal', scopes: ['org:read'] }
  await joined.act('token.create', `/${rival.org}/settings/tokens`, token)
  return joined
}

/** The team that holds the project. */
function frontOf(data: string): string {
  const sql = `SELECT id FROM teams WHERE name = 'Front'`
  return readBeside(data, 'control.sqlite', (control) => String(control.prepare(sql).get()?.id))
}

/**
 * Makes a session begun by a provider, with a device of its own. `commands/single-sign-on.test.ts` holds how
 * one comes about.
 */
function begunByProvider({ running, url, shop }: TwoOrganisations, own: Person): Person {
  const cookie = 'a-session-that-the-provider-of-the-shop-began'
  const [name, secret = ''] = (own.cookie ?? '').split('=')
  changeBeside(
    running.data,
    `INSERT INTO sessions (user_id, token_hash, created_ms, seen_ms, confirmed_ms, org_id)
      SELECT user_id, '${secretHash(cookie)}', created_ms, seen_ms, confirmed_ms,
        (SELECT id FROM organisations WHERE slug = '${shop.org}')
      FROM sessions WHERE token_hash = '${secretHash(secret)}';
    UPDATE sessions SET user_agent = '${CANARIES.rival}/1.0', address = '203.0.113.77'
      WHERE token_hash = '${secretHash(secret)}';`,
  )
  return person(url, `${name}=${cookie}`)
}

/** Returns the account in the control store, and the organisation that is not the provider's. */
function accountOf({ running, rival }: TwoOrganisations): Record<string, unknown> {
  return readBeside(running.data, 'control.sqlite', (control) => {
    const all = (sql: string, ...params: readonly string[]) =>
      control
        .prepare(sql)
        .all(...params)
        .map((row) => ({ ...row }))
    const org = `(SELECT id FROM organisations WHERE slug = '${rival.org}')`
    const user = `(SELECT id FROM users WHERE email = '${EMAIL}')`
    const project = `(SELECT id FROM projects WHERE org_id = ${org})`
    return {
      user: all(
        `SELECT email, name, password_hash, is_operator, theme, landing FROM users WHERE id = ${user}`,
      ),
      sessions: all(`SELECT id FROM sessions WHERE user_id = ${user} AND org_id IS NULL`),
      passkeys: all(`SELECT * FROM passkeys WHERE user_id = ${user}`),
      memberships: all(`SELECT * FROM memberships WHERE user_id = ${user} OR org_id = ${org}`),
      organisations: all('SELECT * FROM organisations'),
      projects: all(`SELECT id, slug, name FROM projects WHERE org_id = ${org}`),
      keys: all(`SELECT * FROM project_keys WHERE project_id IN ${project}`),
      issues: all(`SELECT id, status, substatus FROM issues WHERE project_id IN ${project}`),
      tokens: all(`SELECT id, name FROM tokens WHERE org_id = ${org}`),
      rules: all(`SELECT * FROM alert_rules WHERE org_id = ${org}`),
      searches: all(`SELECT * FROM saved_searches WHERE org_id = ${org}`),
    }
  })
}
