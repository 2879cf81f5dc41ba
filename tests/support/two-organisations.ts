/**
 * An installation with everybody who may ask: all roles of an organisation, a member whose teams hold no project, a guest of another project,
 * an operator who is in no organisation, and the owner of another organisation. Canary words stand in everything that
 * only some of them may read.
 */
import assert from 'node:assert/strict'
import { SCOPES } from '@errata/server/access'
import { aMetricRule, anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { FRAME } from '../../packages/web/src/wire/names.ts'
import { apiGet, issues } from './api.ts'
import { joinAs, type Person, person, resultOf, signIn } from './person.ts'
import { anEvent, send, sendSpans } from './send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from './start-errata.ts'
import { waitFor } from './wait-for.ts'

/** Texts in names and titles that only those may read whom the name says. */
export const CANARIES = {
  shopOrganisation: 'canary-of-the-shop',
  shopProject: 'canary-of-its-project',
  rival: 'canary-of-the-rival',
} as const

export const SEATS = [
  'owner',
  'manager',
  'member',
  'viewer',
  'member of another team',
  'guest',
  'guest of another project',
  'operator',
  'owner of another organisation',
  'nobody',
] as const
export type Seat = (typeof SEATS)[number]

/** Things that addresses and inputs name. */
export interface Things {
  readonly org: string
  readonly project: string
  readonly projectId: number
  readonly key: string
  readonly keyId: number
  readonly issue: string
  readonly issueId: string
  readonly event: string
  /** Id of a file that was sent with that event. */
  readonly attachment: string
  /** Trace of that event. */
  readonly trace: string
  /** With clicks of stale tabs. */
  readonly deploy: string
  readonly digest: string
  readonly team: string
  readonly teamId: number
  readonly userId: number
  readonly tokenId: number
  readonly token: string
  readonly codeHash: string
  readonly sessionId: number
  readonly release: string
  /** Id of a file that was uploaded for it. */
  readonly releaseFile: string
  /** Id of a saved search that everybody has; its issue is shared by a link. */
  readonly search: string
  /** Rules on issues and on a metric; both watch the project. */
  readonly channel: string
  /** That went there. */
  readonly message: string
  readonly tracker: string
  readonly rule: string
  readonly metricRule: string
}

export interface TwoOrganisations {
  readonly running: RunningErrata & { readonly shop: SetUp }
  readonly url: string
  readonly seats: Readonly<Record<Seat, Person>>
  readonly shop: Things
  readonly rival: Things
}

const PASSWORD = 'a password of twenty'
const SHOP_DIGEST = '2674428404'
const RIVAL_DIGEST = '3885539515'

export async function twoOrganisations(): Promise<TwoOrganisations> {
  const running = await startShop()
  try {
    return await filled(running)
  } catch (cause) {
    await running[Symbol.asyncDispose]() // else the process outlives the failed suite
    throw cause
  }
}

async function filled(running: TwoOrganisations['running']): Promise<TwoOrganisations> {
  const { url, shop: setup } = running
  const rosa = await signIn(url, OWNER)
  await rosa.act('org.rename', '/shop/settings', {
    name: `Shop ${CANARIES.shopOrganisation}`,
    slug: setup.organisation,
  })
  const teamId = await teamFor(rosa, setup)
  const emptyTeamId = await resultOf<number>(
    await rosa.act('team.create', `/${setup.organisation}/settings/teams`, { name: 'Back' }),
  )
  const seat = inviter(url, rosa, setup.organisation)
  const seats = {
    owner: await seat('owner'),
    manager: await seat('manager'),
    member: await seat('member', [teamId]),
    viewer: await seat('viewer', [teamId]),
    'member of another team': await seat('member', [emptyTeamId]),
    guest: await seat('guest', [], [await projectIdOf(setup)]),
    'guest of another project': await seat('guest', [], [await otherProject(rosa, setup)]),
    operator: rosa,
    'owner of another organisation': await rivalOwner(url, rosa),
    nobody: person(url, null),
  }
  await leave(rosa, seats.owner, setup.organisation)
  const rivalOwns = seats['owner of another organisation']
  await leave(rosa, rivalOwns, RIVAL)
  const rivalSetup = await rivalSetUp(rivalOwns, url)
  return {
    running,
    url,
    seats,
    shop: await thingsOf(seats.owner, setup, { digest: SHOP_DIGEST, canary: CANARIES.shopProject }),
    rival: await thingsOf(rivalOwns, rivalSetup, { digest: RIVAL_DIGEST, canary: CANARIES.rival }),
  }
}

const RIVAL = 'rival'

/** Renames the project so that its name can be looked for, and opens it to a team. */
async function teamFor(rosa: Person, setup: SetUp): Promise<number> {
  const name = `Web ${CANARIES.shopProject}`
  await rosa.api('PUT', `/projects/${setup.organisation}/${setup.project}/`, { name })
  const settings = `/${setup.organisation}/settings/teams`
  const team = await resultOf<number>(await rosa.act('team.create', settings, { name: 'Front' }))
  const project = await apiGet<{ id: string }>(setup, `/projects/${setup.organisation}/${setup.project}/`)
  const input = { team: String(team), name: 'Front', members: [], projects: [project.id] }
  await resultOf(await rosa.act('team.save', settings, input))
  return team
}

async function projectIdOf({ organisation, project, ...of }: SetUp): Promise<string> {
  const path = `/projects/${organisation}/${project}/`
  return (await apiGet<{ id: string }>({ organisation, project, ...of }, path)).id
}

/** Makes a project of the same organisation that nobody but its guest, owners and managers have. */
async function otherProject(rosa: Person, { organisation }: SetUp): Promise<string> {
  const input = { name: 'Elsewhere', slug: 'elsewhere', platform: '', teams: [] }
  const answer = await rosa.act('project.create', `/${organisation}/projects/new`, input)
  if (!answer.ok) throw new Error(`no other project: ${await answer.text()}`)
  const made = await rosa.api('GET', `/projects/${organisation}/elsewhere/`)
  const { id } = (await made.json()) as { readonly id: string } // as the web API answers
  return id
}

function inviter(url: string, by: Person, org: string) {
  let count = 0
  return async (
    role: string,
    teams: readonly number[] = [],
    projects: readonly string[] = [],
  ): Promise<Person> => {
    count += 1
    const input = { email: `person${count}@${org}.example`, role, teams: teams.map(String), projects }
    const made = await resultOf<{ url: string }>(
      await by.act('member.invite', `/${org}/settings/members`, input),
    )
    return joinAs(url, made.url, PASSWORD)
  }
}

async function rivalOwner(url: string, rosa: Person): Promise<Person> {
  await rosa.act('org.create', '/account', { name: RIVAL })
  const owner = await inviter(url, rosa, RIVAL)('owner')
  await owner.act('org.rename', `/${RIVAL}/settings`, { name: `Rival ${CANARIES.rival}`, slug: RIVAL })
  return owner
}

/** Takes `who` out of the organisation that `by` owns. */
async function leave(who: Person, by: Person, org: string): Promise<void> {
  const user = await userIdOf(who)
  await resultOf(await by.act('member.remove', `/${org}/settings/members`, { user: String(user) }))
}

/** A project and a token of the other organisation. */
async function rivalSetUp(owner: Person, url: string): Promise<SetUp> {
  const token = await makeToken(owner, RIVAL, [...SCOPES])
  const name = `Ledger ${CANARIES.rival}`
  await owner.act('project.create', `/${RIVAL}/projects/new`, { name, slug: 'ledger', platform: '' })
  const setup = { url, token, organisation: RIVAL, project: 'ledger', dsn: '' }
  const [key] = await apiGet<Key[]>(setup, `/projects/${RIVAL}/ledger/keys/`)
  return { ...setup, dsn: key?.dsn.public ?? '' }
}

interface Key {
  readonly id: string
  readonly dsn: { readonly public: string }
}

/** An organisation token; answers its secret. */
export async function makeToken(owner: Person, org: string, scopes: readonly string[]): Promise<string> {
  const input = { name: 'a script', kind: 'organisation', scopes }
  const made = await owner.act('token.create', `/${org}/settings/tokens`, input)
  return (await resultOf<{ token: string }>(made)).token
}

/** Sends a file with an event that is stored; returns its id. */
async function attachmentOf(
  setup: SetUp,
  { event, name }: { readonly event: string; readonly name: string },
): Promise<string> {
  const { username, pathname, origin } = new URL(setup.dsn)
  const item = JSON.stringify({ type: 'attachment', length: name.length, filename: name })
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: `${JSON.stringify({ event_id: event })}\n${item}\n${name}\n`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
  })
  assert.equal(answer.status, 200, await answer.text())
  const path = `/projects/${setup.organisation}/${setup.project}/events/${event}/attachments/`
  const [found] = await waitFor('the attachment', async () => {
    const files = await apiGet<readonly { id: string }[]>(setup, path)
    return files.length > 0 ? files : null
  })
  return found?.id ?? ''
}

