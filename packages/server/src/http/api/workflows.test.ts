import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of answers, asserted field by field
type Json = any

const CONDITION = { comparison: true, conditionResult: true }
const EMAIL = { type: 'email', data: {}, config: { targetType: 'team', targetIdentifier: '1' } }
const SOURCE = { aggregate: 'p95(span.duration)', dataset: 'spans', query: 'transaction:/checkout' }

describe('rules as workflows and detectors of Sentry', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (line, body) => caller(shop.people.owner, line, body)
  })
  after(() => shop.close())

  const errorDetector = async () => {
    const { body } = await call('GET /organizations/acme/detectors/?query=type:error&project=shop')
    return body[0]
  }
  const workflow = async (changes: object = {}) => ({
    name: 'New and urgent',
    detectorIds: [Number((await errorDetector()).id)],
    config: { frequency: 30 },
    triggers: { logicType: 'any-short', conditions: [{ type: 'first_seen_event', ...CONDITION }] },
    actionFilters: [
      {
        logicType: 'any-short',
        conditions: [
          { type: 'issue_priority_greater_or_equal', comparison: 75, conditionResult: true },
          { ...CONDITION, type: 'tagged_event', comparison: { key: 'plan', match: 'eq', value: 'pro' } },
        ],
        actions: [EMAIL],
      },
    ],
    ...changes,
  })

  it('each project has a detector of its errors, which workflows name', async () => {
    const detector = await errorDetector()
    assert.deepEqual([detector.type, detector.projectSlug, detector.enabled], ['error', 'shop', true])
    const one = await call(`GET /organizations/acme/detectors/${detector.id}/`)
    assert.equal(one.body.id, detector.id)
    assert.equal((await call(`DELETE /organizations/acme/detectors/${detector.id}/`)).status, 404)
  })

  it('a workflow is a rule of issues at both addresses, and is written as it was read', async () => {
    const made = await call('POST /organizations/acme/workflows/', await workflow())
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { id } = made.body
    const older = (await call(`GET /projects/acme/shop/rules/${id}/`)).body
    assert.equal(older.filterMatch, 'any')
    assert.deepEqual(
      older.filters.map((one: Json) => one.id),
      ['errata.filters.priority', 'sentry.rules.filters.tagged_event.TaggedEventFilter'],
    )
    const read = (await call(`GET /organizations/acme/workflows/${id}/`)).body
    const written = await call(`PUT /organizations/acme/workflows/${id}/`, { ...read, enabled: false })
    assert.equal(written.status, 200, JSON.stringify(written.body))
    for (const part of ['triggers', 'actionFilters', 'detectorIds', 'config', 'environment'])
      assert.deepEqual(written.body[part], read[part], part)
    assert.deepEqual([written.body.enabled, written.body.status], [false, 'disabled'])
    const listed = (await call('GET /organizations/acme/workflows/?projectSlug=shop&sortBy=-id&query=urgent'))
      .body
    assert.deepEqual(
      listed.map((one: Json) => one.id),
      [id],
    )
    assert.equal((await call(`DELETE /organizations/acme/workflows/${id}/`)).status, 204)
    assert.equal((await call(`GET /projects/acme/shop/rules/${id}/`)).status, 404)
  })

  const refused: readonly (readonly [what: string, changes: object, said: RegExp])[] = [
    [
      'a trigger that is not known here',
      { triggers: { conditions: [{ type: 'new_high_priority_issue', ...CONDITION }] } },
      /new_high_priority_issue.*not supported/,
    ],
    ['a detector of no project', { detectorIds: ['7'] }, /no detector of errors/],
    ['no detector', { detectorIds: [] }, /at least one/],
    ['triggers of which none may hold', { triggers: { logicType: 'none', conditions: [] } }, /none/],
    ['two groups of filters', { actionFilters: [{ actions: [EMAIL] }, { actions: [EMAIL] }] }, /one group/],
    [
      'a receiver that is not known here',
      { actionFilters: [{ actions: [{ type: 'slack', config: { targetType: 'specific' } }] }] },
      /slack specific.*not supported/,
    ],
    [
      'a type from another object’s names',
      { triggers: { conditions: [{ type: 'constructor' }] } },
      /not supported/,
    ],
  ]
  for (const [what, changes, said] of refused)
    it(`a workflow with ${what} is refused by its name`, async () => {
      const answer = await call('POST /organizations/acme/workflows/', await workflow(changes))
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(answer.body), said)
    })

  it('a detector is a metric rule; what is left out of a change stays', async () => {
    const conditions = [
      { type: 'gt', comparison: 500, conditionResult: 75 },
      { type: 'gt', comparison: 300, conditionResult: 50 },
      { type: 'lte', comparison: 200, conditionResult: 0 },
    ]
    const made = await call('POST /organizations/acme/projects/shop/detectors/', {
      ...{ name: 'Slow', type: 'metric_issue', dataSources: [{ ...SOURCE, timeWindow: 300 }] },
      conditionGroup: { logicType: 'any', conditions },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const older = (await call(`GET /organizations/acme/alert-rules/${made.body.id}/`)).body
    assert.deepEqual(
      [older.timeWindow, older.resolveThreshold, older.triggers.map((one: Json) => one.alertThreshold)],
      [5, 200, [500, 300]],
    )
    const changed = await call(`PUT /organizations/acme/detectors/${made.body.id}/`, {
      ...{ name: 'Crawls', type: 'metric_issue', enabled: false },
      dataSources: [{ ...SOURCE, timeWindow: 900 }],
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual(changed.body.conditionGroup, made.body.conditionGroup)
    assert.deepEqual([changed.body.name, changed.body.enabled, changed.body.status], ['Crawls', false, 1])
    const listed = (await call('GET /organizations/acme/detectors/?query=type:metric_issue%20crawl')).body
    assert.deepEqual(
      listed.map((one: Json) => one.id),
      [made.body.id],
    )
    assert.equal((await call(`DELETE /organizations/acme/detectors/${made.body.id}/`)).status, 204)
  })

  it('a detector whose triggers are of the older kind is taken with whom they tell', async () => {
    const actions = [{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'Team', targetIdentifier: 1 }]
    const made = await call('POST /organizations/acme/projects/shop/detectors/', {
      ...{ name: 'Many', type: 'metric_issue' },
      dataSources: [{ aggregate: 'count()', dataset: 'errors', query: '', timeWindow: 900 }],
      conditionGroup: { conditions: [{ alertThreshold: 100, actions }] },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const older = (await call(`GET /organizations/acme/alert-rules/${made.body.id}/`)).body
    assert.equal(older.triggers[0].actions[0].targetType, 'team')
  })
})

describe('what tools ask that Errata has not', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (line, body) => caller(shop.people.owner, line, body)
  })
  after(() => shop.close())

  for (const [path, said] of [
    ['/organizations/acme/replays/', /stores no session replays/],
    ['/projects/acme/shop/replays/0123/', /stores no session replays/],
    ['/organizations/acme/monitors/', /no cron check-ins/],
    ['/organizations/acme/trace-logs/', /stores no logs/],
    ['/customers/acme/', /no plans/],
    ['/organizations/acme/issues/1/autofix/', /no analysis by an AI model/],
    ['/organizations/replays/nowhere/', /^This call is not part/],
  ] as const)
    it(`${path} says what is missed`, async () => {
      const { status, body } = await call(`GET ${path}`)
      assert.equal(status, 404)
      assert.match(body.detail, said)
    })

  it('a dataset that is not stored is called by its name', async () => {
    const { status, body } = await call('GET /organizations/acme/events/?dataset=logs&field=message')
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /Logs are not stored by this version/)
  })

  it('dashboards are none, and making one says so', async () => {
    assert.deepEqual((await call('GET /organizations/acme/dashboards/')).body, [])
    const made = await call('POST /organizations/acme/dashboards/', {})
    assert.equal(made.status, 405)
    assert.match(made.body.detail, /no dashboards/)
  })
})
