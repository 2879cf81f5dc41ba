import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { dayOf, type IssueId, orgId } from '#base/ids.ts'
import type { CommittedBatch } from '#commit/commit.ts'
import { COMMIT_STEPS, type CommitStep } from '#commit/commit.ts'
import { isSampled, samplingOf } from '#issues/payload-sampling.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { deepCheck } from '#store/embedded/care/deep-check.ts'
import { rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aHash } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { batchOf, type House, type ProcessedEnvelope, processedEnvelope } from '#testing/worlds/stores.ts'
import { aDirectory, bring, type TrafficSender } from '#testing/worlds/traffic.ts'
import { type CappedGroup, PayloadSampler } from './capped-groups.ts'

const CAP = 5

async function cappedDirectory(t: TestContext, cap: number | null = CAP) {
  const world = await aDirectory(t)
  const house = await world.open()
  const options = { ...PROJECT_OPTIONS_DEFAULT, payloadsPerIssueHour: cap }
  value(await house.control.updateProject(orgId(1), world.shop.projectId, { options }, anActor()))
  await house.close()
  return world
}

/** Sends one event a second; `shape` may change the group, the digests or the hour. */
function flood(
  shop: TrafficSender,
  count: number,
  shape: (number: number) => Parameters<typeof processedEnvelope>[2] = () => ({}),
): ProcessedEnvelope[] {
  return Array.from({ length: count }, (_, index) => {
    const atMs = NOW + (index + 1) * 1_000
    return processedEnvelope(index + 1, shop, {
      group: 'flood',
      receivedMs: atMs,
      timestampMs: atMs,
      ...shape(index + 1),
    })
  })
}

/** Returns what process threads are told. */
function cappedOf({ hints }: CommittedBatch): readonly CappedGroup[] {
  return hints.flatMap(({ of }) => of as readonly CappedGroup[]) // of the one kind there is
}

/** Seqs of the rule, for events of one issue and hour in their order. */
function expectedSeqs(events: readonly ProcessedEnvelope[], cap = CAP): number[] {
  return events.flatMap(({ seq }, index) => (isSampled(seq, samplingOf(index + 1, cap)) ? [seq] : []))
}

/** Seqs of events whose payload can be read; the payload must be the event's own. */
async function keptSeqs(house: House, events: readonly ProcessedEnvelope[]): Promise<number[]> {
  const kept: number[] = []
  for (const { seq, projectId, row, payload } of events) {
    const bytes = await house.segments.read({ ...row, kind: ERROR }, projectId, row.eventId)
    assert.ok(bytes !== null, 'every event is there')
    if (bytes.length === 0) continue
    assert.equal(Buffer.from(bytes).toString(), payload)
    kept.push(seq)
  }
  return kept
}

async function issueOf(house: House, { projectId }: TrafficSender, group = 'flood') {
  const scope = scopeForTest({ orgId: orgId(1), projects: [projectId] })
  const issue = await house.reader.issueOfGroup(scope, projectId, aHash(group))
  assert.ok(issue !== null)
  return issue
}

async function contradictions(house: House): Promise<readonly string[]> {
  const { segments, telemetry, eventIds, control, reader } = house
  const appliedSeq = await control.appliedSeq()
  const hidden = await control.hidden()
  const stores = { control: reader, segments, telemetry, eventIds }
  const findings = await deepCheck({ kinds: KINDS, ...stores, appliedSeq, hidden, today: dayOf(NOW) })
  return findings.filter(({ ok }) => !ok).map(({ detail }) => detail)
}

