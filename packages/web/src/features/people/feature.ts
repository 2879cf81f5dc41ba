import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const peopleFeature = feature({
  routes: [
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
  ],
  places: [
    {
      name: 'People',
      path: paths.people,
      at: 8,
      access: 'issue.read',
    },
  ],
})
