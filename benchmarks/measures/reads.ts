/** How long people wait: pages and calls of the web API over HTTP with a real session or token, on weeks of data. */
import { digestOf } from '../corpus/corpus.ts'
import { eventIdOf } from '../corpus/error-event.ts'
import { diceOf } from '../corpus/random.ts'
import { NOUNS } from '../corpus/words.ts'
import { type Dataset, openDataset } from '../dataset/dataset.ts'
import { percentileOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atMost, GOALS } from '../report/goals.ts'
import { startErrata } from '../server/errata.ts'
import { type Person, signIn } from '../server/person.ts'
import { memoryOf } from '../server/usage.ts'
import { type Asked, getJson, timedGet } from '../server/web-api.ts'
import type { Measured, Tools } from './tools.ts'

export interface ReadResult {
  readonly name: string
  readonly how: 'document' | 'page data' | 'API'
  readonly p50: number
  readonly p95: number
  readonly samples: number
  readonly goalMs: number
  /** Why there is no number. */
  readonly failure: string | null
}

export interface ReadsReport {
  readonly dataset: Pick<Dataset, 'size' | 'seed' | 'origin'>
  readonly reads: readonly ReadResult[]
  readonly memory: { readonly idle: number | null; readonly peak: number | null }
}

/** Reads of one sort: `of` returns another address for every sample, so that no two warm samples are one. */
interface Read {
  readonly name: string
  readonly goalMs: number
  readonly page?: (sample: number) => string
  readonly api?: (sample: number) => string
}

const SAMPLES = { quick: 30, full: 200 }
const WARM_UPS = { quick: 12, full: 20 }

export async function measureReads(tools: Tools): Promise<ReadsReport> {
  using dataset = await openDataset(tools)
  await using errata = await startErrata({ product: tools.product, data: dataset.data })
  const idle = memoryOf(errata.pid)?.rss ?? null
  const person = await signIn(errata)
  const samples = SAMPLES[formOf(tools.options)]
  const warmUps = WARM_UPS[formOf(tools.options)]
  const reads: ReadResult[] = []
  for (const read of await readsOf(errata, dataset)) {
    for (const { how, get } of waysOf(read, { person, errata, dataset }))
      reads.push(await sampled({ read, how, get, samples, warmUps }))
    tools.onProgress(`reads: ${read.name}`)
  }
  const peak = memoryOf(errata.pid)?.peak ?? null
  await errata.stop()
  const { size, seed, origin } = dataset
  return { dataset: { size, seed, origin }, reads, memory: { idle, peak } }
}

const ISSUES_READ = 20
const { readP95Ms: READ_MS, scanP95Ms: SCAN_MS } = GOALS

async function readsOf(errata: Asked, { shop, size, seed }: Dataset): Promise<readonly Read[]> {
  const org = shop.organisation
  const period = `statsPeriod=${size.days + 2}d`
  // The largest issues cost most: they are what is read.
  const path = `/organizations/${org}/issues/?sort=freq&limit=${ISSUES_READ}&${period}`
  const issues = await getJson<{ id: string }[]>(errata, shop, path)
  const issue = (sample: number) => issues[sample % issues.length]?.id ?? '0'
  const event = (sample: number) => eventIdOf(seed, diceOf(seed ^ 0x3e, sample).below(size.events))
  const word = (sample: number) => NOUNS[sample % NOUNS.length] ?? 'order'
  const digest = (sample: number) =>
    digestOf({ kind: 'error-5k', stacks: size.issues, seed }, 2 + 3 * (sample % 200))
  const issuePage = (sample: number) => `/${org}/issues/${issue(sample)}`
  const calls = `/organizations/${org}`
  return [
    {
      ...{ name: 'issue list', goalMs: READ_MS },
      page: (sample) => `/${org}/issues?sort=${sample % 2 === 0 ? 'date' : 'freq'}`,
      api: (sample) => `${calls}/issues/?${period}&sort=${sample % 2 === 0 ? 'date' : 'freq'}`,
    },
    {
      ...{ name: 'issue list by filters and orders in turn', goalMs: SCAN_MS },
      api: (sample) => `${calls}/issues/?${filterOf(sample, size.days)}`,
    },
    {
      name: 'issue page',
      goalMs: READ_MS,
      page: issuePage,
      api: (sample) => `${calls}/issues/${issue(sample)}/`,
    },
    {
      ...{ name: 'latest event', goalMs: READ_MS },
      page: (sample) => `${issuePage(sample)}/events/latest`,
      api: (sample) => `${calls}/issues/${issue(sample)}/events/latest/`,
    },
    {
      ...{ name: 'event by id', goalMs: READ_MS },
      api: (sample) => `/projects/${org}/${shop.project}/events/${event(sample)}/`,
    },
    { name: 'where an event is', goalMs: READ_MS, api: (sample) => `${calls}/eventids/${event(sample)}/` },
    {
      ...{ name: 'digest look-up', goalMs: READ_MS },
      page: (sample) => `/digest/${digest(sample)}`,
      api: (sample) => `${calls}/digests/${digest(sample)}/`,
    },
    {
      ...{ name: 'text search', goalMs: READ_MS },
      page: (sample) => `/${org}/issues?query=${word(sample)}`,
      api: (sample) => `${calls}/issues/?${period}&query=${word(sample)}`,
    },
    {
      ...{ name: 'event list by a tag', goalMs: SCAN_MS },
      page: (sample) => `${issuePage(sample)}/events?query=${encodeURIComponent(tagOf(sample))}`,
      api: (sample) => `${calls}/issues/${issue(sample)}/events/?query=${encodeURIComponent(tagOf(sample))}`,
    },
    {
      ...{ name: 'counts per hour, 30 days', goalMs: SCAN_MS },
      api: () => `${calls}/stats_v2/?field=sum(quantity)&groupBy=outcome&statsPeriod=30d&interval=1h`,
    },
    {
      ...{ name: 'top tag values of an issue', goalMs: SCAN_MS },
      api: (sample) => `${calls}/issues/${issue(sample)}/tags/`,
    },
  ]
}

