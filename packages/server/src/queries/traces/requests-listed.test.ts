/** Rows of the list of traces: the app's requests, without what the SDK records beside them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const range = { startMs: NOW - HOUR, endMs: NOW + HOUR }
const SEARCH = { range, project: null, query: '', sort: 'newest', limit: 20, cursor: null } as const

type Parts = Omit<Parameters<typeof aSpan>[0], 'id'>

const request = (parts: Parts): Parts => ({
  ...parts,
  attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200, ...parts.attributes },
})
const PAGE = request({ name: 'GET /orders', attributes: { 'http.route': '/orders' } })
const RELAY = request({
  name: 'POST /monitoring',
  attributes: { 'http.request.method': 'POST', 'http.route': '/monitoring', 'url.path': '/monitoring' },
})
const TASK: Parts = { name: 'settle', op: 'queue.task' }

describe('the list of traces', () => {
  async function listed(segments: readonly Parts[], query = '', more: object = {}) {
    const shop = await openShop()
    try {
      const spans = segments.map((one, at) => {
        const id = String.fromCharCode(97 + at)
        return aSpan({ ...one, id, isSegment: true, segment: id, trace: id.repeat(32), at })
      })
      await sendEnvelope(shop, shop.dsn, spanEnvelope(spans))
      const scope = await shop.people.owner.scope()
      const { rows, ...list } = await shop.queries.traces(scope, { ...SEARCH, query, ...more })
      assert.equal(list.total, rows.length)
      assert.equal(list.points.length, rows.length)
      return { of: list.of, others: list.otherTotal, names: rows.map(({ name }) => name).sort() }
    } finally {
      await shop.close()
    }
  }

  it('holds requests alone, and counts what is none beside them', async () => {
    const found = await listed([PAGE, RELAY, TASK, TASK])
    assert.deepEqual(found, { of: 'requests', others: 2, names: ['GET /orders'] })
  })

  it('leaves the relay out of the kind that it has', async () => {
    const found = await listed([PAGE, RELAY, TASK], 'kind:route-handler')
    assert.deepEqual(found, { of: 'requests', others: 0, names: ['GET /orders'] })
  })

  it('shows what is no request to whoever asks for it by kind, name, operation or trace', async () => {
    for (const query of ['kind:other', 'settle', 'op:queue.task', `trace:${'c'.repeat(32)}`])
      assert.deepEqual(
        await listed([PAGE, RELAY, TASK], query),
        { of: 'all', others: 0, names: ['settle'] },
        query,
      )
    assert.deepEqual((await listed([PAGE, RELAY, TASK], 'monitoring')).names, ['POST /monitoring'])
  })

  it('shows the work of a service that answers no requests', async () => {
    assert.deepEqual(await listed([TASK]), { of: 'others', others: 0, names: ['settle'] })
    assert.deepEqual(await listed([PAGE, TASK], 'duration:>10s'), { of: 'requests', others: 0, names: [] })
  })

  it('leaves nothing out for who asks for all', async () => {
    const { names } = await listed([PAGE, RELAY, TASK], '', { withOthers: true })
    assert.deepEqual(names, ['GET /orders', 'POST /monitoring', 'settle'])
  })
})
