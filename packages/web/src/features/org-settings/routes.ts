import { pageRoute } from '#wire/route.ts'

export const orgSettingsRoutes = [
  pageRoute({
    id: 'org-settings',
    path: '/:org/settings',
    access: 'org.read',
    file: 'features/org-settings/organisation-view.tsx',
    view: async () => (await import('./organisation-view.tsx')).OrganisationView,
  }),
  pageRoute({
    id: 'org-settings.members',
    path: '/:org/settings/members',
    access: 'member.read',
    file: 'features/org-settings/members-view.tsx',
    view: async () => (await import('./members-view.tsx')).MembersView,
  }),
  pageRoute({
    id: 'org-settings.teams',
    path: '/:org/settings/teams',
    access: 'team.read',
    file: 'features/org-settings/teams-view.tsx',
    view: async () => (await import('./teams-view.tsx')).TeamsView,
  }),
  pageRoute({
    id: 'org-settings.tokens',
    path: '/:org/settings/tokens',
    access: 'org.read',
    file: 'features/org-settings/tokens-view.tsx',
    view: async () => (await import('./tokens-view.tsx')).TokensView,
  }),
  pageRoute({
    id: 'org-settings.agents',
    path: '/:org/settings/agents',
    access: 'org.read',
    file: 'features/org-settings/agents-view.tsx',
    view: async () => (await import('./agents-view.tsx')).AgentsView,
  }),
  pageRoute({
    id: 'org-settings.trackers',
    path: '/:org/settings/trackers',
    access: 'tracker.read',
    file: 'features/org-settings/trackers-view.tsx',
    view: async () => (await import('./trackers-view.tsx')).TrackersView,
  }),
  pageRoute({
    id: 'org-settings.tracker-new',
    path: '/:org/settings/trackers/new',
    access: 'tracker.write',
    file: 'features/org-settings/tracker-view.tsx',
    view: async () => (await import('./tracker-view.tsx')).TrackerView,
  }),
  pageRoute({
    id: 'org-settings.tracker',
    path: '/:org/settings/trackers/:tracker',
    access: 'tracker.read',
    file: 'features/org-settings/tracker-view.tsx',
    view: async () => (await import('./tracker-view.tsx')).TrackerView,
  }),
  pageRoute({
    id: 'org-settings.sign-in',
    path: '/:org/settings/sign-in',
    access: 'provider.write',
    file: 'features/org-settings/sign-in-view.tsx',
    view: async () => (await import('./sign-in-view.tsx')).SignInSettingsView,
  }),
  pageRoute({
    id: 'org-settings.audit',
    path: '/:org/settings/audit',
    access: 'audit.read',
    file: 'features/org-settings/audit-view.tsx',
    view: async () => (await import('./audit-view.tsx')).AuditView,
  }),
]
