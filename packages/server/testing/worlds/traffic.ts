/** Traffic with duplicates and a quarantined envelope, and a look into every store at what became of it: for tests. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type KeyId, orgId, type ProjectId } from '#base/ids.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { aHash } from '../builders/ids.ts'
import { scopeForTest } from '../builders/scope.ts'
import { DAY, NOW } from '../builders/times.ts'
import { batchOf, type House, openHouse, type ProcessedEnvelope, processedEnvelope } from './stores.ts'
import { setUpTwoProjects } from './two-projects.ts'

/** A set-up directory with two projects and a key each; what `open` opens is closed before it is deleted. */
export async function aDirectory(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-commit-'))
  const houses: House[] = []
  t.after(async () => {
    for (const house of houses) await house.close()
    await rm(directory, { recursive: true })
  })
  const house = await openHouse(directory)
  const { shop, blog } = await setUpTwoProjects(house)
  await house.close()
  return {
    directory,
    shop: { projectId: shop.projectId, keyId: shop.keyId },
    blog: { projectId: blog.projectId, keyId: blog.keyId },
    async open(change?: Parameters<typeof openHouse>[1]) {
      const opened = await openHouse(directory, change)
      houses.push(opened)
      return opened
    },
  }
}

export type TrafficSender = { readonly projectId: ProjectId; readonly keyId: KeyId }

export interface TrafficWorld {
  readonly directory: string
  readonly shop: TrafficSender
  readonly blog: TrafficSender
}

/** The world as an argument of another process. */
export function writeWorld(world: TrafficWorld): string {
  return JSON.stringify(world)
}

export function readWorld(text: string): TrafficWorld {
  return JSON.parse(text) as TrafficWorld // written by writeWorld in the process that started this one
}

/** 24 envelopes over two projects, two days, two classes; number 7, 13 and 20 repeat an id, 10 is quarantined. */
export function traffic(shop: TrafficSender, blog: TrafficSender): ProcessedEnvelope[] {
  return trafficOf({ shop, blog }, () => ({}))
}

/**
 * The same, in which groups 1 and 2 are halves of one failure in each project: of the shop the server's comes first, of
 * the other the browser's, and minutes before.
 */
export function mirroredTraffic(shop: TrafficSender, blog: TrafficSender): ProcessedEnvelope[] {
  return trafficOf({ shop, blog }, (number, { projectId }) => {
    const place = { route: '/orders/[id]', traceId: aHash(`trace of ${projectId}`), handled: false } as const
    if (number % 5 === 1) return { ...place, requestKind: 'document' }
    return number % 5 === 2 ? { ...place, requestKind: 'browser', isMirror: true } : {}
  })
}

/** The same, in which groups 1 and 2 are what server and browser tell of stale tabs after one deploy, in each project. */
export function staleTraffic(shop: TrafficSender, blog: TrafficSender): ProcessedEnvelope[] {
  const stale = { failure: 'action', sdk: 'sentry.javascript.nextjs', httpStatus: null } as const
  return trafficOf({ shop, blog }, (number, { projectId }) => {
    const place = {
      ...{ route: '/cart', traceId: aHash(`trace of ${projectId}`), environment: 'production' },
      ...{ category: 'skew', skew: 'action', skewSubject: '40f1c2' },
    } as const
    if (number % 5 === 1)
      return { ...place, release: 'shop@2', requestKind: 'action', stale: { ...stale, side: 'server' } }
    if (number % 5 !== 2) return {}
    return { ...place, release: 'shop@1', requestKind: 'browser', stale: { ...stale, side: 'browser' } }
  })
}

/** Every mirror of `mirroredTraffic` is its server's, and nothing else is an issue. */
export async function checkFolded(house: House, all: readonly ProcessedEnvelope[]): Promise<void> {
  const projects = [...new Set(all.map(({ projectId }) => projectId))]
  const scope = scopeForTest({ orgId: orgId(1), projects })
  const stored = expectedStored(all)
  for (const project of projects) {
    const [server, browser] = await Promise.all(
      ['group 1', 'group 2'].map((name) => house.reader.issueOfGroup(scope, project, aHash(name))),
    )
    const halves = stored.filter(
      ({ row }) =>
        row.projectId === project && ['group 1', 'group 2'].some((name) => row.groupHash === aHash(name)),
    )
    assert.ok(server)
    assert.equal(browser?.id, server.id)
    const mirrors = halves.filter(({ row }) => row.isMirror)
    assert.deepEqual([server.eventCount, server.mirrorCount], [halves.length, mirrors.length])
    assert.notEqual(server.substatus, 'waiting')
  }
}

