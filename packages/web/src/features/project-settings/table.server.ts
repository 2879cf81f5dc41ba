/** Keys, limits, scrubbing, filters, notices and deletion of a project. */
import { featureTable } from '#wire/app-tables.ts'
import { hideEnvironment, loadEnvironments, moveEnvironment } from './environments.server.ts'
import { loadFilters } from './filters.server.ts'
import { loadGrouping, saveGrouping } from './grouping.server.ts'
import {
  leadToAlerts,
  loadNotices,
  removeWebhook,
  renewWebhookSecret,
  saveNotices,
  saveWebhook,
  testNotice,
} from './notices.server.ts'
import { loadOwnership, saveOwnership } from './ownership.server.ts'
import {
  createKey,
  deleteKey,
  deletePerson,
  deleteProject,
  rotateKey,
  saveFilters,
  saveKey,
  saveNumbers,
  saveProject,
  saveRetention,
  saveScrubbing,
  switchKey,
} from './project-actions.server.ts'
import {
  leadToRetention,
  loadDanger,
  loadGeneral,
  loadKeys,
  loadRelay,
  loadRetention,
  loadScrubbing,
} from './project-settings.server.ts'
import { projectSettingsRoutes } from './routes.ts'
import { addCodeMapping, deleteArtifact, loadSourceMaps, removeCodeMapping } from './source-maps.server.ts'

export const projectSettingsTable = featureTable({
  routes: projectSettingsRoutes,
  loaders: {
    'project-settings': loadGeneral,
    'project-settings.keys': loadKeys,
    'project-settings.relay': loadRelay,
    'project-settings.scrubbing': loadScrubbing,
    'project-settings.retention': loadRetention,
    'project-settings.spans': leadToRetention,
    'project-settings.environments': loadEnvironments,
    'project-settings.ownership': loadOwnership,
    'project-settings.filters': loadFilters,
    'project-settings.grouping': loadGrouping,
    'project-settings.alerts': loadNotices,
    'project-settings.notices': leadToAlerts,
    'project-settings.source-maps': loadSourceMaps,
    'project-settings.danger': loadDanger,
  },
  actions: [
    saveProject,
    saveScrubbing,
    saveNumbers,
    saveRetention,
    saveFilters,
    saveGrouping,
    deleteProject,
    deletePerson,
    createKey,
    saveKey,
    switchKey,
    rotateKey,
    deleteKey,
    saveNotices,
    saveWebhook,
    renewWebhookSecret,
    removeWebhook,
    testNotice,
    deleteArtifact,
    addCodeMapping,
    removeCodeMapping,
    hideEnvironment,
    moveEnvironment,
    saveOwnership,
  ],
  handlers: [],
})
