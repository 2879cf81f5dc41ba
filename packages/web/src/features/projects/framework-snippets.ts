/** What to paste into an app of a framework whose SDK brings both halves. Each was tried in an app as its own build makes it. */
import type { Snippet } from '#parts/relay-snippets.ts'
import { RELEASE, type SnippetInput, TRACES } from './snippet-lines.ts'

export function tanstackStart({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/tanstackstart-react' },
    { file: 'instrument.server.mjs', text: init('@sentry/tanstackstart-react', dsn) },
    {
      file: 'src/router.tsx, the whole file',
      text: `import * as Sentry from '@sentry/tanstackstart-react'
import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'

export function getRouter() {
  const router = createRouter({ routeTree })
  if (!router.isServer) {
    Sentry.init({
      dsn: '${dsn}',
      integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
      ${TRACES}
      ${RELEASE}
    })
  }
  return router
}`,
    },
    {
      file: 'src/server.ts, the whole file',
      text: `import * as Sentry from '@sentry/tanstackstart-react'
import handler, { createServerEntry } from '@tanstack/react-start/server-entry'

export default createServerEntry(
  Sentry.wrapFetchWithSentry({
    fetch(request: Request) {
      return handler.fetch(request)
    },
  }),
)`,
    },
    {
      file: 'src/start.ts, the whole file',
      text: `import * as Sentry from '@sentry/tanstackstart-react'
import { createStart } from '@tanstack/react-start'

export const startInstance = createStart(() => ({
  requestMiddleware: [Sentry.sentryGlobalRequestMiddleware],
  functionMiddleware: [Sentry.sentryGlobalFunctionMiddleware],
}))`,
    },
    {
      file: 'terminal: start, with the file that your build makes',
      text: 'NODE_ENV=production node --import ./instrument.server.mjs .output/server/index.mjs',
    },
  ]
}

export function svelteKit({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/sveltekit' },
    {
      file: 'svelte.config.js, in kit',
      text: `experimental: { instrumentation: { server: true }, tracing: { server: true } },`,
    },
    { file: 'src/instrumentation.server.ts', text: init('@sentry/sveltekit', dsn) },
    {
      file: 'src/hooks.server.ts',
      text: `import * as Sentry from '@sentry/sveltekit'

export const handle = Sentry.sentryHandle()
export const handleError = Sentry.handleErrorWithSentry()`,
    },
    {
      file: 'src/hooks.client.ts',
      text: `${init('@sentry/sveltekit', dsn)}

export const handleError = Sentry.handleErrorWithSentry()`,
    },
    {
      file: 'terminal: build and start, with adapter-node and the address of your app',
      text: `npx vite build
ORIGIN=https://app.example.com node build`,
    },
  ]
}

export function nuxt({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/nuxt' },
    {
      file: 'nuxt.config.ts',
      text: `export default defineNuxtConfig({
  modules: ['@sentry/nuxt/module'],
})`,
    },
    { file: 'sentry.server.config.ts', text: init('@sentry/nuxt', dsn) },
    { file: 'sentry.client.config.ts', text: init('@sentry/nuxt', dsn) },
    {
      file: 'terminal: build and start',
      text: `npx nuxt build
node --import ./.output/server/sentry.server.config.mjs .output/server/index.mjs`,
    },
  ]
}

export function astro({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/astro' },
    {
      file: 'astro.config.mjs, beside your adapter',
      text: `import sentry from '@sentry/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [sentry()],
})`,
    },
    { file: 'sentry.server.config.js', text: init('@sentry/astro', dsn) },
    {
      file: 'sentry.client.config.js',
      text: init('@sentry/astro', dsn, 'integrations: [Sentry.browserTracingIntegration()],'),
    },
  ]
}

/** A file that begins the SDK. */
function init(sdk: string, dsn: string, more = ''): string {
  return [
    `import * as Sentry from '${sdk}'`,
    '',
    'Sentry.init({',
    `  dsn: '${dsn}',`,
    ...(more === '' ? [] : [`  ${more}`]),
    `  ${TRACES}`,
    `  ${RELEASE}`,
    '})',
  ].join('\n')
}
