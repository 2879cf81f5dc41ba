import { setTimeout as pause } from 'node:timers/promises'
import { momentOf, RELEASES } from './plan-events.ts'
import type { DemoStep } from './tell-releases.ts'

/** Rules of the sample organisation, beside those that every organisation begins with. */
const BASE = { isOn: true, isQuiet: true, everyMinutes: 60 } as const
const MEMBERS = [{ target: { to: 'members' }, fromLevel: 'warning' }] as const

/** Returns rules as the web API takes them. `project` is the sample's; `channels` has one of each kind. */
export function demoRules(project: number, channels: ReadonlyMap<string, number>): readonly unknown[] {
  const to: To = (kind, fromLevel = 'warning') => ({
    target: { to: 'channel', channelId: channels.get(kind) },
    fromLevel,
  })
  const own = { ...BASE, projects: [project], notify: MEMBERS }
  return [...metricRules(own, to), ...issueRules(own, to)]
}

/** Place of the rule on failing actions among those of the sample. */
export const FAILING_RULE = 0
const MINUTE_MS = 60_000
/** Rules are looked at every second of the machine's clock, later where it is busy, and once a minute of the sample's. */
const LOOKED_AT_MS = 250
const LOOKS_EACH = 6
const MINUTES_MAX = 6
/** From the newest release on: when stale tabs fail most, and when they are few again. */
const LOOKED_AT = [
  { minutes: 75, fires: true },
  { minutes: 30 * 60, fires: false },
] as const

interface Watched {
  /** Resolves when all that was sent is stored. */
  readonly drained: () => Promise<void>
  /** True while the rule on failing actions is beyond its thresholds. */
  readonly fires: () => Promise<boolean>
  /** Puts the sample's clock forward. */
  readonly passTo: (atMs: number) => void
}

/** The sample's clock goes slowly until rules were evaluated over all that was sent, so that one fires, and ends. */
export function alertSteps(nowMs: number, { drained, fires, passTo }: Watched): readonly DemoStep[] {
  const newest = momentOf(RELEASES.at(-1)?.[0] ?? 0, nowMs)
  return LOOKED_AT.map(({ minutes, fires: wanted }) => ({
    atMs: newest + minutes * MINUTE_MS,
    async run() {
      await drained()
      for (let look = 0; look < MINUTES_MAX * LOOKS_EACH; look++) {
        passTo(newest + (minutes + 1 + Math.floor(look / LOOKS_EACH)) * MINUTE_MS)
        if ((await fires()) === wanted) return
        await pause(LOOKED_AT_MS)
      }
    },
  }))
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
