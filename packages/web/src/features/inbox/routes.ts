import { pageRoute } from '#wire/route.ts'

export const inboxRoutes = [
  pageRoute({
    id: 'inbox',
    docs: 'account#inbox',
    path: '/inbox',
    access: 'signed-in',
    file: 'features/inbox/inbox-view.tsx',
    view: async () => (await import('./inbox-view.tsx')).InboxPage,
  }),
]
