/** Answers that are kept against those that are read anew, after a batch of each kind: a batch says what it changes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { orgId, type ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { ERROR, ERROR_CATEGORY } from '#kinds/error/fields.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { FailureSeen, RequestsPart } from '#ports/requests.ts'
import { KeptAnswers, OF_HOURS, OF_RELEASES, OF_STALE_CLICKS } from '#queries/kept-answers.ts'
import { createReadAnswers } from '#queries/read-answers.ts'
import { type ControlReader, openControlReader } from '#store/sqlite/control-reader.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch, aRequestsBatch, aSessionBatch } from '#testing/builders/control-batch.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { anOutcome } from '#testing/builders/outcome.ts'
import { aHint, aSegment, aVital } from '#testing/builders/requests.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { aSession } from '#testing/builders/session.ts'
import { aStaleClick } from '#testing/builders/stale-click.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'

const OLD = 'web@1.0.0'
const NEW = 'web@1.1.0'
const ORG = orgId(1)
const YESTERDAY = NOW - DAY_MS - HOUR_MS
/** Its hours are kept apart; a day later they become one row. */
const DAYS_AGO = NOW - 3 * DAY_MS

describe('answers that are kept', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-kept-figures-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  const kept = new KeptAnswers({ clock })
  let writer: ReturnType<typeof openNewControl>
  let reader: ControlReader
  let project: ProjectId
  let keptPorts: Ports
  let freshPorts: Ports
  let seqs = 0

  before(async () => {
    writer = openNewControl({ path, clock, log })
    project = value(await writer.createFirstOwner(FIRST_OWNER, anActor())).projectId
    reader = openControlReader({ path, clock, log })
    const parts = { skew: reader, projects: reader, releases: reader, requests: reader, clock }
    freshPorts = { requests: reader, answers: createReadAnswers(parts) }
    const hours = { figuresOfKinds: OF_HOURS, requestCounts: OF_HOURS, vitalSpreads: OF_HOURS }
    keptPorts = {
      requests: kept.port(freshPorts.requests, hours),
      answers: kept.port(freshPorts.answers, { worstSkew: OF_STALE_CLICKS, releaseAtAge: OF_RELEASES }),
    }
  })
  after(async () => {
    await reader.close()
    await writer.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Answers to all that is kept, by their names. */
  async function ask({ requests, answers }: Ports): Promise<Readonly<Record<string, unknown>>> {
    const scope = scopeForTest({ orgId: ORG, projects: [project] })
    const range = (fromMs: number, endMs: number) => ({ projects: null, startMs: fromMs, endMs })
    const ranges = {
      today: range(NOW - DAY_MS, NOW + HOUR_MS),
      yesterday: range(NOW - 2 * DAY_MS, NOW - DAY_MS),
      // Begins within a day that is joined.
      'days ago': range(DAYS_AGO - HOUR_MS, DAYS_AGO + DAY_MS),
    }
    const all: Record<string, unknown> = {}
    for (const [name, of] of Object.entries(ranges)) {
      all[`kinds ${name}`] = await requests.figuresOfKinds(scope, of, ['document', 'route-handler'])
      all[`hours ${name}`] = await requests.requestCounts(scope, of, HOUR_MS)
      all[`vitals ${name}`] = await requests.vitalSpreads(scope, of)
    }
    const { startMs, endMs } = ranges.today
    all.skew = await answers.worstSkew(scope, { range: { startMs, endMs }, project: null, environment: null })
    for (const version of [OLD, NEW]) all[version] = await answers.releaseAtAge(scope, version)
    return all
  }

  const requests = (part: Parameters<typeof aRequestsBatch>[1]) => aRequestsBatch(++seqs, part)
  const segment = (change: Parameters<typeof aSegment>[0]) =>
    aSegment({ projectId: project, environment: null, ...change })
  const outcomes = () => [anOutcome({ projectId: project, category: ERROR_CATEGORY })]
  const events = (release: string, atMs: number) => {
    const own = { projectId: project, release, timestampMs: atMs, receivedMs: atMs }
    const event = anEvent({ ...own, tags: { environment: 'production', release } })
    return aBatch(++seqs, [event], { outcomes: outcomes() })
  }
  const failures = (seen: readonly FailureSeen[]): ControlBatch => {
    const part = { type: 'groups', kind: ERROR, category: ERROR_CATEGORY, groups: [], stale: [] } as const
    return aBatch(++seqs, [], { outcomes: outcomes(), parts: [{ ...part, failures: seen }] })
  }
  const click = (change: Parameters<typeof aStaleClick>[0]): RequestsPart['stale'] => [
    aStaleClick({ projectId: project, environment: null, ...change }),
  ]
  const failureOf = (name: string): FailureSeen => {
    const { traceId, route, kind, atMs } = segment({ name, atMs: NOW - 8 * HOUR_MS })
    return {
      ...{ projectId: project, eventId: anEventId(name), traceId, route, kind },
      ...{ atMs: atMs + 5, receivedMs: atMs },
    }
  }

  /** Batches in their order, and the answers that each of them changes. */
  const BATCHES: readonly (readonly [what: string, batch: () => ControlBatch, changed: RegExp])[] = [
    ['a release', () => events(OLD, NOW - 9 * HOUR_MS), /^$/],
    [
      'requests of today',
      () => requests({ segments: [segment({ name: 'a', release: OLD, atMs: NOW - 8 * HOUR_MS })] }),
      /kinds today/,
    ],
    [
      'requests of yesterday that come late',
      () => requests({ segments: [segment({ name: 'b', release: OLD, atMs: YESTERDAY, isOpen: true })] }),
      /^hours yesterday,kinds yesterday$/,
    ],
    [
      'a failure behind a good status, told by an error alone',
      () => failures([failureOf('a')]),
      /hours today,kinds today/,
    ],
    [
      'a hint that a request is of another kind',
      () => requests({ hints: [aHint({ name: 'b', projectId: project })] }),
      /kinds yesterday/,
    ],
    ['a vital', () => requests({ vitals: [aVital({ projectId: project, name: 'v' })] }), /^vitals today$/],
    ['a stale click', () => requests({ stale: click({ name: 's', atMs: NOW - HOUR_MS }) }), /^skew$/],
    [
      'a newer release, first named by a session',
      () =>
        aSessionBatch(++seqs, [
          aSession({ projectId: project, release: NEW, startedMs: NOW - 2 * HOUR_MS, environment: 'x' }),
        ]),
      /skew/,
    ],
    [
      'its requests',
      () => requests({ segments: [segment({ name: 'n', release: NEW, atMs: NOW - HOUR_MS })] }),
      /web@1\.1\.0/,
    ],
    ['its first event', () => events(NEW, NOW - 3 * HOUR_MS), /skew/],
    ['an event of it', () => events(NEW, NOW - HOUR_MS), /^$/],
    ['an earlier event of it', () => events(NEW, NOW - 5 * HOUR_MS), /skew/],
    [
      'requests of days ago',
      () => requests({ segments: [segment({ name: 'old', atMs: DAYS_AGO })] }),
      /^hours days ago,kinds days ago$/,
    ],
    [
      'requests a day later, with which that day is joined',
      () => requests({ segments: [segment({ name: 'late', atMs: NOW + DAY_MS })] }),
      /^hours days ago,kinds days ago$/,
    ],
  ]
  it('are those of now after each batch', async () => {
    for (const [what, batch, changed] of BATCHES) {
      if (what.includes('a day later')) clock.advance(DAY_MS)
      const known = await ask(keptPorts)
      const { figures } = await writer.applyBatch(batch())
      kept.forget(new Set([ORG]), figures)
      const [now, fresh] = [await ask(keptPorts), await ask(freshPorts)]
      assert.deepEqual(now, fresh, what)
      const names = Object.keys(now).filter(
        (name) => JSON.stringify(now[name]) !== JSON.stringify(known[name]),
      )
      assert.match(names.sort().join(), changed, what)
    }
  })
})

interface Ports {
  readonly requests: Pick<ControlReader, 'figuresOfKinds' | 'requestCounts' | 'vitalSpreads'>
  readonly answers: Pick<ReturnType<typeof createReadAnswers>, 'worstSkew' | 'releaseAtAge'>
}
