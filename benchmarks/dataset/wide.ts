/** An installation of many teams, built by the product's own calls: organisations, projects, people, teams, rules, issues. */
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { OWNER, type RunningErrata } from '../server/errata.ts'
import { signInSession } from '../server/person.ts'
import { cpuMicros } from '../server/usage.ts'

export interface Width {
  readonly organisations: number
  /** Projects of the organisation that is looked at. */
  readonly projects: number
  /** Projects of all others together. */
  readonly otherProjects: number
  readonly people: number
  readonly teams: number
  readonly rules: number
  readonly issues: number
  readonly errors: number
  readonly spans: number
}

export interface Sender {
  readonly slug: string
  readonly key: string
  readonly id: string
}

/** Milliseconds of CPU of the whole process that each of some changes took. */
interface ChangeCosts {
  readonly earlyProjectMs: number | null
  readonly lateProjectMs: number | null
}

export interface WideInstallation {
  readonly senders: readonly Sender[]
  readonly costs: ChangeCosts
}

export interface Session {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  act<T>(action: string, path: string, input: unknown): Promise<T>
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

export type Address = Pick<RunningErrata, 'host' | 'port' | 'origin' | 'pid'>
/** Its clock is not this machine's. */
export type Timed = Address & { readonly nowMs: () => number }

/** Everything but events; while it runs nobody else asks anything, as CPU is of the whole process. */
export async function buildWide(errata: Address, org: string, width: Width): Promise<WideInstallation> {
  const owner = sessionOf(errata, await signInSession(errata))
  const names = numbers(width.projects).map((at) => `Agency client storefront ${String(at).padStart(4, '0')}`)
  const first = await timedProjects(errata, owner, { org, names: names.slice(0, WARM + SAMPLE) })
  await Promise.all([
    inParallel(names.slice(WARM + SAMPLE, -SAMPLE), (name) => makeProject(owner, org, name)),
    makeOthers(owner, org, width),
    addPeople(errata, owner, { org, width }),
  ])
  const last = await timedProjects(errata, owner, { org, names: names.slice(-SAMPLE) })
  const senders = await keysOf(owner, org, names)
  await makeRules(owner, org, { count: width.rules, senders })
  await makeServices(owner, org)
  return { senders, costs: { earlyProjectMs: first, lateProjectMs: last } }
}

/** Sessions of the owner and of somebody who sees three projects. */
export async function peopleOf(
  errata: Address,
): Promise<{ readonly owner: Session; readonly guest: Session }> {
  const owner = sessionOf(errata, await signInSession(errata))
  const guest = await signInSession(errata, { email: GUEST, password: OWNER.password })
  return { owner, guest: sessionOf(errata, guest) }
}

const GUEST = 'guest@wide.example'

async function makeOthers(owner: Session, org: string, width: Width): Promise<void> {
  const others = width.organisations - 1
  await inParallel(
    numbers(others),
    async (at) => {
      const { redirect } = await owner.act<{ redirect: string }>('org.create', `/${org}/settings`, {
        name: `Client ${at}`,
      })
      const own = redirect.split('/')[1] ?? ''
      const each = Math.ceil(width.otherProjects / Math.max(1, others))
      for (const project of numbers(each)) await makeProject(owner, own, `App ${project}`)
    },
    LANES,
  )
}

/** Each of three projects, as a team has them. */
async function makeRules(
  owner: Session,
  org: string,
  { count, senders }: { readonly count: number; readonly senders: readonly Sender[] },
): Promise<void> {
  await inParallel(numbers(count), async (at) => {
    const projects = numbers(3).map((next) => senders[(at * 3 + next) % senders.length]?.id ?? '')
    const rule = {
      projects,
      kind: 'issue',
      name: `Rule ${at}`,
      isOn: 'on',
      everyMinutes: '60',
      whenOn: ['new'],
      notifyTo: ['assignee'],
      notifyFrom: ['warning'],
    }
    await owner.act('alerts.save', `/${org}/alerts/rules/new`, rule)
  })
}

/** A channel and a tracker, which nobody calls: their pages are looked at. */
async function makeServices(owner: Session, org: string): Promise<void> {
  const name = 'Bench'
  await owner.call('POST', `/organizations/${org}/alert-channels/`, {
    ...{
      name,
      kind: 'webhook',
      values: { url: 'https://hooks.example.com/bench', secret: 'a signing secret' },
    },
  })
  await owner.call('POST', `/organizations/${org}/trackers/`, {
    ...{ name, kind: 'gitea', resolvesHere: false, closesThere: false },
    values: { server: 'https://git.example.com', place: 'acme/shop', token: 'a token' },
  })
}

/** Number of samples beside which a step of the kernel's clock, 10 ms, is next to nothing. */
const SAMPLE = 40
/** Projects before the first that is timed: the tenth is what the last is compared with. */
const WARM = 9

async function timedProjects(
  { pid }: Address,
  owner: Session,
  { org, names }: { readonly org: string; readonly names: readonly string[] },
): Promise<number | null> {
  const timed = names.slice(-SAMPLE)
  for (const name of names.slice(0, -SAMPLE)) await makeProject(owner, org, name)
  const before = cpuMicros(pid)
  for (const name of timed) await makeProject(owner, org, name)
  const after = cpuMicros(pid)
  return before === null || after === null ? null : (after - before) / 1_000 / timed.length
}

function makeProject(owner: Session, org: string, name: string): Promise<{ slug: string }> {
  return owner.call('POST', `/organizations/${org}/projects/`, { name })
}

/** Adds people in teams of their own: else each new issue would be told to all of them. */
async function addPeople(
  errata: Address,
  owner: Session,
  { org, width }: { readonly org: string; readonly width: Width },
): Promise<void> {
  const path = `/${org}/settings/members`
  const join = async (input: object) => {
    const { result } = await owner.act<{ result: { url: string } }>('member.invite', path, input)
    const { pathname } = new URL(result.url)
    await post(errata, {
      ...{ path: pathname, action: 'auth.join', cookie: null },
      input: { name: 'Somebody', password: OWNER.password },
    })
  }
  const made = await owner.call<readonly { id: string }[]>(
    'GET',
    `/organizations/${org}/projects/?per_page=3`,
  )
  await join({ email: GUEST, role: 'guest', teams: [], projects: made.map(({ id }) => id) })
  const teams: number[] = []
  for (const at of numbers(width.teams)) {
    const team = await owner.act<{ result: number }>('team.create', `/${org}/settings/teams`, {
      name: `Team ${at}`,
    })
    teams.push(team.result)
  }
  const member = (at: number) => ({
    ...{ email: `p${at}@wide.example`, role: 'member', teams: [String(teams[at % teams.length])] },
  })
  await inParallel(numbers(width.people), (at) => join(member(at)), HASHES_AT_ONCE)
}

const LANES = 4
/** Sign-ups at a time, as many as the server hashes: whoever waits longer is refused in the end. */
const HASHES_AT_ONCE = 2

async function keysOf(owner: Session, org: string, names: readonly string[]): Promise<readonly Sender[]> {
  const slugs = names.map((name) => name.toLowerCase().replaceAll(' ', '-'))
  const found: Sender[] = []
  await inParallel(slugs, async (slug) => {
    const [key] = await owner.call<readonly { dsn: { public: string } }[]>(
      'GET',
      `/projects/${org}/${slug}/keys/`,
    )
    if (key === undefined) throw new Error(`${slug} has no key`)
    const { username, pathname } = new URL(key.dsn.public)
    found.push({ slug, key: username, id: pathname.slice(1) })
  })
  return found
}

async function inParallel<T>(all: readonly T[], run: (one: T) => Promise<unknown>, lanes = 8): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < all.length) {
      const one = all[next++]
      if (one !== undefined) await run(one)
    }
  }
  await Promise.all(numbers(lanes).map(lane))
}

