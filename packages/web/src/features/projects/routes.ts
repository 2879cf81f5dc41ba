import { pageRoute } from '#wire/route.ts'

export const projectsRoutes = [
  pageRoute({
    id: 'projects',
    docs: 'projects',
    path: '/:org/projects',
    access: 'project.read',
    file: 'features/projects/projects-view.tsx',
    view: async () => (await import('./projects-view.tsx')).ProjectsView,
  }),
  pageRoute({
    id: 'projects.new',
    docs: 'first-event',
    path: '/:org/projects/new',
    access: 'project.create',
    file: 'features/projects/new-project-view.tsx',
    view: async () => (await import('./new-project-view.tsx')).NewProjectView,
  }),
  pageRoute({
    id: 'projects.first-event',
    docs: 'first-event#2-connect-one-app',
    path: '/:org/projects/:project/setup',
    access: 'project.read',
    file: 'features/projects/first-event-view.tsx',
    view: async () => (await import('./first-event-view.tsx')).FirstEventView,
  }),
]
