/**
 * The whole engine without threads over a temporary directory, two organisations and people of every role: what the
 * tests of commands, queries and web API begin with. Events go in through accept, journal, process and commit.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccept } from '#accept/accept.ts'
import { createAccess } from '#access/access.ts'
import { createPasswordHasher } from '#access/password.ts'
import { createSeal, SEAL_KEY_BYTES } from '#access/seal.ts'
import type { PersonViewer, Viewer } from '#access/viewer.ts'
import { createLookUps } from '#artifacts/look-ups.ts'
import { manualClock } from '#base/clock.ts'
import { type ProjectId, seq, type TeamId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import type { Result } from '#base/result.ts'
import type { Asking, RequestFacts } from '#commands/asking.ts'
import { createChanges } from '#commands/changes.ts'
import { createCommands } from '#commands/commands.ts'
import type { SignedIn } from '#commands/sessions.ts'
import { createCommit } from '#commit/commit.ts'
import { createApi } from '#http/api/api.ts'
import { createMcp } from '#http/mcp/mcp.ts'
import { readJournalRange } from '#journal/read.ts'
import { openJournal } from '#journal/writer.ts'
import type { Kinds } from '#kinds/kind.ts'
import { KINDS } from '#kinds/kinds.ts'
import { readWebhookUrl } from '#notices/channels/webhook/webhook-url.ts'
import { createSendWays } from '#notices/deliver.ts'
import { createSendMessage } from '#notices/send-message.ts'
import type { Role } from '#ports/accounts.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { createProcessor } from '#process/process.ts'
import { packBatch, unpackBatch } from '#process/transfer.ts'
import { createQueries } from '#queries/queries.ts'
import { createReadAnswers } from '#queries/read-answers.ts'
import { createRegrouping } from '#queries/regrouping.ts'
import { routesOfProjects } from '#queries/shown-routes.ts'
import { createFlowSeal } from '#sign-in/flow.ts'
import { createGuardedFetch } from '#sign-in/guarded-fetch.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { createDeletion } from '#store/embedded/care/deletion.ts'
import { createMaps } from '#symbolicate/lookup.ts'
import { NOW } from '../builders/times.ts'
import { holdToDescription } from '../described-answers.ts'
import { openStores } from './api-stores.ts'
import { openArtifacts } from './artifacts.ts'
import { FACTS_OF_SYSTEM } from './system-facts.ts'

/** A Saturday, 12:00 UTC. */
export const URL_HERE = 'http://localhost:9000'
export const FACTS: RequestFacts = { address: '192.0.2.7', userAgent: 'test' }
export const PASSWORD = 'correct horse battery'
/** Builds somebody who asks for a change from the tests' own browser. */
export function asking<Who extends Viewer>(viewer: Who, scope: ReadScope): Asking<Who> {
  return { viewer, scope, ...FACTS }
}

const CHEAP = { parameters: { memoryKib: 64, passes: 1, parallelism: 1 } }
/** First path segments of the app. */
const RESERVED: readonly string[] = ['setup', 'sign-in', 'system', 'api']

export type ApiWorld = Awaited<ReturnType<typeof openWorld>>

interface WorldOptions {
  /** `null`: no address was set. */
  readonly url?: string | null
  /** Links can be emailed: they wait in the control store for whoever delivers. */
  readonly mail?: boolean
  /** Identity providers may run inside the test; default: they may. */
  readonly privateIssuers?: boolean
  /** Default: those of this version. */
  readonly kinds?: Kinds
}

type Around = (work: () => Promise<void>) => Promise<void>

/** Real, but for a mail server; receivers of tests are on loopback. */
function alertTests(parts: Pick<Parameters<typeof createSendMessage>[0], 'publicAddress' | 'clock'>) {
  const setting = { smtp: null, privateTargets: true, version: '1', ...parts }
  const ways = createSendWays(setting)
  return {
    sendMessage: createSendMessage({ ...setting, ...ways }),
    call: ways.call,
    webhookUrl: (text: string) => readWebhookUrl(text, setting.privateTargets),
  }
}