describe('payloads of an issue beyond its cap', () => {
  it('are sampled while every event is counted, and other issues keep all of theirs', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 200, (number) => (number % 50 === 0 ? { group: 'quiet' } : {}))
    await bring(house, all, 60)
    const busy = all.filter(({ seq }) => seq % 50 !== 0)
    const kept = await keptSeqs(house, busy)
    assert.deepEqual(kept, expectedSeqs(busy))
    assert.ok(kept.length > CAP && kept.length < 40, `${kept.length} of ${busy.length}`)
    assert.ok(
      kept.some((seq) => seq > 10 * CAP),
      'also of those beyond ten times the cap',
    )
    const issue = await issueOf(house, shop)
    assert.deepEqual([issue.eventCount, issue.payloadCount], [196, kept.length])
    const quiet = await issueOf(house, shop, 'quiet')
    assert.deepEqual([quiet.eventCount, quiet.payloadCount], [4, 4])
    assert.deepEqual(await contradictions(house), [])
  })

  it('are the same however the journal is cut into batches', async (t) => {
    const kept: number[][] = []
    for (const size of [7, 200]) {
      const { open, shop } = await cappedDirectory(t)
      const house = await open()
      const all = flood(shop, 120)
      await bring(house, all, size)
      kept.push(await keptSeqs(house, all))
      assert.equal((await issueOf(house, shop)).payloadCount, kept.at(-1)?.length)
    }
    assert.deepEqual(kept[0], kept[1])
  })

  it('are all kept again in the next hour', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 60, (number) =>
      number > 40 ? { receivedMs: NOW + HOUR + number, timestampMs: NOW + HOUR + number } : {},
    )
    await bring(house, all, 50)
    const kept = await keptSeqs(house, all)
    assert.deepEqual(kept, [...expectedSeqs(all.slice(0, 40)), ...expectedSeqs(all.slice(40))])
    assert.deepEqual(kept.filter((seq) => seq > 40).slice(0, CAP), [41, 42, 43, 44, 45])
  })

  it('are all kept where the project has no cap', async (t) => {
    const { open, shop } = await cappedDirectory(t, null)
    const house = await open()
    const all = flood(shop, 60)
    await bring(house, all, 25)
    assert.equal((await keptSeqs(house, all)).length, 60)
    assert.equal((await issueOf(house, shop)).payloadCount, 60)
  })

  for (const step of COMMIT_STEPS) {
    it(`count each once when a commit fails at "${step}" and its batch comes again`, async (t) => {
      const { open, shop } = await cappedDirectory(t)
      let left = 2
      const onStep = (at: CommitStep) => {
        if (at === step && left-- > 0) throw new Error('interrupted')
      }
      const house = await open(() => ({ onStep }))
      const all = flood(shop, 100)
      await assert.rejects(bring(house, all, 30))
      await assert.rejects(bring(house, all, 41))
      await bring(house, all, 17)
      const kept = await keptSeqs(house, all)
      assert.deepEqual(kept, expectedSeqs(all))
      const issue = await issueOf(house, shop)
      assert.deepEqual([issue.eventCount, issue.payloadCount], [100, kept.length])
      assert.deepEqual(await contradictions(house), [])
    })
  }

  it('do not count twice when a batch comes twice', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 50)
    await bring(house, all, 50)
    const before = await issueOf(house, shop)
    await house.commit.commit(batchOf(all))
    assert.deepEqual(await issueOf(house, shop), before)
  })

  it('are told of, and a process thread that leaves them out changes nothing', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    await house.commit.recover()
    const all = flood(shop, 120)
    const first = await house.commit.commit(batchOf(all.slice(0, 20)))
    const group = { projectId: shop.projectId, hash: aHash('flood'), hour: NOW / HOUR }
    assert.deepEqual(cappedOf(first), [{ ...group, every: 10 }])
    const second = await house.commit.commit(batchOf(all.slice(20, 120), cappedOf(first)))
    assert.deepEqual(cappedOf(second), [{ ...group, every: 100 }])
    const kept = await keptSeqs(house, all)
    assert.deepEqual(kept, expectedSeqs(all))
    assert.equal((await issueOf(house, shop)).payloadCount, kept.length)
  })

  it('are kept of the first event of each digest, which is the one a look-up names', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const late = new Map([
      [80, '1002'],
      [81, '1002'],
    ])
    const all = flood(shop, 90, (number) => ({ digests: [late.get(number) ?? '1001'] }))
    await bring(house, all, 30)
    const kept = await keptSeqs(house, all)
    assert.ok(kept.includes(80) && (!kept.includes(81) || isSampled(81, 100)))
    const scope = scopeForTest({ orgId: orgId(1), projects: [shop.projectId] })
    const { id } = await issueOf(house, shop)
    for (const { digest, eventId, count } of await house.reader.digestsOfIssue(scope, id, 10)) {
      const named = all.find(({ row }) => row.eventId === eventId)
      assert.ok(named !== undefined && kept.includes(named.seq), `${digest} leads to something to read`)
      assert.equal(count, digest === '1002' ? 2 : 88)
    }
  })

  it('are kept of the first event of each digest when a commit fails and the same process thread goes again', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    let isFailing = false
    const house = await open(() => ({
      onStep(at) {
        if (isFailing && at === 'columns') throw new Error('interrupted')
      },
    }))
    const late = 80
    const all = flood(shop, 90, (number) => ({ digests: [number < late ? '1001' : '1002'] }))
    const sampler = new PayloadSampler()
    await house.commit.recover()
    const capped = cappedOf(await house.commit.commit(batchOf(all.slice(0, 60), [], sampler)))
    isFailing = true
    await assert.rejects(house.commit.commit(batchOf(all.slice(60, 85), capped, sampler)))
    isFailing = false
    assert.equal(await house.commit.recover(), 60)
    await house.commit.commit(batchOf(all.slice(60, 82), capped, sampler))
    await house.commit.commit(batchOf(all.slice(82), capped, sampler))
    const kept = await keptSeqs(house, all)
    const expected = new Set([...expectedSeqs(all), late])
    assert.deepEqual(new Set(kept), expected)
    const scope = scopeForTest({ orgId: orgId(1), projects: [shop.projectId] })
    const { id } = await issueOf(house, shop)
    const shown = (await house.reader.digestsOfIssue(scope, id, 10)).find(({ digest }) => digest === '1002')
    const named = all.find(({ row }) => row.eventId === shown?.eventId)
    assert.ok(named !== undefined && expected.has(named.seq), 'it leads to something to read')
  })

  it('are kept of the first event of each digest where only all groups of an issue pass its cap', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 32, (number) => ({
      group: number % 2 === 0 ? 'even' : 'odd',
      digests: [String(1_000 + number)],
    }))
    await bring(house, all.slice(0, 2), 2)
    const [even, odd] = [await issueOf(house, shop, 'even'), await issueOf(house, shop, 'odd')]
    const change = { orgId: orgId(1), projects: [shop.projectId], ids: [even.id, odd.id] }
    value(await house.control.merge(change, even.id, anActor()))
    // Batches of four: two of each group, neither of them past the cap with what the issue has.
    await bring(house, all, 4)
    assert.deepEqual(
      await keptSeqs(house, all),
      all.map(({ seq }) => seq),
    )
  })

  it('are capped over all groups of a merged issue', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 40, (number) => ({ group: number % 2 === 0 ? 'even' : 'odd' }))
    await bring(house, all.slice(0, 8), 8)
    const [even, odd] = [await issueOf(house, shop, 'even'), await issueOf(house, shop, 'odd')]
    const ids: readonly IssueId[] = [even.id, odd.id]
    const change = { orgId: orgId(1), projects: [shop.projectId], ids }
    value(await house.control.merge(change, even.id, anActor()))
    assert.equal((await issueOf(house, shop, 'odd')).payloadCount, 8)
    await bring(house, all, 16)
    const kept = await keptSeqs(house, all)
    // Four of each were within the cap of their own issue; together they are past it.
    const rest = all.slice(8).filter(({ seq }, index) => isSampled(seq, samplingOf(9 + index, CAP)))
    assert.deepEqual(
      kept,
      [...all.slice(0, 8), ...rest].map(({ seq }) => seq),
    )
    assert.equal((await issueOf(house, shop, 'odd')).payloadCount, kept.length)
    assert.deepEqual(await contradictions(house), [])
  })

  it('that are stored and not counted are found by a deep check', async (t) => {
    const { open, shop, directory } = await cappedDirectory(t)
    const house = await open()
    await bring(house, flood(shop, 20), 20)
    const database = new DatabaseSync(join(directory, 'control.sqlite'))
    database.exec('UPDATE groups SET payload_count = 1')
    database.close()
    const found = (await contradictions(house)).join('\n')
    assert.match(found, /counts 1 payloads, but \d+ are stored/)
    assert.match(found, /issue \d+ counts \d+ payloads, its groups 1/)
  })

  it('leave rows that columns can be made anew from, and compaction keeps', async (t) => {
    const { open, shop } = await cappedDirectory(t)
    const house = await open()
    const all = flood(shop, 60)
    await bring(house, all, 20)
    const kept = await keptSeqs(house, all)
    const { segments, telemetry, control } = house
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await contradictions(house), [])
    const [file] = await segments.files()
    assert.ok(file !== undefined)
    const before = (await segments.fileBytes())[0]?.bytes ?? 0
    await segments.rewrite(file, {
      upToSeq: await control.appliedSeq(),
      keysOf: ({ entries }) => entries.map(() => 'all'),
      allGo: () => false,
      pause: async () => {},
      guard: (exchange) => exchange(),
    })
    assert.ok(((await segments.fileBytes())[0]?.bytes ?? before) < before)
    assert.deepEqual(await keptSeqs(house, all), kept)
    assert.deepEqual(await contradictions(house), [])
  })
})
