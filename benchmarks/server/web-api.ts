/** Asks the running product as any script with a token would. */
import type { RunningErrata, SetUp } from './errata.ts'

export type Asked = Pick<RunningErrata, 'host' | 'port'>

const ANSWER_MS = 120_000

async function ask(errata: Asked, setUp: SetUp, { method = 'GET', path, body }: Question): Promise<Response> {
  return fetch(`http://${errata.host}:${errata.port}/api/0${path}`, {
    method,
    headers: {
      authorization: `Bearer ${setUp.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
}

interface Question {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

export async function getJson<T>(errata: Asked, setUp: SetUp, path: string): Promise<T> {
  const answer = await ask(errata, setUp, { path })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T // the caller names what the web API documents
}

export async function postJson<T>(
  errata: Asked,
  setUp: SetUp,
  { path, body }: Pick<Question, 'path' | 'body'>,
): Promise<T> {
  const answer = await ask(errata, setUp, { method: 'POST', path, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T // the caller names what the web API documents
}

export async function deleteAt(errata: Asked, setUp: SetUp, path: string): Promise<void> {
  const answer = await ask(errata, setUp, { method: 'DELETE', path })
  if (!answer.ok) throw new Error(`DELETE ${path}: ${answer.status} ${await answer.text()}`)
}

/** Says what could not be turned off, so that the report can. */
export async function turnOffCaps(errata: Asked, setUp: SetUp): Promise<string> {
  const body = { options: { payloadsPerIssueHour: null, spikeProtection: false, rateLimit: null } }
  const path = `/projects/${setUp.organisation}/${setUp.project}/`
  const answer = await ask(errata, setUp, { method: 'PUT', path, body })
  const text = await answer.text()
  if (answer.ok) return 'cap per issue, spike protection and rate limits off'
  return `as a new project is: caps could not be turned off (${answer.status} ${text.slice(0, 120)})`
}

/** The longest class: what a dataset of months needs. */
export async function keepForAYear(errata: Asked, setUp: SetUp): Promise<void> {
  const path = `/projects/${setUp.organisation}/${setUp.project}/`
  const answer = await ask(errata, setUp, { method: 'PUT', path, body: { options: { retentionDays: 365 } } })
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

export interface Counted {
  /** Stored, grouped and visible. */
  readonly accepted: number
  /** Everything else that was counted, by `outcome/reason`. */
  readonly other: Readonly<Record<string, number>>
}

/**
 * Counts the project's events by what became of them, from the control store's last transaction: exact, and
 * one small query.
 */
export async function countedEvents(errata: Asked, setUp: SetUp, sinceDays = 1): Promise<Counted> {
  interface Stats {
    readonly groups: readonly {
      readonly by: { readonly outcome: string; readonly reason: string }
      readonly totals: Readonly<Record<string, number>>
    }[]
  }
  const query = `field=sum(quantity)&groupBy=outcome&groupBy=reason&statsPeriod=${sinceDays}d&interval=1d`
  const path = `/organizations/${setUp.organisation}/stats_v2/?${query}&project=${setUp.project}`
  const { groups } = await getJson<Stats>(errata, setUp, path)
  const other: Record<string, number> = {}
  let accepted = 0
  for (const { by, totals } of groups) {
    const quantity = totals['sum(quantity)'] ?? 0
    if (by.outcome === 'accepted') accepted += quantity
    else other[`${by.outcome}/${by.reason}`] = quantity
  }
  return { accepted, other }
}

/** `outcome/reason` of what is left out only after it was acknowledged; `filtered/cors` is a refusal. */
const AFTER_ACKNOWLEDGEMENT =
  /^(invalid\/(duplicate|invalid_json|not_an_object|quarantined|unsupported_kind)|filtered\/(?!cors$).*)$/

/**
 * How many acknowledged events were counted as something else than stored. Whatever else was counted may be refused
 * events, and those must not stand for lost ones. An envelope of the corpus holds one event: it is refused or
 * acknowledged as a whole.
 */
export function leftOutLater(other: Counted['other']): number {
  return Object.entries(other)
    .filter(([name]) => AFTER_ACKNOWLEDGEMENT.test(name))
    .reduce((sum, [, quantity]) => sum + quantity, 0)
}

const POLL_MS = 50

/**
 * Waits until `expected` acknowledged events are visible or counted as left out; answers when that was, on the clock of
 * `performance.now()`.
 */
export async function untilDrained(
  errata: Asked,
  setUp: SetUp,
  {
    expected,
    withinMs = 300_000,
    sinceDays = 1,
  }: { readonly expected: number; readonly withinMs?: number; readonly sinceDays?: number },
): Promise<{ readonly atMs: number; readonly counted: Counted }> {
  const end = performance.now() + withinMs
  for (;;) {
    const counted = await countedEvents(errata, setUp, sinceDays)
    const atMs = performance.now()
    if (counted.accepted + leftOutLater(counted.other) >= expected) return { atMs, counted }
    if (atMs > end) {
      const others = JSON.stringify(counted.other)
      throw new Error(`not drained: ${counted.accepted} of ${expected} are visible, and ${others}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Whether an event is stored and can be opened. */
export async function exists(errata: Asked, setUp: SetUp, eventId: string): Promise<boolean> {
  const path = `/projects/${setUp.organisation}/${setUp.project}/events/${eventId}/`
  const answer = await ask(errata, setUp, { path })
  await answer.arrayBuffer()
  if (answer.status === 404) return false
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`)
  return true
}

const QUIET_MS = 1_500
const QUIET_WITHIN_MS = 300_000

/** Envelopes that are acknowledged and not stored yet, as the product's metrics say. */
async function waiting(errata: Asked): Promise<number> {
  const answer = await fetch(`http://${errata.host}:${errata.port}/metrics`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const found = /^errata_backlog_envelopes (\d+)$/m.exec(await answer.text())
  if (found === null) throw new Error(`GET /metrics: ${answer.status}, and no backlog`)
  return Number(found[1])
}

/**
 * Waits until nothing is left to store and what is counted has not moved for a while: for runs whose number of
 * acknowledged events nobody knows.
 */
export async function untilQuiet(errata: Asked, setUp: SetUp): Promise<void> {
  const end = performance.now() + QUIET_WITHIN_MS
  let [last, sinceMs] = [-1, performance.now()]
  while (performance.now() < end) {
    const { accepted } = await countedEvents(errata, setUp)
    if (accepted !== last || (await waiting(errata)) > 0) [last, sinceMs] = [accepted, performance.now()]
    if (performance.now() - sinceMs > QUIET_MS) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`events are still coming in after ${QUIET_WITHIN_MS} ms`)
}

/** Milliseconds until the last byte of an answer, which must be 200. */
export async function timedGet(errata: Asked, setUp: SetUp, path: string): Promise<number> {
  const startMs = performance.now()
  const answer = await ask(errata, setUp, { path })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status}`)
  return performance.now() - startMs
}