function tagOf(sample: number): string {
  return ['region:eu-1', 'plan:team', 'environment:staging', 'region:us-1', 'plan:business'][sample % 5] ?? ''
}

/** Filters that people narrow a list by: few, many, none of it indexed, of lately and of all time. */
const FILTERS: readonly (readonly [query: string, sort: string, recent: boolean])[] = [
  ['is:unresolved', 'date', true],
  ['is:unresolved', 'user', false],
  ['', 'freq', true],
  [NOUNS[0] ?? 'order', 'date', false],
  ['Error', 'date', false],
  [`!${NOUNS[1] ?? 'cart'}`, 'date', false],
  ['environment:production', 'date', false],
  ['!environment:production', 'date', false],
  ['region:eu-1', 'freq', false],
  ['region:eu*', 'date', false],
  ['has:plan', 'date', false],
  ['!has:rare', 'date', false],
]

function filterOf(sample: number, days: number): string {
  const [query = '', sort = 'date', recent = false] = FILTERS[sample % FILTERS.length] ?? []
  const statsPeriod = recent ? '24h' : `${days + 2}d`
  return new URLSearchParams({ query, sort, statsPeriod }).toString()
}

interface Way {
  readonly how: ReadResult['how']
  readonly get: (sample: number) => Promise<number>
}

interface Asking {
  readonly person: Person
  readonly errata: Asked
  readonly dataset: Dataset
}

function waysOf({ page, api }: Read, { person, errata, dataset }: Asking): readonly Way[] {
  return [
    ...(page === undefined
      ? []
      : [
          { how: 'document' as const, get: (sample: number) => person.document(page(sample)) },
          { how: 'page data' as const, get: (sample: number) => person.pageData(page(sample)) },
        ]),
    ...(api === undefined
      ? []
      : [{ how: 'API' as const, get: (sample: number) => timedGet(errata, dataset.shop, api(sample)) }]),
  ]
}

interface Sampling extends Way {
  readonly read: Read
  readonly samples: number
  readonly warmUps: number
}

async function sampled({ read, how, get, samples, warmUps }: Sampling): Promise<ReadResult> {
  const { name, goalMs } = read
  const times: number[] = []
  try {
    for (let sample = 0; sample < warmUps; sample++) await get(sample)
    for (let sample = 0; sample < samples; sample++) times.push(await get(sample))
  } catch (cause) {
    const failure = cause instanceof Error ? cause.message : String(cause)
    return { name, how, p50: 0, p95: 0, samples: times.length, goalMs, failure }
  }
  return {
    name,
    how,
    p50: percentileOf(times, 0.5),
    p95: percentileOf(times, 0.95),
    samples,
    goalMs,
    failure: null,
  }
}

export function describeReads({ dataset, reads, memory }: ReadsReport): Measured {
  const { events, issues, days } = dataset.size
  return {
    name: 'reads',
    rows: [
      ...reads.map(({ name, how, p50, p95, goalMs, failure }) =>
        failure === null
          ? atMost(`${name}, ${how} (p50 ${p50.toFixed(1)} ms): p95`, p95, goalMs, 'ms')
          : { measure: `${name}, ${how}`, result: `failed: ${failure}`, goal: `≤ ${goalMs} ms`, met: false },
      ),
      atMost('reads: memory idle after start', memory.idle, GOALS.memoryMb.idle, 'MB'),
      atMost('reads: memory at most', memory.peak, GOALS.memoryMb.peak, 'MB'),
    ],
    notes: [
      `reads: warm, one at a time, ${events.toLocaleString('en-US')} events in about ${issues.toLocaleString('en-US')} issues over ${days} days (${dataset.origin})`,
    ],
    details: { dataset, reads, memory },
  }
}
