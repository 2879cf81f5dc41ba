import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const outcomesFeature = feature({
  routes: [
    pageRoute({
      id: 'outcomes',
      docs: 'outcomes',
      path: '/:org/outcomes',
      access: 'outcome.read',
      file: 'features/outcomes/outcomes-view.tsx',
      view: async () => (await import('./outcomes-view.tsx')).OutcomesPage,
    }),
  ],
  places: [
    {
      name: 'Outcomes',
      path: paths.outcomes,
      at: 10,
      access: 'org',
      key: 'b',
      rail: {
        group: 'house',
        icon: 'M8 2.5v11m-3 0h6M3 4.5h10M3 4.5 1.2 9a2 2 0 0 0 3.6 0ZM13 4.5 11.2 9a2 2 0 0 0 3.6 0Z',
      },
    },
  ],
})
