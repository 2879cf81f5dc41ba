import { feature } from '#parts/feature.ts'
import { pageRoute } from '#wire/route.ts'

export const eventFeature = feature({
  routes: [
    pageRoute({
      id: 'issue',
      docs: 'workflow',
      path: '/:org/issues/:id',
      access: 'issue.read',
      file: 'features/event/issue-view.tsx',
      view: async () => (await import('./issue-view.tsx')).IssuePage,
    }),
    pageRoute({
      id: 'issue-events',
      docs: 'search#search-events',
      path: '/:org/issues/:id/events',
      access: 'issue.read',
      file: 'features/event/events-view.tsx',
      view: async () => (await import('./events-view.tsx')).EventsPage,
    }),
    pageRoute({
      id: 'issue-event',
      docs: 'workflow',
      path: '/:org/issues/:id/events/:eventId',
      access: 'issue.read',
      file: 'features/event/issue-view.tsx',
      view: async () => (await import('./issue-view.tsx')).IssuePage,
    }),
    pageRoute({
      id: 'issue-change',
      docs: 'workflow',
      path: '/:org/issues/:id/change',
      access: 'issue.write',
      file: 'features/event/change-view.tsx',
      view: async () => (await import('./change-view.tsx')).ChangeIssuePage,
    }),
    pageRoute({
      id: 'issue-send',
      docs: 'workflow#send-an-issue',
      path: '/:org/issues/:id/send',
      access: 'issue.write',
      file: 'features/event/send-view.tsx',
      view: async () => (await import('./send-view.tsx')).SendIssuePage,
    }),
    pageRoute({
      id: 'issue-merged',
      docs: 'grouping#unmerge',
      path: '/:org/issues/:id/merged',
      access: 'issue.read',
      file: 'features/event/merged-view.tsx',
      view: async () => (await import('./merged-view.tsx')).MergedPage,
    }),
    pageRoute({
      id: 'issue-similar',
      docs: 'grouping#similar-issues',
      path: '/:org/issues/:id/similar',
      access: 'issue.read',
      file: 'features/event/similar-view.tsx',
      view: async () => (await import('./similar-view.tsx')).SimilarPage,
    }),
    pageRoute({
      id: 'issue-activity',
      docs: 'workflow#comments-and-mentions',
      path: '/:org/issues/:id/activity',
      access: 'issue.read',
      file: 'features/event/activity-view.tsx',
      view: async () => (await import('./activity-view.tsx')).ActivityPage,
    }),
  ],
})
