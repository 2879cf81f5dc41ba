import { pageRoute } from '#wire/route.ts'

export const skewRoutes = [
  pageRoute({
    id: 'skew',
    docs: 'skew',
    path: '/:org/skew',
    access: 'trace.read',
    file: 'features/skew/skew-view.tsx',
    view: async () => (await import('./skew-view.tsx')).SkewPage,
  }),
]
