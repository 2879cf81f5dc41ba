import { pageRoute } from '#wire/route.ts'

export const issuesRoutes = [
  pageRoute({
    id: 'issues',
    docs: 'search',
    path: '/:org/issues',
    access: 'issue.read',
    file: 'features/issues/issue-list-view.tsx',
    view: async () => (await import('./issue-list-view.tsx')).IssueListView,
  }),
  pageRoute({
    id: 'issues.timeline',
    docs: 'search',
    path: '/:org/issues/timeline',
    access: 'issue.read',
    file: 'features/issues/issue-timeline-view.tsx',
    view: async () => (await import('./issue-timeline-view.tsx')).IssueTimelineView,
  }),
]
