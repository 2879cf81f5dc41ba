/** The pages of one issue and its events. */
import { featureTable } from '#wire/app-tables.ts'
import { loadIssue, loadIssueActivity, loadIssueEvents } from './issue.server.ts'
import { eventRoutes } from './routes.ts'

export const eventTable = featureTable({
  routes: eventRoutes,
  loaders: {
    issue: loadIssue,
    'issue-event': loadIssue,
    'issue-events': loadIssueEvents,
    'issue-activity': loadIssueActivity,
  },
  actions: [],
  handlers: [],
})