/** Sends an event, opens an invitation, and reads the ids of everything. */
async function thingsOf(
  owner: Person,
  setup: SetUp,
  { digest, canary }: { readonly digest: string; readonly canary: string },
): Promise<Things> {
  const { organisation: org, project } = setup
  const tags = { digest, canary }
  const trace = digest.padStart(32, 'a')
  const span = digest.padStart(16, 'b')
  const contexts = { trace: { trace_id: trace, span_id: span } }
  const ofSpan = { id: span, segment: span, trace, op: 'http.server', name: 'GET /canary', ms: 5 }
  await sendSpans(setup.dsn, [{ ...ofSpan, atMs: Date.now() - 1_000 }])
  const event = await send(
    setup.dsn,
    anEvent({ type: 'CanaryError', message: canary, more: { tags, contexts } }),
  )
  const [issue] = await waitFor('the canary', async () => {
    const found = await issues(setup, canary)
    return found.length > 0 ? found : null
  })
  const invite = { email: `${canary}@invited.example`, role: 'viewer', teams: [] }
  await resultOf(await owner.act('member.invite', `/${org}/settings/members`, invite))
  const teamId = await anyTeam(owner, org)
  const [members, tokens, keys, sessions] = await Promise.all([
    pageOf<MembersPage>(owner, `/${org}/settings/members`, 'org-settings.members'),
    pageOf<{ tokens: readonly { id: number }[] }>(owner, `/${org}/settings/tokens`, 'org-settings.tokens'),
    pageOf<{ keys: readonly KeyRow[] }>(
      owner,
      `/${org}/projects/${project}/settings/keys`,
      'project-settings.keys',
    ),
    pageOf<{ sessions: readonly { id: number }[] }>(owner, '/account/sessions', 'account.sessions'),
  ])
  const teams = await apiGet<{ id: string; slug: string }[]>(setup, `/organizations/${org}/teams/`)
  const { id } = await apiGet<{ id: string }>(setup, `/projects/${org}/${project}/`)
  return {
    org,
    project,
    projectId: Number(id),
    key: keys.keys[0]?.public ?? '',
    keyId: keys.keys[0]?.id ?? 0,
    issue: issue?.shortId ?? '',
    issueId: issue?.id ?? '',
    event,
    attachment: await attachmentOf(setup, { event, name: `${canary}.txt` }),
    trace,
    deploy: await skewedDeployOf(setup, canary),
    digest,
    team: teams.find((team) => team.id === String(teamId))?.slug ?? '',
    teamId,
    userId: members.members.find(({ role }) => role !== 'owner')?.userId ?? members.userId,
    tokenId: tokens.tokens[0]?.id ?? 0,
    token: setup.token,
    codeHash: members.invitations.find(({ email }) => email.includes(canary))?.codeHash ?? '',
    sessionId: sessions.sessions[0]?.id ?? 0,
    ...(await releaseFileOf(setup, canary)),
    // Its name is the organisation's: whoever is in it sees shared searches, whatever they may read.
    search: await sharedSearchOf(owner, {
      ...{ org, issue: issue?.shortId ?? '' },
      name: canary === CANARIES.rival ? canary : CANARIES.shopOrganisation,
    }),
    rule: await alertRuleOf(setup, { ...anIssueRule({ on: 'new' }), name: canary, projects: [Number(id)] }),
    ...(await sentAlert(setup, org === RIVAL ? CANARIES.rival : CANARIES.shopOrganisation)),
    metricRule: await alertRuleOf(setup, { ...aMetricRule(), name: canary, projects: [Number(id)] }),
  }
}