function trafficOf(
  { shop, blog }: Omit<TrafficWorld, 'directory'>,
  change: (number: number, from: TrafficSender) => Partial<Parameters<typeof processedEnvelope>[2]>,
): ProcessedEnvelope[] {
  return Array.from({ length: 24 }, (_, index) => {
    const number = index + 1
    const repeats = new Map([
      [7, 5],
      [13, 2],
      [20, 19],
    ])
    const from = number % 4 === 0 ? blog : shop
    const envelope = processedEnvelope(number, from, {
      name: `event ${repeats.get(number) ?? number}`,
      group: `group ${number % 5}`,
      receivedMs: NOW + (number > 15 ? DAY : 0) + number * 10_000,
      timestampMs: NOW + number * 10_000,
      retentionDays: number % 3 === 0 ? 30 : 90,
      tags: { number: String(number) },
      ...change(number, from),
    })
    if (number !== 10) return envelope
    const { seq: at, projectId, keyId, row } = envelope
    const body = Buffer.from('{"event_id":"[scrubbed]')
    const counted = { category: 'error', quantity: 1, projectId, keyId, atMs: row.receivedMs }
    return {
      ...envelope,
      outcomes: [{ outcome: 'invalid', reason: 'quarantined', ...counted }],
      quarantined: [{ seq: at, projectId, receivedMs: row.receivedMs, reason: 'Error: no', body }],
    }
  })
}

export function expectedStored(all: readonly ProcessedEnvelope[]): ProcessedEnvelope[] {
  const seen = new Set<string>()
  return all.filter(({ row, quarantined }) => {
    if (quarantined.length > 0 || seen.has(`${row.projectId}:${row.eventId}`)) return false
    seen.add(`${row.projectId}:${row.eventId}`)
    return true
  })
}

/** Brings what is not applied yet, `size` envelopes at a time. */
export async function bring(house: House, all: readonly ProcessedEnvelope[], size: number): Promise<void> {
  const applied = await house.commit.recover()
  const rest = all.filter((envelope) => envelope.seq > applied)
  for (let at = 0; at < rest.length; at += size) {
    await house.commit.commit(batchOf(rest.slice(at, at + size)))
  }
}

/** Every store holds every event once, and every counter is exact. */
export async function checkAll(house: House, all: readonly ProcessedEnvelope[]): Promise<void> {
  const stored = expectedStored(all)
  const projects = [...new Set(all.map(({ projectId }) => projectId))]
  const scope = scopeForTest({ orgId: orgId(1), projects })
  const groups = projects.flatMap((projectId) =>
    [0, 1, 2, 3, 4].map((number) => ({ projectId, hash: aHash(`group ${number}`) })),
  )
  const files = await house.telemetry.files()
  const page = await house.telemetry.events(scope, { groups, files }, { limit: 1_000, cursor: null })
  assert.deepEqual(
    page.rows.toSorted((a, b) => a.seq - b.seq),
    stored.map(({ row }) => row),
  )
  const scanned: number[] = []
  for (const file of await house.segments.files()) {
    for await (const event of house.segments.scan(file)) scanned.push(event.seq)
  }
  assert.deepEqual(
    scanned.sort((a, b) => a - b),
    stored.map((envelope) => envelope.seq),
  )
  for (const { row, payload } of stored) {
    const file = { kind: ERROR, day: row.day, retentionDays: row.retentionDays }
    const bytes = await house.segments.read(file, row.projectId, row.eventId)
    assert.equal(bytes === null ? null : Buffer.from(bytes).toString(), payload)
    assert.deepEqual(await house.eventIds.find(row.projectId, row.eventId, file.kind), [file])
    assert.deepEqual(await house.eventIds.fresh([{ projectId: row.projectId, eventId: row.eventId, file }]), [
      false,
    ])
  }
  await checkControl(house, all, stored)
}

async function checkControl(
  house: House,
  all: readonly ProcessedEnvelope[],
  stored: readonly ProcessedEnvelope[],
): Promise<void> {
  const projects = [...new Set(all.map(({ projectId }) => projectId))]
  const scope = scopeForTest({ orgId: orgId(1), projects })
  const { groups } = await house.reader.outcomes(scope, {
    startMs: NOW - DAY,
    endMs: NOW + 3 * DAY,
    intervalMs: null,
    projects: null,
    keys: null,
    groupBy: ['outcome', 'reason', 'project', 'key'],
  })
  const counted = groups.map((group) => [
    `${group.outcome} ${group.reason} of ${group.projectId} by ${group.keyId}`,
    group.total,
  ])
  const quarantined = all.filter((envelope) => envelope.quarantined.length > 0)
  const duplicates = all.filter((envelope) => !stored.includes(envelope) && !quarantined.includes(envelope))
  const expected = new Map<string, number>()
  const count = (what: string, envelopes: readonly ProcessedEnvelope[]) => {
    for (const { projectId, keyId } of envelopes) {
      const name = `${what} of ${projectId} by ${keyId}`
      expected.set(name, (expected.get(name) ?? 0) + 1)
    }
  }
  count('accepted null', stored)
  count('invalid duplicate', duplicates)
  count('invalid quarantined', quarantined)
  assert.deepEqual(Object.fromEntries(counted), Object.fromEntries(expected))
  const { eventsStored, appliedSeq } = await house.reader.counters()
  assert.deepEqual({ eventsStored, appliedSeq }, { eventsStored: stored.length, appliedSeq: all.at(-1)?.seq })
  for (const { seq: at, quarantined: bodies } of quarantined) {
    assert.deepEqual(await house.blobs.get(`quarantine/${at}`), new Uint8Array(bodies[0]?.body ?? []))
  }
}
