/** The installation itself, for its operator. */
import { featureTable } from '#wire/app-tables.ts'
import { systemRoutes } from './routes.ts'
import { failAction, failDocument, failHandler, failPageData, loadSelfTest } from './self-test.server.ts'
import {
  createResetLink,
  downloadQuarantined,
  loadSystem,
  sendTestMail,
  setAddress,
} from './system.server.ts'

export const systemTable = featureTable({
  routes: systemRoutes,
  loaders: {
    system: loadSystem,
    'system.settings': loadSystem,
    'self-test': loadSelfTest,
    'self-test.document': failDocument,
    'self-test.page-data': failPageData,
  },
  actions: [createResetLink, sendTestMail, setAddress, failAction],
  handlers: [
    { path: '/system/quarantine/:seq', access: 'operator', handle: downloadQuarantined },
    { path: '/system/self-test/handler', access: 'operator', handle: failHandler },
  ],
})
