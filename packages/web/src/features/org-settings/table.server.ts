/** Members, teams, tokens and the audit log of an organisation. */
import { featureTable } from '#wire/app-tables.ts'
import { leadToAgents, loadAgents } from './agents.server.ts'
import { exportAudit, loadAudit } from './audit.server.ts'
import {
  createOrganisation,
  createTeam,
  createToken,
  deleteTeam,
  invite,
  removeMember,
  renameOrganisation,
  renewInvitation,
  requireSecondFactor,
  revokeInvitation,
  revokeToken,
  saveTeam,
  setRole,
  setRoleDefault,
  setTeamChannel,
} from './org-actions.server.ts'
import { loadMembers, loadOrganisation, loadTeams, loadTokens } from './org-settings.server.ts'
import { orgSettingsRoutes } from './routes.ts'
import { loadSignInSettings, proveDomain, removeProvider, saveProvider } from './sign-in.server.ts'
import { deleteTracker, loadTracker, loadTrackers, saveTracker } from './trackers.server.ts'

export const orgSettingsTable = featureTable({
  routes: orgSettingsRoutes,
  loaders: {
    'org-settings': loadOrganisation,
    'org-settings.members': loadMembers,
    'org-settings.teams': loadTeams,
    'org-settings.tokens': loadTokens,
    'org-settings.agents': loadAgents,
    'org-settings.trackers': loadTrackers,
    'org-settings.tracker-new': loadTracker,
    'org-settings.tracker': loadTracker,
    'org-settings.sign-in': loadSignInSettings,
    'org-settings.audit': loadAudit,
  },
  actions: [
    renameOrganisation,
    createOrganisation,
    requireSecondFactor,
    setRoleDefault,
    invite,
    revokeInvitation,
    renewInvitation,
    setRole,
    removeMember,
    createTeam,
    saveTeam,
    setTeamChannel,
    deleteTeam,
    createToken,
    revokeToken,
    saveProvider,
    removeProvider,
    proveDomain,
    saveTracker,
    deleteTracker,
  ],
  handlers: [
    { path: '/agents', access: 'signed-in', handle: leadToAgents },
    { path: '/:org/settings/audit/:format', access: 'audit.read', handle: exportAudit },
  ],
})
