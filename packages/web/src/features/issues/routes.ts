import { pageRoute } from '#wire/route.ts'

export const issueListRoute = pageRoute({
  id: 'issues',
  path: '/:org/issues',
  access: 'issue.read',
  file: 'features/issues/issue-list-view.tsx',
  view: async () => (await import('./issue-list-view.tsx')).IssueListView,
})