/** Answers the id of the deploy that a tab of an old build is counted for. */
async function skewedDeployOf(setup: SetUp, canary: string): Promise<string> {
  const message = `Server Action "${canary}" was not found on the server`
  const type = 'UnrecognizedActionError'
  await send(setup.dsn, anEvent({ type, message, more: { platform: 'javascript' } }))
  return waitFor('the stale click', async () => {
    const path = `/organizations/${setup.organisation}/skew/`
    const { data } = await apiGet<{ data: readonly { id: string }[] }>(setup, path)
    return data[0]?.id ?? null
  })
}

async function sharedSearchOf(
  owner: Person,
  { org, issue, name }: { readonly org: string; readonly issue: string; readonly name: string },
): Promise<string> {
  await owner.api('POST', `/organizations/${org}/issues/${issue}/share/`, {})
  const search = { name, query: 'is:new', visibility: 'organization' }
  const answer = await owner.api('POST', `/organizations/${org}/searches/`, search)
  const { id } = (await answer.json()) as { id: string } // the shape that the web API answers
  return id
}

async function alertRuleOf({ url, token, organisation }: SetUp, rule: object): Promise<string> {
  const answer = await fetch(`${url}/api/0/organizations/${organisation}/alerts/rules/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  })
  const { id } = (await answer.json()) as { id: number } // the shape that the web API answers
  return String(id)
}

/** A channel, a message that went there (a test of a rule that notifies it), and an issue tracker. */
async function sentAlert(
  setup: SetUp,
  canary: string,
): Promise<Pick<Things, 'channel' | 'message' | 'tracker'>> {
  const { url, token, organisation, project } = setup
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api/0/organizations/${organisation}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { id: number } // the shape that the web API answers
  }
  // No mail server is there: what goes to it stays in the log.
  const values = { address: `${canary}@receiver.example` }
  const { id: channel } = await post('/alert-channels/', { kind: 'email', name: canary, values })
  const { id } = await apiGet<{ id: string }>(setup, `/projects/${organisation}/${project}/`)
  const notify = [{ target: { to: 'channel', channelId: Number(channel) }, fromLevel: 'warning' }]
  const draft = { ...anIssueRule({ on: 'new' }), name: `to ${canary}`, projects: [Number(id)], notify }
  const rule = await alertRuleOf(setup, draft)
  await post(`/alerts/rules/${rule}/test/`, {})
  const [message] = await waitFor('the message', async () => {
    const log = await apiGet<{ messages: { id: number }[] }>(
      setup,
      `/organizations/${organisation}/alert-log/?channel=${channel}`,
    )
    return log.messages.length > 0 ? log.messages : null
  })
  const given = { kind: 'github', name: canary, values: { place: 'acme/shop', token: canary } }
  const { id: tracker } = await post('/trackers/', given)
  return { channel: String(channel), message: String(message?.id), tracker: String(tracker) }
}

async function releaseFileOf({ url, token, organisation, project }: SetUp, canary: string) {
  // In the address of its page, which an answer may repeat.
  const release = 'web@1.0.0'
  const form = new FormData()
  form.set('file', new Blob([`throw new Error('${canary}')`]), 'app.js')
  form.set('name', `~/${canary}.js`)
  const path = `/projects/${organisation}/${project}/releases/${encodeURIComponent(release)}/files/`
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/0${path}`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string } // the shape that the web API answers
  return { release, releaseFile: id }
}

interface MembersPage {
  readonly userId: number
  readonly members: readonly { readonly userId: number; readonly role: string }[]
  readonly invitations: readonly { readonly email: string; readonly codeHash: string }[]
}

interface KeyRow {
  readonly id: number
  readonly public: string
}

async function anyTeam(owner: Person, org: string): Promise<number> {
  const path = `/${org}/settings/teams`
  const known = await pageOf<{ teams: readonly { id: number }[] }>(owner, path, 'org-settings.teams')
  return known.teams[0]?.id ?? resultOf<number>(await owner.act('team.create', path, { name: 'Back' }))
}

async function userIdOf(who: Person): Promise<number> {
  const { viewer } = await pageOf<{ viewer: { id: number } }>(who, '/account', FRAME)
  return viewer.id
}

/** Returns the loader data of one route for the page at `path`. */
export async function pageOf<T>(who: Person, path: string, route: string): Promise<T> {
  const answer = await who.pageData(path)
  const body: unknown = await answer.json()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`)
  return (body as { data: Record<string, T> }).data[route] as T // the caller names the loader's answer
}
