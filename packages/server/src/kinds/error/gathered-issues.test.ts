import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { dayOf, orgId } from '#base/ids.ts'
import { isSampled, samplingOf } from '#issues/payload-sampling.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { deepCheck } from '#store/embedded/care/deep-check.ts'
import { rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aHash } from '#testing/builders/ids.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { batchOf, type House, type ProcessedEnvelope, processedEnvelope } from '#testing/worlds/stores.ts'
import { aDirectory, bring, type TrafficSender } from '#testing/worlds/traffic.ts'
import { gatheringHash } from './gathered-issues.ts'

const MOST = 6

async function opened(t: TestContext) {
  const { open, shop } = await aDirectory(t)
  return { shop, house: await open(() => ({ newIssuesMax: MOST })) }
}

/** Every event its own group; every fifth holds what makes its line JSON. */
function newErrors(shop: TrafficSender, from: number, count: number, atMs = NOW): ProcessedEnvelope[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    const title = number % 5 === 0 ? `odd\x1f${number}` : `error ${number}`
    const times = { receivedMs: atMs + number, timestampMs: atMs + number }
    return processedEnvelope(number, shop, {
      group: `new ${number}`,
      title,
      tags: { number: String(number) },
      ...times,
    })
  })
}

async function issuesOf(house: House, { projectId }: TrafficSender) {
  const scope = scopeForTest({ orgId: orgId(1), projects: [projectId] })
  const page = await house.reader.list(scope, aFilter({ endMs: NOW + 3 * HOUR }), {
    sort: 'date',
    limit: 100,
    cursor: null,
  })
  const other = await house.reader.issueOfGroup(scope, projectId, gatheringHash(projectId))
  return { total: page.total, other }
}

async function contradictions({ segments, telemetry, eventIds, control, reader }: House) {
  const appliedSeq = await control.appliedSeq()
  const hidden = await control.hidden()
  const stores = { control: reader, segments, telemetry, eventIds }
  const findings = await deepCheck({ kinds: KINDS, ...stores, appliedSeq, hidden, today: dayOf(NOW) })
  return findings.filter(({ ok }) => !ok).map(({ detail }) => detail)
}

/** Rows of the gathering group, oldest first. */
async function gatheredRows(house: House, { projectId }: TrafficSender) {
  const scope = scopeForTest({ orgId: orgId(1), projects: [projectId] })
  const groups = [{ projectId, hash: gatheringHash(projectId) }]
  const files = await house.telemetry.files()
  const { rows } = await house.telemetry.events(scope, { groups, files }, { limit: 100, cursor: null })
  return rows.toReversed()
}

describe('new issues beyond what an hour may begin', () => {
  it('are gathered in one, where each event keeps its title and tags, and within the cap its payload', async (t) => {
    const { shop, house } = await opened(t)
    const all = newErrors(shop, 1, 20)
    await bring(house, all, 9)
    const { total, other } = await issuesOf(house, shop)
    assert.equal(total, MOST + 1)
    assert.deepEqual([other?.type, other?.eventCount, other?.payloadCount], ['Other', 14, 14])
    const beyond = all.slice(MOST)
    const rows = await gatheredRows(house, shop)
    const expected = beyond.map(({ row }) => ({ ...row, groupHash: gatheringHash(shop.projectId) }))
    assert.deepEqual(rows, expected)
    for (const { row, projectId, payload } of beyond) {
      const bytes = await house.segments.read({ ...row, kind: ERROR }, projectId, row.eventId)
      assert.equal(Buffer.from(bytes ?? '').toString(), payload)
    }
    assert.deepEqual(await contradictions(house), [])
    const { segments, telemetry, control } = house
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await gatheredRows(house, shop), expected)
  })

  it('keep payloads like those of any issue: beyond the cap they are sampled', async (t) => {
    const { shop, house } = await opened(t)
    const cap = 4
    const options = { ...PROJECT_OPTIONS_DEFAULT, payloadsPerIssueHour: cap }
    value(await house.control.updateProject(orgId(1), shop.projectId, { options }, anActor()))
    const all = newErrors(shop, 1, 30)
    await bring(house, all, 9)
    const { other } = await issuesOf(house, shop)
    const kept = all
      .slice(MOST)
      .filter(({ seq }, index) => isSampled(seq, samplingOf(index + 1, cap)))
      .map(({ row }) => row.eventId)
    assert.deepEqual([other?.eventCount, other?.payloadCount], [30 - MOST, kept.length])
    assert.ok(kept.length < 30 - MOST)
    assert.match(
      other?.value ?? '',
      /own title and tags, and payloads are sampled like those of any issue\.$/,
    )
    assert.equal((await gatheredRows(house, shop)).length, 30 - MOST)
    assert.deepEqual(await contradictions(house), [])
  })

  it('leave known issues alone, and begin again with the next hour', async (t) => {
    const { shop, house } = await opened(t)
    await bring(house, newErrors(shop, 1, 10), 10)
    const known = processedEnvelope(11, shop, { group: 'new 1', receivedMs: NOW + 11, timestampMs: NOW + 11 })
    const later = newErrors(shop, 12, 2, NOW + HOUR)
    await house.commit.commit(batchOf([known, ...later]))
    const { total, other } = await issuesOf(house, shop)
    assert.deepEqual([total, other?.eventCount], [MOST + 3, 4])
    const scope = scopeForTest({ orgId: orgId(1), projects: [shop.projectId] })
    const first = await house.reader.issueOfGroup(scope, shop.projectId, aHash('new 1'))
    assert.equal(first?.eventCount, 2)
  })

  it('are the same when a commit fails and its batch comes again, cut otherwise', async (t) => {
    const { open, shop } = await aDirectory(t)
    const all = newErrors(shop, 1, 20)
    let left = 1
    const house = await open(() => ({
      newIssuesMax: MOST,
      onStep(step) {
        if (step === 'columns' && left-- === 0) throw new Error('interrupted')
      },
    }))
    await assert.rejects(bring(house, all, 5))
    await bring(house, all, 13)
    const { total, other } = await issuesOf(house, shop)
    assert.deepEqual([total, other?.eventCount], [MOST + 1, 14])
    assert.deepEqual(await contradictions(house), [])
  })

  it('are not bounded in a project without spike protection', async (t) => {
    const { shop, house } = await opened(t)
    const options = { ...PROJECT_OPTIONS_DEFAULT, spikeProtection: false }
    value(await house.control.updateProject(orgId(1), shop.projectId, { options }, anActor()))
    await bring(house, newErrors(shop, 1, 20), 20)
    const { total, other } = await issuesOf(house, shop)
    assert.deepEqual([total, other], [20, null])
  })
})
