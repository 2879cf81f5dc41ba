/** Alerts: what fires, whom it notifies and where, what was sent, when it stays quiet. */
import { paths } from '#parts/paths.ts'
import { featureTable } from '#wire/app-tables.ts'
import {
  deleteRule,
  muteRule,
  previewRule,
  saveQuietHours,
  saveRule,
  switchRule,
  testRule,
} from './alert-actions.server.ts'
import { answerLogCsv, loadLog, sendAgain } from './alert-log.server.ts'
import { loadMutes, loadQuietHours, loadRule, loadRules } from './alerts.server.ts'
import { deleteChannel, previewChannel, saveChannel, testChannel } from './channel-actions.server.ts'
import { loadChannel, loadChannels } from './channels.server.ts'
import { alertsFeature } from './feature.ts'
import { alertsPaths } from './paths.ts'

export const alertsTable = featureTable({
  routes: alertsFeature.routes,
  loaders: {
    alerts: loadRules,
    'alerts.new': loadRule,
    'alerts.rule': loadRule,
    'alerts.log': loadLog,
    'alerts.channels': loadChannels,
    'alerts.channel-new': loadChannel,
    'alerts.channel': loadChannel,
    'alerts.mutes': loadMutes,
    'alerts.quiet': loadQuietHours,
  },
  actions: [
    saveRule,
    previewRule,
    switchRule,
    muteRule,
    testRule,
    deleteRule,
    saveQuietHours,
    saveChannel,
    previewChannel,
    testChannel,
    deleteChannel,
    sendAgain,
  ],
  handlers: [{ path: '/:org/alerts/log/csv', access: 'alert.read', handle: answerLogCsv }],
  named: [
    {
      kind: 'page',
      of: 'organisation',
      names: ['Alert log'],
      also: 'deliveries notifications',
      access: 'alert.read',
      path: (org) => paths.alertLog(org),
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Quiet hours', 'Quiet hours: time zone'],
      also: 'timezone notifications',
      access: 'alert.read',
      path: alertsPaths.quietHours,
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Webhooks', 'Slack, Teams, Discord'],
      also: 'notifications chat channels integrations',
      access: 'channel.read',
      path: paths.alertChannels,
    },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New alert rule on issues'],
      also: 'create add notify tell chat slack',
      access: 'alert.write',
      path: (org) => paths.newAlertRule(org, { kind: 'issue' }),
    },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New alert rule on a metric'],
      also: 'create add notify tell chat slack failing failed requests latency',
      access: 'alert.write',
      path: (org) => paths.newAlertRule(org, { kind: 'metric' }),
    },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New channel'],
      also: 'create add',
      access: 'alert.write',
      path: paths.alertChannels,
    },
  ],
})
