/** Alerts: what fires, whom it notifies and where, what was sent, when it stays quiet. */
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
import { alertsRoutes } from './routes.ts'

export const alertsTable = featureTable({
  routes: alertsRoutes,
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
})
