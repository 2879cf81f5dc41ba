import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const projectsFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'Projects',
      path: paths.projects,
      at: 11,
      access: 'org',
      key: 'j',
      rail: {
        group: 'house',
        icon: 'M1.8 4.2c0-.6.4-1 1-1h3.4l1.5 1.6h5.5c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H2.8c-.6 0-1-.4-1-1Z',
      },
    },
    {
      name: 'New project',
      path: paths.newProject,
      at: 13,
      access: 'project.create',
    },
  ],
})
