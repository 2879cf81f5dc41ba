/** The installation itself, for its operator. */
import { featureTable } from '#wire/app-tables.ts'
import { systemFeature } from './feature.ts'
import { systemPaths } from './paths.ts'
import { failAction, failDocument, failHandler, failPageData, loadSelfTest } from './self-test.server.ts'
import {
  createResetLink,
  downloadQuarantined,
  loadSystem,
  sendTestMail,
  setAddress,
} from './system.server.ts'

export const systemTable = featureTable({
  routes: systemFeature.routes,
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
  named: [
    {
      kind: 'setting',
      of: 'system',
      names: ['Public address', 'Test email', 'Reset a password'],
      access: 'operator',
      path: systemPaths.systemSettings,
    },
  ],
})
