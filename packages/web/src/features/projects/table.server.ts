/** Projects, a new one, and its first event. */
import { paths } from '#parts/paths.ts'
import { featureTable } from '#wire/app-tables.ts'
import { projectsFeature } from './feature.ts'
import {
  createProject,
  loadFirstEvent,
  loadNewProject,
  loadProjects,
  sendTestEvent,
} from './projects.server.ts'

export const projectsTable = featureTable({
  routes: projectsFeature.routes,
  loaders: {
    projects: loadProjects,
    'projects.new': loadNewProject,
    'projects.first-event': loadFirstEvent,
  },
  actions: [createProject, sendTestEvent],
  handlers: [],
  named: [
    {
      kind: 'creation',
      of: 'organisation',
      names: ['New project'],
      also: 'create add',
      access: 'project.create',
      path: paths.newProject,
    },
  ],
})
