import { feature } from '#parts/feature.ts'
import { pageRoute } from '#wire/route.ts'

export const sharedFeature = feature({
  routes: [
    pageRoute({
      id: 'shared-issue',
      docs: 'workflow#share-by-link',
      path: '/share/:token',
      access: 'anyone',
      frame: 'plain',
      file: 'features/shared/shared-view.tsx',
      view: async () => (await import('./shared-view.tsx')).SharedView,
    }),
  ],
})
