/** Table of what concerns the signed-in person. */
import { featureTable } from '#wire/app-tables.ts'
import { answerUnread, loadInbox, markEntries } from './inbox.server.ts'
import { inboxRoutes } from './routes.ts'

export const inboxTable = featureTable({
  routes: inboxRoutes,
  loaders: { inbox: loadInbox },
  actions: [markEntries],
  handlers: [{ path: '/inbox/unread', access: 'signed-in', handle: answerUnread }],
})
