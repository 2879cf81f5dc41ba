/** Members, teams, tokens and the audit log of an organisation. */
import { paths } from '#parts/paths.ts'
import { featureTable } from '#wire/app-tables.ts'
import { leadToAgents, loadAgents } from './agents.server.ts'
import { exportAudit, loadAudit } from './audit.server.ts'
import { orgSettingsFeature } from './feature.ts'
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
  setArtifactQuota,
  setRole,
  setRoleDefault,
  setTeamChannel,
} from './org-actions.server.ts'
import { loadMembers, loadOrganisation, loadTeams, loadTokens } from './org-settings.server.ts'
import { orgSettingsPaths } from './paths.ts'
import { loadSignInSettings, proveDomain, removeProvider, saveProvider } from './sign-in.server.ts'
import { deleteTracker, loadTracker, loadTrackers, saveTracker } from './trackers.server.ts'

export const orgSettingsTable = featureTable({
  routes: orgSettingsFeature.routes,
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
    setArtifactQuota,
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
  named: [
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Name', 'Slug', 'Default role', 'Require two-factor authentication'],
      access: 'org.write',
      path: paths.orgSettings,
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Roles', 'Invite a member'],
      access: 'member.read',
      path: (org) => paths.members(org),
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Team admins'],
      access: 'team.read',
      path: (org) => paths.teams(org),
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['Coding agents', 'Copy as Markdown'],
      access: 'signed-in',
      path: (org) => orgSettingsPaths.agents(org),
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['GitHub, GitLab, Gitea, Jira, Linear'],
      access: 'tracker.read',
      path: paths.trackers,
    },
    {
      kind: 'setting',
      of: 'organisation',
      names: ['OpenID Connect', 'GitHub sign-in', 'Email domains', 'Provisioning'],
      access: 'provider.write',
      path: paths.signInSettings,
    },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['Invite a member'],
      access: 'member.write',
      path: (org) => paths.members(org),
    },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New team'],
      access: 'team.write',
      path: (org) => paths.teams(org),
    },
    { kind: 'creation', of: 'organisation', names: ['New token'], access: 'org.read', path: paths.tokens },
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New issue tracker'],
      access: 'tracker.write',
      path: paths.trackers,
    },
  ],
})
