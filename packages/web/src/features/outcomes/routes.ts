import { pageRoute } from '#wire/route.ts'

export const outcomesRoutes = [
  pageRoute({
    id: 'outcomes',
    docs: 'outcomes',
    path: '/:org/outcomes',
    access: 'outcome.read',
    file: 'features/outcomes/outcomes-view.tsx',
    view: async () => (await import('./outcomes-view.tsx')).OutcomesPage,
  }),
]
