/** Rules of the sample organisation, beside those that every organisation begins with. */
const BASE = { isOn: true, isQuiet: true, everyMinutes: 60 } as const
const MEMBERS = [{ target: { to: 'members' }, fromLevel: 'warning' }] as const

/** As the web API takes them; `project`: of the sample; `channels`: one of a kind. */
export function demoRules(project: number, channels: ReadonlyMap<string, number>): readonly unknown[] {
  const to: To = (kind, fromLevel = 'warning') => ({
    target: { to: 'channel', channelId: channels.get(kind) },
    fromLevel,
  })
  const own = { ...BASE, projects: [project], notify: MEMBERS }
  return [...metricRules(own, to), ...issueRules(own, to)]
}

type To = (kind: string, fromLevel?: string) => object

const PRODUCTION = { match: 'all', conditions: [{ is: 'environment', value: 'production' }] } as const

function metricRules(own: object, to: To): readonly unknown[] {
  return [
    {
      ...{
        ...own,
        kind: 'metric',
        name: 'Checkout fails',
        notify: [to('slack-bot'), to('pagerduty', 'critical'), ...MEMBERS],
        if: PRODUCTION,
      },
      when: {
        ...{
          measure: { of: 'failure-rate', route: null, kind: 'action' },
          windowMinutes: 60,
          direction: 'above',
        },
        ...{ critical: 30, warning: 10, resolved: 5, atLeast: 3, timesLastWeek: null },
      },
    },
    {
      ...{ ...own, kind: 'metric', name: 'Pages are slow', notify: [to('slack-bot')], if: PRODUCTION },
      when: {
        ...{ measure: { of: 'duration', percentile: 95, route: null, kind: 'document' }, windowMinutes: 60 },
        ...{
          direction: 'above',
          critical: 3_000,
          warning: 1_500,
          resolved: 1_000,
          atLeast: 5,
          timesLastWeek: null,
        },
      },
    },
    {
      ...{
        ...own,
        kind: 'metric',
        name: 'Crash-free sessions',
        notify: [to('webhook'), ...MEMBERS],
        if: { match: 'all', conditions: [] },
      },
      when: {
        ...{ measure: { of: 'crash-free', what: 'sessions' }, windowMinutes: 1_440, direction: 'below' },
        ...{ critical: 95, warning: 99, resolved: null, atLeast: 20, timesLastWeek: null },
      },
    },
  ]
}

function issueRules(own: object, to: To): readonly unknown[] {
  return [
    {
      ...{
        ...own,
        kind: 'issue',
        name: 'Errors pile up',
        notify: [to('telegram')],
        if: { match: 'all', conditions: [] },
        everyMinutes: 1_440,
      },
      when: [{ on: 'frequency', of: 'events', atLeast: 3, withinMinutes: 1_440 }],
    },
    {
      ...{
        ...own,
        kind: 'issue',
        name: 'Digest reported by support',
        notify: [to('email')],
        if: { match: 'all', conditions: [] },
      },
      when: [{ on: 'digest', atLeast: 3, withinMinutes: 1_440 }],
    },
    {
      ...{
        ...own,
        kind: 'issue',
        name: 'New in production',
        notify: [to('discord')],
        if: PRODUCTION,
        everyMinutes: 0,
      },
      when: [{ on: 'new' }],
    },
  ]
}
