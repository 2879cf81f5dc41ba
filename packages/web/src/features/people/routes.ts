import { pageRoute } from '#wire/route.ts'

export const peopleRoutes = [
  pageRoute({
    id: 'people',
    docs: 'privacy#one-person',
    path: '/:org/people',
    access: 'issue.read',
    file: 'features/people/people-view.tsx',
    view: async () => (await import('./people-view.tsx')).PeoplePage,
  }),
  pageRoute({
    id: 'people.person',
    docs: 'privacy#one-person',
    path: '/:org/people/:id',
    access: 'issue.read',
    file: 'features/people/person-view.tsx',
    view: async () => (await import('./person-view.tsx')).PersonPage,
  }),
]
