import { pageRoute } from '#wire/route.ts'

export const projectsRoutes = [
  pageRoute({
    id: 'projects',
    path: '/:org/projects',
    access: 'project.read',
    file: 'features/projects/projects-view.tsx',
    view: async () => (await import('./projects-view.tsx')).ProjectsView,
  }),
  pageRoute({
    id: 'projects.new',
    path: '/:org/projects/new',
    access: 'project.create',
    file: 'features/projects/new-project-view.tsx',
    view: async () => (await import('./new-project-view.tsx')).NewProjectView,
  }),
  pageRoute({
    id: 'projects.first-event',
    path: '/:org/projects/:project/setup',
    access: 'project.read',
    file: 'features/projects/first-event-view.tsx',
    view: async () => (await import('./first-event-view.tsx')).FirstEventView,
  }),
]
