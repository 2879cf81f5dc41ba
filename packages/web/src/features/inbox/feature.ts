import { feature } from '#parts/feature.ts'
import { paths } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const inboxFeature = feature({
  routes: [
    pageRoute({
      id: 'inbox',
      docs: 'account#inbox',
      path: '/inbox',
      access: 'signed-in',
      file: 'features/inbox/inbox-view.tsx',
      view: async () => (await import('./inbox-view.tsx')).InboxPage,
    }),
  ],
  places: [
    {
      name: 'Inbox',
      path: () => paths.inbox(),
      at: 20,
      access: 'signed-in',
      key: 'm',
    },
  ],
})
