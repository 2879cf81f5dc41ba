import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayOf, orgId } from '#base/ids.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { deepCheck } from '#store/embedded/care/deep-check.ts'
import { aHash } from '#testing/builders/ids.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { type House, type ProcessedEnvelope, processedEnvelope } from '#testing/worlds/stores.ts'
import { aDirectory, bring, type TrafficSender } from '#testing/worlds/traffic.ts'

const LOOK = {
  title: 'Stale tabs failed after a deploy',
  category: 'skew',
  environment: 'production',
} as const
const failed = { failure: 'action', sdk: 'sentry.javascript.nextjs', httpStatus: null } as const

/** A click an hour after the one before: the server that answers, then the tab, which stays of its build. */
function clicks(shop: TrafficSender, answers: readonly string[]): readonly ProcessedEnvelope[] {
  return answers.flatMap((release, hour) => {
    const click = { timestampMs: NOW + hour * HOUR, traceId: aHash(`click ${hour}`), skewSubject: '40f1c2' }
    const server = { group: `server ${release}`, release, stale: { ...failed, side: 'server' as const } }
    const tab = { group: 'tab', release: 'v1', stale: { ...failed, side: 'browser' as const } }
    return [server, tab].map((half, at) =>
      processedEnvelope(2 * hour + at + 1, shop, { ...LOOK, ...click, ...half }),
    )
  })
}

async function eventCounts(house: House, { projectId }: TrafficSender): Promise<readonly number[]> {
  const scope = scopeForTest({ orgId: orgId(1), projects: [projectId] })
  const filter = aFilter({ endMs: NOW + 100 * HOUR })
  const { rows } = await house.reader.list(scope, filter, { sort: 'new', limit: 100, cursor: null })
  return rows.map(({ eventCount }) => eventCount).sort()
}

describe('events of a tab that outlived several deploys', () => {
  for (const size of [1, 3, 100])
    it(`are of the issue of each, ${size} in a batch`, async (t) => {
      const { open, shop } = await aDirectory(t)
      const house = await open()
      const all = clicks(shop, ['v2', 'v2', 'v3', 'v3', 'v3'])
      await bring(house, all, size)
      // In one batch nothing is known yet of where the tab's group belongs.
      if (size === 100) return assert.equal((await eventCounts(house, shop)).at(-1), 7)
      assert.deepEqual(await eventCounts(house, shop), [4, 6])
      const tab = all[1]
      assert.ok(tab !== undefined)
      const kept = await house.segments.read({ ...tab.row, kind: ERROR }, shop.projectId, tab.row.eventId)
      assert.equal(Buffer.from(kept ?? '').toString(), tab.payload)
      const { segments, telemetry, eventIds, control, reader } = house
      const stores = { control: reader, segments, telemetry, eventIds }
      const hidden = await control.hidden()
      const appliedSeq = await control.appliedSeq()
      const findings = await deepCheck({ kinds: KINDS, ...stores, appliedSeq, hidden, today: dayOf(NOW) })
      assert.deepEqual(
        findings.filter(({ ok }) => !ok).map(({ detail }) => detail),
        [],
      )
    })
})