export function numbers(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => at)
}

interface Posted {
  readonly path: string
  readonly action: string
  readonly cookie: string | null
  readonly input: unknown
}

async function post(
  { host, port, origin }: Address,
  { path, action, cookie, input }: Posted,
): Promise<Response> {
  const answer = await fetch(`http://${host}:${port}${path}`, {
    ...{ method: 'POST', redirect: 'manual' },
    headers: {
      ...{
        origin,
        'sec-fetch-site': 'same-origin',
        [HEADERS.action]: action,
        'content-type': 'application/json',
      },
      ...(cookie === null ? {} : { cookie }),
    },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  return answer
}

function sessionOf(errata: Address, cookie: string): Session {
  const address = `http://${errata.host}:${errata.port}`
  return {
    get: (path, headers = { accept: 'text/html' }) =>
      fetch(`${address}${path}`, { redirect: 'manual', headers: { cookie, ...headers } }),
    async act<T>(action: string, path: string, input: unknown) {
      return (await (await post(errata, { path, action, cookie, input })).json()) as T // as the action answers
    },
    async call<T>(method: string, path: string, body?: unknown) {
      const answer = await fetch(`${address}/api/0${path}`, {
        method,
        headers: {
          ...{ cookie, origin: errata.origin, 'sec-fetch-site': 'same-origin' },
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      return JSON.parse(text) as T // as the web API documents it
    },
  }
}
