/** Projects, a new one, and its first event. */
import { featureTable } from '#wire/app-tables.ts'
import {
  createProject,
  loadFirstEvent,
  loadNewProject,
  loadProjects,
  sendTestEvent,
} from './projects.server.ts'
import { projectsRoutes } from './routes.ts'

export const projectsTable = featureTable({
  routes: projectsRoutes,
  loaders: {
    projects: loadProjects,
    'projects.new': loadNewProject,
    'projects.first-event': loadFirstEvent,
  },
  actions: [createProject, sendTestEvent],
  handlers: [],
})