/** An engine that nobody has set up. */
export async function openWorld({
  url = URL_HERE,
  mail = false,
  privateIssuers = true,
  kinds = KINDS,
}: WorldOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-world-'))
  const clock = manualClock(NOW)
  const stores = await openStores(directory, clock, kinds)
  const { control, reader, telemetry, segments, eventIds, blobs, largeBlobs } = stores
  const uploads = await openArtifacts(directory, clock)
  const { artifacts } = uploads
  const log = silentLog
  const random = systemRandom
  /** DNS records by name. */
  const dnsTexts = new Map<string, readonly string[]>()
  const journal = await openJournal({ directory: join(directory, 'journal'), clock, appliedSeq: seq(0), log })
  let known: IngestDirectory = await reader.ingestDirectory()
  const accept = createAccept({ journal, directory: known, blobs: largeBlobs, clock, random, log })
  // No map is ever made ready here, so none is opened.
  const ranMaps = createMaps({ index: uploads.reader, open: () => null })
  const processor = createProcessor({ kinds, directory: known, log, maps: ranMaps })
  const commit = createCommit({
    ...{ kinds, encoding: encodeRows, control, telemetry, segments, eventIds, blobs, clock, log },
  })
  await commit.recover()
  const publicAddress = new PublicAddress({ url, port: 9_000 })
  const access = createAccess({
    ...{ accounts: reader, secondFactors: reader, agentClients: reader },
    noteUse: (used) => createChanges(control).own('noteUse', used),
    clock,
  })
  const queries = createQueries({
    accounts: reader,
    artifacts,
    projects: reader,
    issues: reader,
    releases: reader,
    health: reader,
    channels: reader,
    messages: reader,
    trackers: reader,
    onOldLinks: (issue) => void control.refreshLinks(issue, clock.now()),
    ...{ notices: reader, inbox: reader },
    alerts: reader,
    noticeFacts: { mailFrom: null, privateTargets: false },
    outcomes: reader,
    requests: reader,
    skew: reader,
    singleSignOn: reader,
    agentClients: reader,
    system: reader,
    ...{ datasets: kinds.datasets, telemetry, longQuestions: { waits: () => null } },
    payloads: segments,
    eventIds,
    ...{ blobs, attachments: reader, largeBlobs },
    // No map is ever made ready here, so none is opened.
    lookUps: createLookUps({
      index: uploads.index,
      maps: createMaps({ index: uploads.index, open: () => null }),
    }),
    readAgain: async (_row, event) => event,
    regrouping: createRegrouping(),
    answers: createReadAnswers({ skew: reader, projects: reader, releases: reader, requests: reader, clock }),
    routesOf: routesOfProjects(() => known),
    seal: createSeal(new Uint8Array(SEAL_KEY_BYTES)),
    clock,
    publicAddress,
    systemFacts: async () => FACTS_OF_SYSTEM,
  })
  const refreshDirectory = async (): Promise<void> => {
    known = await reader.ingestDirectory()
    accept.setDirectory(known)
    processor.setDirectory(known)
  }
  let deletions = 0
  let hashings = 0
  const hasher = createPasswordHasher(CHEAP)
  const hide = createDeletion({
    ...{ control, telemetry, largeBlobs, log },
    removeQuarantine: () => commit.removeOldQuarantine(),
  })
  const commands = createCommands({
    changes: createChanges(control, { hide }),
    accounts: reader,
    secondFactors: reader,
    seal: createSeal(new Uint8Array(SEAL_KEY_BYTES)),
    projects: reader,
    issues: reader,
    releases: reader,
    deletion: {
      onDeleted: () => {
        deletions++
      },
    },
    alerts: {
      channels: reader,
      messages: reader,
      tests: alertTests({ publicAddress, clock }),
      wake: () => {},
    },
    trackers: {
      ...{ read: reader, version: '1', wake: () => {} },
      tests: alertTests({ publicAddress, clock }),
    },
    singleSignOn: {
      ...{ read: reader, seal: createFlowSeal() },
      calls: { fetch: createGuardedFetch({ privateIssuers }), privateIssuers },
      lookUpTexts: async (name) => dnsTexts.get(name) ?? [],
    },
    agents: reader,
    ...{ queries, largeBlobs },
    alertRules: { read: reader, wake: () => {} },
    artifacts,
    accept,
    clock,
    random,
    publicAddress,
    reservedSlugs: RESERVED,
    mailRoom: mail ? { wake: () => {} } : undefined,
    onDirectoryChanged: refreshDirectory,
    passwords: {
      ...hasher,
      verify(password, stored, asker) {
        hashings++
        return hasher.verify(password, stored, asker)
      },
    },
  })
  const api = createApi({ access, queries, commands, clock, publicAddress, log })
  const mcp = createMcp({ access, queries, commands, clock, publicAddress, log, version: '0.0.0' })
  /** Everything accepted so far through process and commit, in batches of so many records; each commit within `around`. */
  const drain = async (recordsMax = 100, around: Around = (work) => work()): Promise<void> => {
    await accept.flush()
    for (;;) {
      const range = journal.takeRange(recordsMax, recordsMax * 1e5)
      if (range === null) return
      const { message } = packBatch(processor.process(readJournalRange(range), range), {
        ...{ kinds, encoding: encodeRows },
      })
      await around(async () => void (await commit.commit(unpackBatch(message, kinds))))
      await telemetry.setHidden(await control.hidden())
      journal.release(range.lastSeq)
    }
  }
  return {
    ...{
      directory,
      clock,
      dnsTexts,
      control,
      reader,
      publicAddress,
      telemetry,
      segments,
      largeBlobs,
      access,
      queries,
      commands,
      api,
      mcp,
      accept,
      drain,
      refreshDirectory,
    },
    uploads,
    /** How often ingest was told that something was deleted. */
    deletions: () => deletions,
    /** How often a password was compared, which takes a hash. */
    hashings: () => hashings,
    async close() {
      await accept.close()
      await journal.close()
      await stores.close()
      uploads.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok)
    throw new Error(`refused: ${result.code} ${result.message} ${JSON.stringify(result.fields ?? {})}`)
  return result.value
}

export interface ApiPerson {
  readonly email: string
  readonly cookie: string
  /** Read anew: memberships change. */
  viewer(): Promise<PersonViewer>
  scope(organisation?: string): Promise<ReadScope>
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * Acme with the projects `shop` (its team has member and viewer) and `vault` (a team of nobody), one person a role;
 * Rival with a project `shop` and its own owner.
 */
export async function openShop(options: WorldOptions = {}) {
  const world = await openWorld(options)
  const { commands } = world
  const made = unwrap(
    await commands.setup(FACTS, {
      code: commands.setupCode(),
      email: 'owner@acme.test',
      password: PASSWORD,
      name: 'Ada',
      organisation: 'Acme',
      project: 'Shop',
      platform: 'node',
    }),
  )
  const owner = personOf(world, 'owner@acme.test', made.signedIn)
  const [viewer, scope] = [await owner.viewer(), await owner.scope('acme')]
  const teams = await world.queries.teams(scope)
  const team =
    teams[0]?.id ?? unwrap(await commands.run('createTeam', asking(viewer, scope), { name: 'Everybody' })).id
  const shop = (await world.queries.projects(scope)).find(({ slug }) => slug === 'shop')
  if (shop === undefined) throw new Error('no shop')
  unwrap(await commands.run('setTeam', asking(viewer, scope), { team, change: { projects: [shop.id] } }))
  const closed = unwrap(await commands.run('createTeam', asking(viewer, scope), { name: 'Closed' }))
  const vault = unwrap(
    await commands.run('createProject', asking(viewer, scope), {
      name: 'Vault',
      platform: null,
      teams: [closed.id],
    }),
  )
  const people = {
    owner,
    manager: await joinByInvitation(world, owner, { email: 'manager@acme.test', role: 'manager', teams: [] }),
    member: await joinByInvitation(world, owner, {
      email: 'member@acme.test',
      role: 'member',
      teams: [team],
    }),
    viewer: await joinByInvitation(world, owner, {
      email: 'viewer@acme.test',
      role: 'viewer',
      teams: [team],
    }),
    guest: await joinByInvitation(world, owner, {
      ...{ email: 'guest@acme.test', role: 'guest', teams: [] },
      projects: [shop.id],
    }),
    rival: await rivalOf(world, owner),
  }
  const token = unwrap(
    await commands.createToken(asking(viewer, scope), { name: 'all', scopes: ALL_SCOPES, personal: false }),
  ).token
  const vaultDsn = world.queries.dsn({ public: vault.keyPublic, projectId: vault.project.id })
  return { ...world, people, token, dsn: made.dsn, vaultDsn, team, shop, vault: vault.project }
}

const ALL_SCOPES = ['org:admin', 'project:admin', 'event:admin', 'member:write', 'team:write', 'org:read']

function personOf(world: ApiWorld, email: string, { cookie }: SignedIn): ApiPerson {
  const viewer = async (): Promise<PersonViewer> => {
    const found = await world.access.authenticateSession(cookie, world.clock.now())
    if (found === null) throw new Error(`${email} is signed out`)
    return found
  }
  return {
    email,
    cookie,
    viewer,
    async scope(organisation = 'acme') {
      const found = world.access.scope(await viewer(), organisation)
      if (found === null) throw new Error(`${email} sees no ${organisation}`)
      return found
    },
  }
}

async function joinByInvitation(
  world: ApiWorld,
  by: ApiPerson,
  invited: {
    readonly email: string
    readonly role: Role
    readonly teams: readonly TeamId[]
    readonly projects?: readonly ProjectId[]
  },
): Promise<ApiPerson> {
  const { commands } = world
  const { code } = unwrap(
    await commands.run('invite', asking(await by.viewer(), await by.scope('acme')), invited),
  )
  const account = { name: invited.email.split('@')[0] ?? '', password: PASSWORD }
  const signedIn = unwrap(await commands.acceptInvitation(FACTS, { code, ...account }))
  return personOf(world, invited.email, signedIn)
}

/** Owner of another organisation, and nothing at Acme. */
async function rivalOf(world: ApiWorld, operator: ApiPerson): Promise<ApiPerson> {
  const { commands } = world
  const { slug } = unwrap(
    await commands.createOrganisation({ viewer: await operator.viewer(), ...FACTS }, 'Rival'),
  )
  const [viewer, scope] = [await operator.viewer(), await operator.scope(slug)]
  const invited = { email: 'owner@rival.test', role: 'owner', teams: [] } as const
  const { code } = unwrap(await commands.run('invite', asking(viewer, scope), invited))
  const signedIn = unwrap(await commands.acceptInvitation(FACTS, { code, name: 'Riva', password: PASSWORD }))
  const rival = personOf(world, invited.email, signedIn)
  unwrap(
    await commands.run('createProject', asking(await rival.viewer(), await rival.scope(slug)), {
      name: 'Shop',
      platform: 'node',
      teams: [],
    }),
  )
  const theirs = asking(await rival.viewer(), await rival.scope(slug))
  unwrap(await commands.run('removeMember', theirs, { user: viewer.user.id }))
  return rival
}

/** Sends one event to a DSN and stores it. */
export async function send(
  world: Pick<ApiWorld, 'accept' | 'drain'>,
  dsn: string,
  event: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { eventId } = await sendTo(world, dsn, { format: 'store', body: Buffer.from(JSON.stringify(event)) })
  if (eventId === null) throw new Error('not accepted')
  return eventId
}

/** Whatever an envelope holds. */
export async function sendEnvelope(
  world: Pick<ApiWorld, 'accept' | 'drain'>,
  dsn: string,
  body: Uint8Array,
): Promise<void> {
  const { status } = await sendTo(world, dsn, { format: 'envelope', body })
  if (status !== 200) throw new Error(`not accepted: ${status}`)
}

async function sendTo(
  world: Pick<ApiWorld, 'accept' | 'drain'>,
  dsn: string,
  of: { readonly format: 'store' | 'envelope'; readonly body: Uint8Array },
) {
  const { username, pathname } = new URL(dsn)
  const answer = await world.accept.accept({
    projectRef: pathname.slice(1),
    format: of.format,
    query: new URLSearchParams({ sentry_key: username }),
    sentryAuth: null,
    authorization: null,
    contentEncoding: null,
    contentType: of.format === 'store' ? 'application/json' : 'application/x-sentry-envelope',
    origin: null,
    referer: null,
    userAgent: 'sdk/1',
    clientAddress: '198.51.100.4',
    body: of.body,
    relay: null,
  })
  await world.drain()
  return answer
}

/** Calls the web API; `who` is a token or a person with a session. */
export function callerOf(world: Pick<ApiWorld, 'api'>) {
  return async (
    who: string | ApiPerson | null,
    call: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const [method = 'GET', path = '/'] = call.split(' ')
    const identity =
      who === null
        ? {}
        : typeof who === 'string'
          ? { authorization: `Bearer ${who}` }
          : { cookie: `errata=${who.cookie}`, origin: URL_HERE, 'sec-fetch-site': 'same-origin' }
    const answer = await world.api(
      new Request(`${URL_HERE}/api/0${path}`, {
        method,
        headers: { ...identity, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
      { clientAddress: '192.0.2.7' },
    )
    if (answer === null) throw new Error(`${call} is not the web API`)
    const text = await answer.text()
    // Of a file whose rows are text, which may be none.
    const isFile = /^(?:text\/csv|application\/x-ndjson)/.test(answer.headers.get('content-type') ?? '')
    const parsed: unknown = isFile ? text : text === '' ? null : JSON.parse(text)
    await holdToDescription({ method, path: path.split('?')[0] ?? '' }, answer.status, parsed)
    return { status: answer.status, headers: answer.headers, body: parsed }
  }
}
