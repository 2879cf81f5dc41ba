/** Server actions by the names their builds give them, in traces and beside errors, also where the upload came later. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { NamedAction } from '#ports/artifacts.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'
import { actionNames } from './action-names.ts'

const ID = '00a99c8b49aa6d8fee488f6549726bc7635288e255'
const INLINE = `40${'b'.repeat(40)}`
const TRACE = 'c'.repeat(32)

describe('the names of server actions', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    const attributes = {
      ...{ 'sentry.sdk.name': 'sentry.javascript.nextjs', 'http.route': '/', 'http.request.method': 'POST' },
      ...{ 'http.response.status_code': 500, 'http.request.header.next-action': ID },
    }
    const span = aSpan({
      ...{ id: 'a', isSegment: true, segment: 'a', trace: TRACE, name: 'POST /', attributes },
    })
    await sendEnvelope(shop, shop.dsn, spanEnvelope([span]))
    await send(
      shop,
      shop.dsn,
      anError({
        request: { url: 'https://shop.test/', method: 'POST', headers: { 'Next-Action': ID } },
        contexts: { trace: { trace_id: TRACE, span_id: '1'.repeat(16) } },
      }),
    )
  })
  after(() => shop.close())

  let bundles = 0
  const add = (release: string, actions: readonly NamedAction[], project = shop.shop.id) => {
    bundles += 1
    shop.uploads.index.addBundle({
      ...{
        orgId: shop.shop.orgId,
        projects: [project],
        release,
        dist: null,
        by: 'ci',
        kind: 'bundle',
        name: '',
      },
      ...{ sha1: String(bundles).padStart(40, '0'), bytes: 1, files: [], actions, uploadedMs: 1 },
    })
  }
  const inTrace = async () => {
    const trace = await shop.queries.trace(await shop.people.owner.scope(), TRACE)
    return trace?.spans.find(({ segment }) => segment !== null)?.segment?.action
  }
  const besideError = async () => {
    const scope = await shop.people.owner.scope()
    const trace = await shop.queries.trace(scope, TRACE)
    return (await shop.queries.event(scope, 'shop', trace?.errors[0]?.eventId ?? ''))?.action
  }

  const inExamples = async () => {
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + 24 * HOUR }
    const route = { ...{ project: 'shop', environment: null, release: null, range }, route: '/', kind: null }
    const view = await shop.queries.route(await shop.people.owner.scope(), route)
    return [view?.slow, view?.failed].map((rows) => rows?.map(({ action }) => action))
  }

  it('are their ids until an upload names them, and then file and export', async () => {
    assert.deepEqual([await inTrace(), await besideError()], [ID, ID])
    assert.deepEqual(await inExamples(), [[ID], [ID]])
    add('shop@1', [{ id: ID, file: 'app/actions.ts', name: 'fail' }])
    assert.deepEqual(await inExamples(), [['fail (app/actions.ts)'], ['fail (app/actions.ts)']])
    assert.deepEqual(
      [await inTrace(), await besideError()],
      ['fail (app/actions.ts)', 'fail (app/actions.ts)'],
    )
  })

  it('are what later requests are counted and kept by, and found beside those before', async () => {
    const attributes = {
      ...{
        'sentry.sdk.name': 'sentry.javascript.nextjs',
        'http.route': '/named',
        'http.request.method': 'POST',
      },
      ...{ 'http.response.status_code': 200, 'http.request.header.next-action': ID },
    }
    const trace = 'e'.repeat(32)
    await sendEnvelope(
      shop,
      shop.dsn,
      spanEnvelope([
        aSpan({ id: 'c', isSegment: true, segment: 'c', trace, name: 'POST /named', attributes }),
      ]),
    )
    const scope = await shop.people.owner.scope()
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + 24 * HOUR }
    const query = { projects: null, ...range, route: '/named' }
    const found = await shop.queries.requests.actions(scope, query)
    assert.deepEqual(
      found.map(({ action, count }) => [action, count]),
      [['fail (app/actions.ts)', 1]],
    )
    const search = {
      project: 'shop',
      query: 'action:"fail (app/actions.ts)"',
      sort: 'newest',
      limit: 10,
      cursor: null,
    } as const
    const { rows } = await shop.queries.traces(scope, { range, ...search })
    assert.deepEqual(
      rows.map(({ traceId, action }) => [traceId, action]),
      [TRACE, trace].map((traceId) => [traceId, 'fail (app/actions.ts)']),
    )
  })

  it('stand for the ids of requests that came before them, in figures, searches and lists', async () => {
    const scope = await shop.people.owner.scope()
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + 24 * HOUR }
    const name = 'fail (app/actions.ts)'
    const place = { ...{ project: 'shop', environment: null, release: null, range }, route: '/', kind: null }
    for (const action of [name, ID]) {
      const view = await shop.queries.route(scope, { ...place, action })
      assert.deepEqual([view?.action, view?.figures.count], [name, 1])
      assert.deepEqual(
        view?.actions.map(({ action: of, count }) => [of, count]),
        [[name, 1]],
      )
      assert.deepEqual(
        view?.failed.map((row) => [row.action, row.actionId]),
        [[name, ID]],
      )
    }
    const found = async (query: string) => {
      const search = {
        project: null,
        query: `${query} route:/`,
        sort: 'newest',
        limit: 10,
        cursor: null,
      } as const
      const { rows } = await shop.queries.traces(scope, { range, ...search })
      return rows.map((row) => [row.action, row.actionId])
    }
    const one = [[name, ID]]
    for (const query of [`action:"${name}"`, `action:${ID}`, 'action:fail*', '!action:pay*', 'has:action'])
      assert.deepEqual(await found(query), one, query)
    for (const query of [`!action:"${name}"`, `!action:${ID}`, '!action:fail*', 'action:pay', '!has:action'])
      assert.deepEqual(await found(query), [], query)
  })

  it('are those of the release that ran, else of the newest upload, and of no other project', async () => {
    add('shop@2', [
      { id: ID, file: 'app/two.ts', name: 'fail' },
      { id: INLINE, file: 'app/page.tsx', name: '$$RSC_SERVER_ACTION_0' },
    ])
    const scope = await shop.people.owner.scope()
    const names = async (release: string | null, projects = scope.projects) => {
      const asked = [ID, INLINE].map((id) => ({ project: shop.shop.id, release, id }))
      const parts = { artifacts: shop.uploads.artifacts, requests: shop.queries.requests }
      const found = await actionNames(parts, { ...scope, projects }, asked)
      return found.all.map(({ name }) => name)
    }
    assert.deepEqual((await names('shop@1'))[0], 'fail (app/actions.ts)')
    assert.deepEqual(await names(null), ['fail (app/two.ts)', 'app/page.tsx 40bbbbbbbb…'])
    assert.deepEqual(await names('shop@2', []), [])
  })

  it('are looked up for so many of one page, and for ids alone', async () => {
    const scope = await shop.people.owner.scope()
    let asked = 0
    const artifacts = {
      actions: async (_scope: unknown, all: readonly unknown[]) => {
        asked = all.length
        return []
      },
    }
    const ids = Array.from({ length: max('actionsAskedMax') + 5 }, (_, at) => String(at).padStart(42, '0'))
    const all = ['addToCart', ...ids].map((id) => ({ project: shop.shop.id, release: null, id }))
    await actionNames({ artifacts, requests: shop.queries.requests }, scope, all)
    assert.equal(asked, max('actionsAskedMax'))
  })
})
