import { pageRoute } from '#wire/route.ts'

/** The page of every address that no feature has. */
export const shellRoutes = [
  pageRoute({
    id: 'not-found',
    docs: '',
    path: '*',
    access: 'anyone',
    file: 'shell/not-found-view.tsx',
    view: async () => (await import('./not-found-view.tsx')).NotFoundView,
  }),
]
