/** Alert rules: what fires, whom it notifies, when it stays quiet. */
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
import { loadMutes, loadQuietHours, loadRule, loadRules } from './alerts.server.ts'
import { alertsRoutes } from './routes.ts'

export const alertsTable = featureTable({
  routes: alertsRoutes,
  loaders: {
    alerts: loadRules,
    'alerts.new': loadRule,
    'alerts.rule': loadRule,
    'alerts.mutes': loadMutes,
    'alerts.quiet': loadQuietHours,
  },
  actions: [saveRule, previewRule, switchRule, muteRule, testRule, deleteRule, saveQuietHours],
  handlers: [],
})
