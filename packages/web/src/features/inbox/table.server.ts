/** Table of what concerns the signed-in person. */
import { featureTable } from '#wire/app-tables.ts'
import { inboxFeature } from './feature.ts'
import { answerUnread, loadInbox, markEntries } from './inbox.server.ts'

export const inboxTable = featureTable({
  routes: inboxFeature.routes,
  loaders: { inbox: loadInbox },
  actions: [markEntries],
  handlers: [{ path: '/inbox/unread', access: 'signed-in', handle: answerUnread }],
})
