import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

const MAIL = {
  ...{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' },
  fallthroughType: 'ActiveMembers',
}
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

  it('the owner of a rule is kept, changed and taken away, and must be of the organisation', async () => {
    const path = '/projects/acme/shop/rules/'
    const rule = {
      ...{ name: 'Owned', actions: [MAIL] },
      conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
    }
    const made = await call(`POST ${path}`, { ...rule, owner: 'team:1' })
    assert.deepEqual([made.status, made.body.owner], [201, 'team:1'], JSON.stringify(made.body))
    const one = `${path}${made.body.id}/`
    assert.equal((await call(`PUT ${one}`, rule)).body.owner, 'team:1', 'left out, it stays')
    assert.equal((await call(`PUT ${one}`, { ...rule, owner: 'user:1' })).body.owner, 'user:1')
    assert.equal((await call(`PUT ${one}`, { ...rule, owner: null })).body.owner, null)
    for (const owner of ['team:999', 'user:999', 'nobody:7', 'team:', '#web'])
      assert.equal((await call(`PUT ${one}`, { ...rule, owner })).status, 400, owner)
    const metric = await call('POST /organizations/acme/alert-rules/', { ...METRIC_RULE, owner: 'team:1' })
    assert.equal(metric.body.owner, 'team:1')
  })

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
      [action.id, action.alertRuleTriggerId, action.type, action.targetType, action.targetIdentifier],
      [`${trigger.id}-1`, trigger.id, 'email', 'owners', 'active'],
    )
    const wrong = { ...METRIC_RULE, triggers: [{ ...critical, actions: [{ type: 'pagerduty' }] }] }
    assert.equal((await call('POST /organizations/acme/alert-rules/', wrong)).status, 400)
    assert.equal(
      (await call('POST /organizations/acme/alert-rules/', { ...METRIC_RULE, projects: [] })).status,
      400,
    )
  })

  const RECEIVERS: readonly (readonly [object, object])[] = [
    [{ id: 'errata.actions.members' }, { type: 'email', targetType: 'members', targetIdentifier: null }],
    [{ id: 'errata.actions.assignee' }, { type: 'email', targetType: 'assignee', targetIdentifier: null }],
    [
      { ...MAIL, fallthroughType: 'NoOne' },
      { type: 'email', targetType: 'owners', targetIdentifier: 'nobody' },
    ],
    [
      { ...MAIL, targetType: 'Team', targetIdentifier: 1 },
      { type: 'email', targetType: 'team', targetIdentifier: '1' },
    ],
  ]
  for (const [sent, read] of RECEIVERS)
    it(`a metric rule takes ${JSON.stringify(sent)} and, written again as it was read, keeps it`, async () => {
      const path = '/organizations/acme/alert-rules/'
      const triggers = [{ label: 'critical', alertThreshold: 2_000, actions: [sent] }]
      const { status, body } = await call(`POST ${path}`, { ...METRIC_RULE, triggers })
      assert.equal(status, 201, JSON.stringify(body))
      assert.partialDeepStrictEqual(body.triggers[0].actions[0], read)
      const again = await call(`PUT ${path}${body.id}/`, body)
      assert.deepEqual(again.body.triggers, body.triggers)
    })

  it('a rule that wants all its moments says so in words', async () => {
    const { body } = await call('POST /projects/acme/shop/rules/', { ...ISSUE_RULE, actionMatch: 'all' })
    const one = (await call(`GET /organizations/acme/alerts/rules/${body.id}/`)).body
    assert.match(one.sentence, /a new issue, and an issue affects 26 users/)
  })

  it('what no rule can say is refused by name', async () => {
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

  const C = 'sentry.rules.conditions'
  const F = 'sentry.rules.filters'
  const FREQUENCY = `${C}.event_frequency.EventFrequencyCondition`
  const plain = {
    ...{ name: 'A rule', actionMatch: 'any', filterMatch: 'all', frequency: 30, environment: null },
    ...{ conditions: [{ id: `${C}.first_seen_event.FirstSeenEventCondition` }], filters: [], actions: [] },
  }
  const tag = (match: string) => ({
    id: `${F}.tagged_event.TaggedEventFilter`,
    key: 'plan',
    match,
    value: 'pro',
  })
  const mail = (more: object) => ({ id: 'sentry.mail.actions.NotifyEmailAction', ...more })
  const post = (change: object) => call('POST /projects/acme/shop/rules/', { ...plain, ...change })
  const meant = async (id: string) => (await call(`GET /organizations/acme/alerts/rules/${id}/`)).body

  /** Sentry rules, and what each must mean here. */
  const MEANT: readonly (readonly [string, object, object])[] = [
    [
      'every event',
      { conditions: [{ id: `${C}.every_event.EveryEventCondition` }] },
      { when: [{ on: 'frequency', of: 'events', atLeast: 1, withinMinutes: 1 }] },
    ],
    [
      'a regression',
      { conditions: [{ id: `${C}.regression_event.RegressionEventCondition` }] },
      { when: [{ on: 'regressed' }] },
    ],
    [
      'an issue that reappears',
      { conditions: [{ id: `${C}.reappeared_event.ReappearedEventCondition` }] },
      { when: [{ on: 'escalating' }] },
    ],
    [
      'more than so many events',
      { conditions: [{ id: FREQUENCY, value: 100, interval: '1h' }] },
      { when: [{ on: 'frequency', of: 'events', atLeast: 101, withinMinutes: 60 }] },
    ],
    ['all conditions', { actionMatch: 'all' }, { whenMatch: 'all' }],
    [
      'no filter',
      { filterMatch: 'none', filters: [tag('eq')] },
      { if: { match: 'none', conditions: [{ is: 'tag', key: 'plan', how: 'is', value: 'pro' }] } },
    ],
    [
      'the environment beside one filter of any',
      { environment: 'production', filterMatch: 'any', filters: [tag('eq')] },
      {
        if: {
          match: 'all',
          conditions: [
            { is: 'environment', value: 'production' },
            { is: 'tag', key: 'plan', how: 'is', value: 'pro' },
          ],
        },
      },
    ],
    ...(
      [
        ['eq', 'is'],
        ['ne', 'is not'],
        ['co', 'contains'],
        ['nc', 'does not contain'],
        ['sw', 'starts with'],
        ['nsw', 'does not start with'],
        ['ew', 'ends with'],
        ['new', 'does not end with'],
        ['is', 'is set'],
        ['ns', 'is not set'],
      ] as const
    ).map(
      ([match, how]) =>
        [
          `a tag with ${match}`,
          { filters: [tag(match)] },
          { if: { match: 'all', conditions: [{ is: 'tag', key: 'plan', how, value: 'pro' }] } },
        ] as const,
    ),
    ...(['gte', 'eq', 'lte'] as const).map(
      (match, at) =>
        [
          `a level with ${match}`,
          { filters: [{ id: `${F}.level.LevelFilter`, match, level: '30' }] },
          {
            if: {
              match: 'all',
              conditions: [{ is: 'level', how: ['at least', 'exactly', 'at most'][at], level: 'warning' }],
            },
          },
        ] as const,
    ),
    [
      'an attribute that is a tag',
      {
        filters: [
          {
            id: `${F}.event_attribute.EventAttributeFilter`,
            attribute: 'environment',
            match: 'ne',
            value: 'staging',
          },
        ],
      },
      {
        if: {
          match: 'all',
          conditions: [{ is: 'tag', key: 'environment', how: 'is not', value: 'staging' }],
        },
      },
    ],
    [
      'nobody assigned',
      { filters: [{ id: `${F}.assigned_to.AssignedToFilter`, targetType: 'Unassigned' }] },
      { if: { match: 'all', conditions: [{ is: 'assignee', userId: null }] } },
    ],
    ...(
      [
        ['NoOne', 'nobody'],
        ['AllMembers', 'members'],
        ['ActiveMembers', 'active'],
      ] as const
    ).map(
      ([fallthroughType, otherwise]) =>
        [
          `owners or ${fallthroughType}`,
          { actions: [mail({ targetType: 'IssueOwners', fallthroughType })] },
          { notify: [{ target: { to: 'owners', otherwise }, fromLevel: 'warning' }] },
        ] as const,
    ),
  ]
  for (const [what, sent, meaning] of MEANT)
    it(`${what}: means here what it means there, and is read as it was sent`, async () => {
      const made = await post(sent)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const rule = await meant(made.body.id)
      assert.deepEqual({ ...rule, ...meaning }, rule)
      for (const list of ['conditions', 'filters', 'actions'] as const)
        for (const [at, entry] of (Reflect.get({ ...plain, ...sent }, list) as readonly object[]).entries())
          assert.deepEqual({ ...made.body[list][at], ...entry }, made.body[list][at])
      const again = await call(`PUT /projects/acme/shop/rules/${made.body.id}/`, made.body)
      assert.equal(again.status, 200, JSON.stringify(again.body))
      assert.deepEqual((await meant(made.body.id)).if, rule.if)
    })

  const attribute = (name: string, match = 'eq') => ({
    id: `${F}.event_attribute.EventAttributeFilter`,
    attribute: name,
    match,
    value: 'x',
  })
  /** Sentry rules that no rule here can express: the field at fault, and the words it is named by. */
  const REFUSED: readonly (readonly [object, field: string, named: RegExp])[] = [
    ...[
      'high_priority_issue.NewHighPriorityIssueCondition',
      'high_priority_issue.ExistingHighPriorityIssueCondition',
      'event_frequency.EventFrequencyPercentCondition',
      'event_frequency.EventUniqueUserFrequencyConditionWithConditions',
      'tagged_event.TaggedEventCondition',
      'event_attribute.EventAttributeCondition',
      'level.LevelCondition',
      'no_such.Condition',
    ].map((id) => [{ conditions: [{ id: `${C}.${id}` }] }, 'conditions', new RegExp(id)] as const),
    [{ conditions: [{ id: FREQUENCY, value: 1, interval: '30d' }] }, 'conditions', /interval "30d"/],
    [{ conditions: [{ id: FREQUENCY, value: 'many', interval: '1h' }] }, 'conditions', /value "many"/],
    [
      { conditions: [{ id: FREQUENCY, value: 5, interval: '1h', comparisonType: 'percent' }] },
      'conditions',
      /comparisonType "percent"/,
    ],
    ...[
      'issue_occurrences.IssueOccurrencesFilter',
      'issue_category.IssueCategoryFilter',
      'issue_severity.IssueSeverityFilter',
      'latest_adopted_release_filter.LatestAdoptedReleaseFilter',
    ].map((id) => [{ filters: [{ id: `${F}.${id}` }] }, 'filters', new RegExp(id)] as const),
    ...['in', 'nin', 'gte', 'lte', 'gt', 'toString'].map(
      (match) => [{ filters: [tag(match)] }, 'filters', new RegExp(`match "${match}"`)] as const,
    ),
    ...[
      'stacktrace.filename',
      'stacktrace.module',
      'stacktrace.code',
      'user.email',
      'user.id',
      'exception.type',
      'exception.value',
      'type',
      'platform',
      'http.url',
      'http.method',
      'error.handled',
      'device.model',
      'sdk.name',
      'constructor',
    ].map((name) => [{ filters: [attribute(name)] }, 'filters', new RegExp(`attribute "${name}"`)] as const),
    ...['eq', 'nc', 'sw', 'ns'].map(
      (match) =>
        [{ filters: [attribute('message', match)] }, 'filters', new RegExp(`match "${match}"`)] as const,
    ),
    [{ filters: [{ id: `${F}.level.LevelFilter`, match: 'gt', level: '40' }] }, 'filters', /match "gt"/],
    [
      { filters: [{ id: `${F}.assigned_to.AssignedToFilter`, targetType: 'Team', targetIdentifier: 1 }] },
      'filters',
      /targetType "Team"/,
    ],
    ...[
      'sentry.integrations.slack.notify_action.SlackNotifyServiceAction',
      'sentry.integrations.pagerduty.notify_action.PagerDutyNotifyServiceAction',
      'sentry.integrations.opsgenie.notify_action.OpsgenieNotifyTeamAction',
      'sentry.integrations.discord.notify_action.DiscordNotifyServiceAction',
      'sentry.integrations.msteams.notify_action.MsTeamsNotifyServiceAction',
      'sentry.rules.actions.notify_event.NotifyEventAction',
      'sentry.rules.actions.notify_event_service.NotifyEventServiceAction',
      'sentry.rules.actions.notify_event_sentry_app.NotifyEventSentryAppAction',
      'sentry.integrations.jira.notify_action.JiraCreateTicketAction',
      'sentry.integrations.github.notify_action.GitHubCreateTicketAction',
    ].map((id) => [{ actions: [{ id }] }, 'actions', new RegExp(id)] as const),
    [{ actions: [mail({ targetType: 'ReleaseMembers' })] }, 'actions', /targetType "ReleaseMembers"/],
    [
      { actions: [mail({ targetType: 'IssueOwners', fallthroughType: 'Somebody' })] },
      'actions',
      /fallthroughType "Somebody"/,
    ],
    [{ actionMatch: 'none' }, 'actionMatch', /any or all/],
    [
      { environment: 'production', filterMatch: 'any', filters: [tag('eq'), tag('ne')] },
      'environment',
      /filterMatch any/,
    ],
    [
      { environment: 'production', filterMatch: 'none', filters: [tag('eq')] },
      'environment',
      /filterMatch none/,
    ],
  ]
  for (const [sent, field, named] of REFUSED)
    it(`${JSON.stringify(sent).slice(0, 120)} is refused by its name`, async () => {
      const { status, body } = await post(sent)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(String(body[field]), named, JSON.stringify(body))
    })

  const metric = (change: object) =>
    call('POST /organizations/acme/alert-rules/', { ...METRIC_RULE, ...change })
  const METRICS: readonly (readonly [object, field: string | null])[] = [
    [{ query: 'transaction:/checkout level:error' }, 'query'],
    [{ query: '!transaction:/checkout' }, 'query'],
    [{ query: 'user.email:ada@example.com' }, 'query'],
    [{ aggregate: 'avg(transaction.duration)' }, 'aggregate'],
    [{ aggregate: 'p95(measurements.lcp)' }, 'aggregate'],
    [{ aggregate: 'count_unique(tags[plan])', dataset: 'events', query: '' }, 'aggregate'],
    [{ aggregate: 'count()', dataset: 'events', query: 'transaction:/checkout' }, 'query'],
    [{ dataset: 'profiles' }, 'dataset'],
    [{ comparisonDelta: 60 }, 'comparisonDelta'],
    [
      {
        triggers: [
          { label: 'critical', alertThreshold: 1_000, actions: [{ type: 'slack', targetType: 'specific' }] },
        ],
      },
      'actions',
    ],
    [{ aggregate: 'percentile(transaction.duration, 0.95)', query: 'transaction:"/checkout"' }, null],
    [
      {
        aggregate: 'count()',
        dataset: 'events',
        query: 'event.type:error',
        timeWindow: 60,
        resolveThreshold: null,
      },
      null,
    ],
  ]
  for (const [sent, field] of METRICS)
    it(`a metric rule with ${JSON.stringify(sent).slice(0, 90)} is ${field === null ? 'taken' : `refused by its ${field}`}`, async () => {
      const { status, body } = await metric(sent)
      assert.equal(status, field === null ? 201 : 400, JSON.stringify(body))
      if (field !== null) assert.ok(field in body, JSON.stringify(body))
    })
})
