/** Every page of a wide organisation, and those that look over all of its projects by name. */
import { pages } from '../../packages/web/src/shell/pages.ts'
import { numbers, type Sender, type Session, type Timed } from '../dataset/wide.ts'
import { errorRequest } from '../dataset/wide-events.ts'
import { ofNumber, targetOf } from '../dataset/wide-history.ts'
import { percentileOf } from '../load/latencies.ts'
import { runOpen } from '../load/run-load.ts'
import { mainThreadMs } from '../server/usage.ts'

export interface PageLooks {
  readonly largest: { readonly path: string; readonly kilobytes: number }
  /** By the median of its rounds. */
  readonly slowest: readonly { readonly path: string; readonly ms: number }[]
  readonly p95Ms: number
  /** The page that holds the main thread longest, by the median of its rounds; `null` where that cannot be measured. */
  readonly mainThread: { readonly path: string; readonly ms: number } | null
  /** Pages over all projects. */
  readonly scans: Readonly<Record<string, number>>
  /** Answers other than 200, by path. */
  readonly refused: Readonly<Record<string, number>>
  /** Old addresses, and the page that each leads to: that is the one which is looked at. */
  readonly moved: Readonly<Record<string, string>>
}

const ROUNDS = 3
const SLOWEST = 5
export const RATE_BESIDE = 200

const SCANS: Readonly<Record<string, string>> = {
  'issues by tag': '/issues?query=region%3Aeu',
  'traces of 30 days': '/traces?range=30d',
  'outcomes of 30 days': '/outcomes?range=30d',
  projects: '/projects',
}

interface LookedAt {
  readonly org: string
  readonly senders: readonly Sender[]
  readonly pid: number
}

export async function lookAtPages(who: Session, { org, senders, pid }: LookedAt): Promise<PageLooks> {
  const moved: Record<string, string> = {}
  const paths = new Set<string>()
  for (const path of await addressesOf(who, org, ofNumber(senders, 1).slug)) {
    const to = await movedTo(who, path)
    if (to !== null) moved[path] = to
    paths.add(to ?? path)
  }
  const refused: Record<string, number> = {}
  const looked: { path: string; ms: number; kilobytes: number }[] = []
  const look = async (path: string) => {
    const startMs = performance.now()
    const answer = await who.get(path)
    const text = await answer.text()
    const ms = performance.now() - startMs
    if (answer.status !== 200) refused[path] = answer.status
    looked.push({ path, ms, kilobytes: text.length / 1_000 })
    return ms
  }
  const byPath = new Map<string, number>()
  let mainThread: PageLooks['mainThread'] = null
  for (const path of paths) {
    const held: number[] = []
    const timed = async () => {
      const before = mainThreadMs(pid)
      const ms = await look(path)
      const after = mainThreadMs(pid)
      if (before !== null && after !== null) held.push(after - before)
      return ms
    }
    byPath.set(path, await median(timed))
    const ms = held.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]
    if (ms !== undefined && ms > (mainThread?.ms ?? 0)) mainThread = { path, ms }
  }
  const scans: Record<string, number> = {}
  for (const [name, path] of Object.entries(SCANS)) scans[name] = await median(() => look(`/${org}${path}`))
  const largest = looked.reduce((one, other) => (other.kilobytes > one.kilobytes ? other : one))
  const slowest = [...byPath].map(([path, ms]) => ({ path, ms })).sort((a, b) => b.ms - a.ms)
  const p95Ms = percentileOf(
    looked.map(({ ms }) => ms).sort((a, b) => a - b),
    0.95,
  )
  return { largest, slowest: slowest.slice(0, SLOWEST), p95Ms, mainThread, scans, refused, moved }
}

/** Returns the address that another one leads to now; `null` for a page. */
async function movedTo(who: Session, path: string): Promise<string | null> {
  const answer = await who.get(path)
  await answer.arrayBuffer()
  const location = answer.headers.get('location')
  if (answer.status !== 303 || location === null) return null
  const { pathname, search } = new URL(location, 'http://localhost')
  return `${pathname}${search}`
}

/** Lists that link to one of each thing that a page is of. */
const LISTS = [
  ...['/issues', '/traces?range=30d', '/performance?range=30d', '/people?range=30d', '/releases?range=30d'],
  ...['/alerts', '/alerts/channels', '/settings/trackers'],
]

/** Every page of the organisation, each of something that is there: as the lists link to it. */
async function addressesOf(who: Session, org: string, project: string): Promise<readonly string[]> {
  const links = new Set<string>()
  const collect = async (path: string) => {
    for (const [, link = ''] of (await (await who.get(path)).text()).matchAll(/href="([^"#]+)/g))
      links.add(link.replaceAll('&amp;', '&'))
  }
  for (const list of LISTS) await collect(`/${org}${list}`)
  const linkTo = (path: string) => [...links].find((link) => linkPattern(path, org).test(link))
  const issue = linkTo('/:org/issues/:id')
  if (issue !== undefined) await collect(`${issue}/events`)
  const lastOf = (link: string | undefined) => link?.split(/[/?]/).at(3) ?? '1'
  const values: Readonly<Record<string, string>> = {
    ...{ org, project, id: lastOf(issue), version: lastOf(linkTo('/:org/releases/:version')) },
  }
  return pages
    .filter(({ path }) => path.startsWith('/:org'))
    .map(({ path }) => {
      const linked = HAS_THING.test(path) ? linkTo(path) : undefined
      return linked ?? path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1')
    })
}

/** Pages of something else than the organisation or a project; the one of a route says in its query of which. */
const HAS_THING = /:(?!org\b|project\b)|\/route$/

/** The page itself, not what stands beside it: a new rule, the timeline. */
function linkPattern(path: string, org: string): RegExp {
  const parts = path.replace(':org', org).replace(':id', '(?!timeline)[^/?]+')
  return new RegExp(`^${parts.replace(/:\w+/g, '(?!new)[^/?]+')}(\\?|$)`)
}

async function median(look: () => Promise<number>): Promise<number> {
  const all: number[] = []
  for (const _ of numbers(ROUNDS)) all.push(await look())
  return all.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

/** Events of all projects, on a timetable, until it is stopped. */
export function besideLoad(errata: Timed, senders: readonly Sender[], issues: number) {
  let isOver = false
  let sent = FIRST
  const running = (async () => {
    while (!isOver) {
      const requests = numbers(RATE_BESIDE).map(() => {
        const type = `Wide${sent % issues}`
        const sender = ofNumber(senders, sent % issues)
        return errorRequest({ sender, type, number: sent++, atMs: errata.nowMs() }).request
      })
      await runOpen({ target: targetOf(errata), requests, connections: 8, rate: RATE_BESIDE })
    }
  })()
  return {
    stop: () => {
      isOver = true
      return running
    },
  }
}

const FIRST = 4e9
