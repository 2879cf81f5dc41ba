/** Vue's half of `hydrating.ts`: `createSSRApp` on both sides. */
import { join } from 'node:path'
import { ROOT } from '../tidy/sources.ts'
import type { Framework } from './hydrating.ts'
import { vueAppsOf } from './hydration-vue-app.mjs'

export const VUE: Framework = {
  entry: `
    import * as Vue from 'vue'
    import { vueAppsOf } from '${join(ROOT, 'tests/support/hydration-vue-app.mjs')}'
    Vue.createSSRApp(vueAppsOf(Vue, 'browser')[name]).mount('#root')
  `,
  packages: ['vue'],
  // As docs/hydration.md says: Vue writes to the console.
  integrations: "hydrationIntegration(), Sentry.captureConsoleIntegration({ levels: ['error'] })",
  renderer(require) {
    const vue = require('vue')
    const { renderToString } = require('vue/server-renderer')
    const apps = vueAppsOf(vue, 'server')
    return async (name) => (name in apps ? renderToString(vue.createSSRApp(Reflect.get(apps, name))) : null)
  },
}
