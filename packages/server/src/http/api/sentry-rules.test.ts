import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

const MAIL = { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' }
const ISSUE_RULE = {
  name: 'Many users',
  ...{ actionMatch: 'any', filterMatch: 'all', frequency: 60, environment: 'production' },
  conditions: [
    { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' },
    {
      id: 'sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition',
      ...{ value: 25, interval: '1h', comparisonType: 'count' },
    },
    { id: 'errata.conditions.digest', atLeast: 3, withinMinutes: 60 },
  ],
  filters: [
    { id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' },
    { id: 'sentry.rules.filters.tagged_event.TaggedEventFilter', key: 'plan', match: 'co', value: 'pro' },
    { id: 'sentry.rules.filters.latest_release.LatestReleaseFilter' },
  ],
  actions: [MAIL],
}
const METRIC_RULE = {
  ...{ name: 'Slow checkout', aggregate: 'p95(transaction.duration)', dataset: 'transactions' },
  ...{ query: 'transaction:/checkout', timeWindow: 60, thresholdType: 0, resolveThreshold: 500 },
  ...{ environment: null, projects: ['shop'] },
  triggers: [
    {
      ...{ label: 'critical', alertThreshold: 2_000 },
      actions: [{ type: 'email', targetType: 'team', targetIdentifier: '1' }],
    },
    { label: 'warning', alertThreshold: 1_000, actions: [] },
  ],
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of answers, asserted field by field
type Json = any

describe('rules as tools for Sentry know them', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (line, body) => caller(shop.people.owner, line, body)
  })
  after(() => shop.close())

  const tables = [
    ['/projects/acme/shop/rules/', ISSUE_RULE, ['conditions', 'filters', 'actions']],
    ['/organizations/acme/alert-rules/', METRIC_RULE, ['triggers']],
    ['/projects/acme/shop/alert-rules/', METRIC_RULE, ['triggers']],
    [
      '/projects/acme/shop/rules/',
      { ...ISSUE_RULE, name: 'All at once', actionMatch: 'all' },
      ['conditions', 'filters', 'actions'],
    ],
  ] as const
  for (const [path, rule, lists] of tables) {
    it(`${path}: a rule is created, read as it was sent, changed and deleted`, async () => {
      const made = await call(`POST ${path}`, rule)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id } = made.body
      const one = (await call(`GET ${path}${id}/`)).body
      for (const [name, value] of Object.entries(rule))
        if (!(lists as readonly string[]).includes(name)) assert.deepEqual(one[name], value, name)
      for (const list of lists)
        for (const [at, entry] of (Reflect.get(rule, list) as readonly object[]).entries())
          assert.partialDeepStrictEqual(one[list][at], entry, `${list} ${at}`)
      const listed = (await call(`GET ${path}`)).body
      assert.ok(listed.some((each: { id: string }) => each.id === id))
      const changed = await call(`PUT ${path}${id}/`, { ...one, name: 'Another name' })
      assert.deepEqual(
        [changed.status, changed.body.name],
        [200, 'Another name'],
        JSON.stringify(changed.body),
      )
      for (const list of lists) assert.deepEqual(changed.body[list], one[list])
      const isIssueRule = path.endsWith('/rules/') && path.startsWith('/projects/')
      assert.equal((await call(`DELETE ${path}${id}/`)).status, isIssueRule ? 202 : 204)
      assert.equal((await call(`GET ${path}${id}/`)).status, 404)
    })
  }

  it('a metric rule’s actions have ids of their own, and those in the words of issue rules are taken too', async () => {
    const critical = { label: 'critical', alertThreshold: 2_000 }
    const { status, body } = await call('POST /projects/acme/shop/alert-rules/', {
      ...METRIC_RULE,
      ...{ projects: undefined, triggers: [{ ...critical, actions: [MAIL] }], owner: null, unknown: true },
    })
    assert.equal(status, 201, JSON.stringify(body))
    const [trigger] = body.triggers
    assert.deepEqual(
      [body.projects, trigger.id, trigger.alertRuleId],
      [['shop'], `${body.id}-critical`, body.id],
    )
    const [action] = trigger.actions
    assert.deepEqual(
      [action.id, action.alertRuleTriggerId, action.type, action.targetType],
      [`${trigger.id}-1`, trigger.id, 'email', 'members'],
    )
    const wrong = { ...METRIC_RULE, triggers: [{ ...critical, actions: [{ type: 'pagerduty' }] }] }
    assert.equal((await call('POST /organizations/acme/alert-rules/', wrong)).status, 400)
    assert.equal(
      (await call('POST /organizations/acme/alert-rules/', { ...METRIC_RULE, projects: [] })).status,
      400,
    )
  })

  it('a rule that wants all its moments keeps that, whoever saves it', async () => {
    const { body } = await call('POST /projects/acme/shop/rules/', { ...ISSUE_RULE, actionMatch: 'all' })
    const path = `/organizations/acme/alerts/rules/${body.id}/`
    const one = (await call(`GET ${path}`)).body
    assert.match(one.sentence, /a new issue, and an issue affects 25 users/)
    const draft = Object.fromEntries(
      ['kind', 'name', 'isOn', 'projects', 'if', 'notify', 'everyMinutes', 'isQuiet', 'when'].map((name) => [
        name,
        one[name],
      ]),
    )
    const saved = await call(`PUT ${path}`, { ...draft, name: 'Saved on the page' })
    assert.deepEqual([saved.status, saved.body.match], [200, 'all'], JSON.stringify(saved.body))
    const any = await call(`PUT ${path}`, { ...draft, match: 'any' })
    assert.equal(any.body.match, 'any')
  })

  it('what no rule can say is refused by name', async () => {
    const unknown = {
      ...ISSUE_RULE,
      conditions: [{ id: 'sentry.rules.conditions.every_event.EveryEventCondition' }],
    }
    assert.equal((await call('POST /projects/acme/shop/rules/', unknown)).status, 400)
    const percent = { ...ISSUE_RULE.conditions[1], comparisonType: 'percent' }
    assert.equal(
      (await call('POST /projects/acme/shop/rules/', { ...ISSUE_RULE, conditions: [percent] })).status,
      400,
    )
    const aggregate = { ...METRIC_RULE, aggregate: 'sum(nonsense)' }
    assert.equal((await call('POST /organizations/acme/alert-rules/', aggregate)).status, 400)
    const project = { ...METRIC_RULE, projects: ['nowhere'] }
    assert.equal((await call('POST /organizations/acme/alert-rules/', project)).status, 400)
  })
})
