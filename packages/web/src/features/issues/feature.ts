import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const issuesFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'Issues',
      path: paths.issues,
      at: 2,
      access: 'org',
      key: 'i',
      rail: { group: 'work', icon: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3.6m0 2.2v.01' },
    },
  ],
})
