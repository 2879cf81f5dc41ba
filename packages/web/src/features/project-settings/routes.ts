import { pageRoute } from '#wire/route.ts'

export const projectSettingsRoutes = [
  pageRoute({
    id: 'project-settings',
    path: '/:org/projects/:project/settings',
    access: 'project.read',
    file: 'features/project-settings/general-view.tsx',
    view: async () => (await import('./general-view.tsx')).GeneralView,
  }),
  pageRoute({
    id: 'project-settings.keys',
    path: '/:org/projects/:project/settings/keys',
    access: 'project.read',
    file: 'features/project-settings/keys-view.tsx',
    view: async () => (await import('./keys-view.tsx')).KeysView,
  }),
  pageRoute({
    id: 'project-settings.relay',
    path: '/:org/projects/:project/settings/relay',
    access: 'project.read',
    file: 'features/project-settings/relay-view.tsx',
    view: async () => (await import('./relay-view.tsx')).RelayView,
  }),
  pageRoute({
    id: 'project-settings.scrubbing',
    path: '/:org/projects/:project/settings/scrubbing',
    access: 'project.read',
    file: 'features/project-settings/scrubbing-view.tsx',
    view: async () => (await import('./scrubbing-view.tsx')).ScrubbingView,
  }),
  pageRoute({
    id: 'project-settings.spans',
    path: '/:org/projects/:project/settings/spans',
    access: 'project.read',
    file: 'features/project-settings/spans-view.tsx',
    view: async () => (await import('./spans-view.tsx')).SpansView,
  }),
  pageRoute({
    id: 'project-settings.environments',
    path: '/:org/projects/:project/settings/environments',
    access: 'project.read',
    file: 'features/project-settings/environments-view.tsx',
    view: async () => (await import('./environments-view.tsx')).EnvironmentsView,
  }),
  pageRoute({
    id: 'project-settings.notices',
    path: '/:org/projects/:project/settings/notices',
    access: 'project.read',
    file: 'features/project-settings/notices-view.tsx',
    view: async () => (await import('./notices-view.tsx')).NoticesView,
  }),
  pageRoute({
    id: 'project-settings.filters',
    path: '/:org/projects/:project/settings/filters',
    access: 'project.read',
    file: 'features/project-settings/filters-view.tsx',
    view: async () => (await import('./filters-view.tsx')).FiltersView,
  }),
  pageRoute({
    id: 'project-settings.source-maps',
    path: '/:org/projects/:project/settings/source-maps',
    access: 'release.read',
    file: 'features/project-settings/source-maps-view.tsx',
    view: async () => (await import('./source-maps-view.tsx')).SourceMapsView,
  }),
  pageRoute({
    id: 'project-settings.danger',
    path: '/:org/projects/:project/settings/danger',
    access: 'project.delete',
    file: 'features/project-settings/danger-view.tsx',
    view: async () => (await import('./danger-view.tsx')).DangerView,
  }),
]
