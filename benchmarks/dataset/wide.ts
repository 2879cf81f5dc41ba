/** An installation of many teams, built by the product's own calls: organisations, projects, people, teams, rules, issues. */
import { randomBytes } from 'node:crypto'
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { OWNER, type RunningErrata } from '../server/errata.ts'
import { signInSession } from '../server/person.ts'
import { cpuMicros } from '../server/usage.ts'

export interface Width {
  readonly organisations: number
  /** Of the organisation that is looked at. */
  readonly projects: number
  /** Of all others together. */
  readonly otherProjects: number
  readonly people: number
  readonly teams: number
  readonly rules: number
  readonly issues: number
}

export interface Sender {
  readonly slug: string
  readonly key: string
  readonly id: string
}

/** Milliseconds of CPU of the whole process that each of some changes took. */
export interface ChangeCosts {
  readonly earlyProjectMs: number | null
  readonly lateProjectMs: number | null
}

export interface WideInstallation {
  readonly owner: Session
  readonly guest: Session
  readonly senders: readonly Sender[]
  readonly costs: ChangeCosts
}

export interface Session {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  act<T>(action: string, path: string, input: unknown): Promise<T>
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

type Address = Pick<RunningErrata, 'host' | 'port' | 'origin' | 'pid'>

export async function buildWide(errata: Address, org: string, width: Width): Promise<WideInstallation> {
  const owner = sessionOf(errata, await signInSession(errata))
  const names = numbers(width.projects).map((at) => `Agency client storefront ${String(at).padStart(4, '0')}`)
  const first = await timedProjects(errata, owner, { org, names: names.slice(0, SAMPLE * 2) })
  await inParallel(numbers(width.organisations - 1), async (at) => {
    const { redirect } = await owner.act<{ redirect: string }>('org.create', `/${org}/settings`, {
      name: `Client ${at}`,
    })
    const own = redirect.split('/')[1] ?? ''
    const each = Math.ceil(width.otherProjects / Math.max(1, width.organisations - 1))
    for (const project of numbers(each)) await makeProject(owner, own, `App ${project}`)
  })
  await inParallel(names.slice(SAMPLE * 2, -SAMPLE), (name) => makeProject(owner, org, name))
  const last = await timedProjects(errata, owner, { org, names: names.slice(-SAMPLE) })
  const made = await owner.call<readonly { id: string; slug: string }[]>(
    'GET',
    `/organizations/${org}/projects/?per_page=100`,
  )
  const guest = await addPeople(errata, owner, { org, width, projects: made.slice(0, 3).map(({ id }) => id) })
  for (const at of numbers(width.rules)) {
    const rule = {
      kind: 'issue',
      name: `Rule ${at}`,
      isOn: 'on',
      everyMinutes: '60',
      whenOn: ['new'],
      notifyTo: ['assignee'],
      notifyFrom: ['warning'],
    }
    await owner.act('alerts.save', `/${org}/alerts/rules/new`, rule)
  }
  const senders = await keysOf(owner, org, names)
  return { owner, guest, senders, costs: { earlyProjectMs: first, lateProjectMs: last } }
}

/** What the process takes for one, without what it takes at rest. */
const SAMPLE = 10

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

async function addPeople(
  errata: Address,
  owner: Session,
  {
    org,
    width,
    projects,
  }: { readonly org: string; readonly width: Width; readonly projects: readonly string[] },
): Promise<Session> {
  const path = `/${org}/settings/members`
  const join = async (input: object) => {
    const { result } = await owner.act<{ result: { url: string } }>('member.invite', path, input)
    const { pathname } = new URL(result.url)
    const answer = await post(errata, {
      ...{ path: pathname, action: 'auth.join', cookie: null },
      input: { name: 'Somebody', password: OWNER.password },
    })
    return sessionOf(errata, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  }
  const guest = await join({ email: 'guest@wide.example', role: 'guest', teams: [], projects })
  const teams: number[] = []
  for (const at of numbers(width.teams)) {
    const made = await owner.act<{ result: number }>('team.create', `/${org}/settings/teams`, {
      name: `Team ${at}`,
    })
    teams.push(made.result)
  }
  // In teams of their own: else each new issue would be told to all of them. One at a time, as strangers have to wait.
  for (const at of numbers(width.people))
    await join({ email: `p${at}@wide.example`, role: 'member', teams: [String(teams[at % teams.length])] })
  return guest
}

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

/** An error of its own issue: a type that nobody else has, as a small app tells it. */
export async function sendError(
  { host, port }: Pick<Address, 'host' | 'port'>,
  { id, key }: Sender,
  type: string,
): Promise<string> {
  const eventId = randomBytes(16).toString('hex')
  const frame = { function: type, filename: `src/${type}.ts`, lineno: 7, in_app: true }
  const event = {
    ...{
      event_id: eventId,
      platform: 'node',
      level: 'error',
      release: `app@1.${type.length}.0`,
      environment: 'production',
    },
    timestamp: Date.now() / 1_000,
    exception: { values: [{ type, value: 'it failed', stacktrace: { frames: [frame] } }] },
    tags: { region: 'eu', shop: type },
  }
  const body = `${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}`
  const answer = await fetch(`http://${host}:${port}/api/${id}/envelope/?sentry_key=${key}`, {
    method: 'POST',
    body,
  })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`an envelope was answered with ${answer.status}`)
  return eventId
}

export async function inParallel<T>(
  all: readonly T[],
  run: (one: T) => Promise<unknown>,
  lanes = 8,
): Promise<void> {
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
