/**
 * Snippets for frameworks whose SDK brings both halves. Each was tried in an app as its own build makes it.
 */
import type { Snippet } from '#parts/relay-snippets.ts'
import { RELEASE, type SnippetInput, TRACE_OPTIONS } from './snippet-lines.ts'

export function nextjs({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/nextjs' },
    {
      file: 'instrumentation.ts',
      text: `import * as Sentry from '@sentry/nextjs'

export function register() {
  Sentry.init({
    dsn: '${dsn}',
    ${TRACE_OPTIONS}
  })
}
export const onRequestError = Sentry.captureRequestError`,
    },
    {
      file: 'instrumentation-client.ts',
      text: `import * as Sentry from '@sentry/nextjs'

Sentry.init({
  dsn: '${dsn}',
  ${TRACE_OPTIONS}
  ${RELEASE}
})
export const onRouterTransitionStart = Sentry.captureRouterTransitionStart`,
    },
    { file: 'terminal: build and start', text: 'npx next build\nnpx next start' },
  ]
}

/** Whole files: `react-router reveal` writes the two entries, and one that lacks its default export fails every page. */
export function reactRouter({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/react-router' },
    {
      file: 'instrument.server.mjs',
      text: `import * as Sentry from '@sentry/react-router'

Sentry.init({
  dsn: '${dsn}',
  ${TRACE_OPTIONS}
  ${RELEASE}
})`,
    },
    {
      file: 'app/entry.server.tsx, the whole file',
      text: `import { createReadableStreamFromReadable } from '@react-router/node'
import * as Sentry from '@sentry/react-router'
import { renderToPipeableStream } from 'react-dom/server'
import { ServerRouter } from 'react-router'

export default Sentry.createSentryHandleRequest({
  ServerRouter,
  renderToPipeableStream,
  createReadableStreamFromReadable,
})

export const handleError = Sentry.createSentryHandleError({ logErrors: true })`,
    },
    {
      file: 'app/entry.client.tsx, the whole file',
      text: `import * as Sentry from '@sentry/react-router'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.reactRouterTracingIntegration()],
  ${TRACE_OPTIONS}
  ${RELEASE}
})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={Sentry.sentryOnError} />
    </StrictMode>,
  )
})`,
    },
    {
      file: 'terminal: build and start',
      text: `npx react-router build
NODE_ENV=production node --import ./instrument.server.mjs node_modules/@react-router/serve/bin.cjs build/server/index.js`,
    },
  ]
}

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
      ${TRACE_OPTIONS}
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
      file: 'terminal: build and start, with Nitro',
      text: `npx vite build
NODE_ENV=production node --import ./instrument.server.mjs .output/server/index.mjs`,
    },
  ]
}

/**
 * SvelteKit 3 takes no `svelte.config.js`, and answers 403 to the relay unless it knows its own address. Without the
 * SDK's plugin, which chooses what the browser half is made of, no page of it hydrates.
 */
export function svelteKit({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/sveltekit' },
    {
      file: 'vite.config.js, with SvelteKit 3, adapter-node and the address of your app',
      text: `import { sentrySvelteKit } from '@sentry/sveltekit/vite'   // SDK 10: from '@sentry/sveltekit'
import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    sentrySvelteKit({ adapter: 'node', autoUploadSourceMaps: false }),
    sveltekit({
      adapter: adapter(),
      paths: { origin: 'https://app.example.com' },
      tracing: { server: true },
    }),
  ],
})`,
    },
    {
      file: 'svelte.config.js, with SvelteKit 2 and adapter-node',
      text: `import adapter from '@sveltejs/adapter-node'

export default {
  kit: {
    adapter: adapter(),
    experimental: { instrumentation: { server: true }, tracing: { server: true } },
  },
}`,
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
      file: 'terminal: build and start, with the address of your app',
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
      file: 'astro.config.mjs, with the adapter for Node',
      text: `import node from '@astrojs/node'
import sentry from '@sentry/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  integrations: [sentry()],
})`,
    },
    { file: 'sentry.server.config.js', text: init('@sentry/astro', dsn) },
    {
      file: 'sentry.client.config.js',
      text: init('@sentry/astro', dsn, 'integrations: [Sentry.browserTracingIntegration()],'),
    },
    { file: 'terminal: build and start', text: 'npx astro build\nnode dist/server/entry.mjs' },
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
    `  ${TRACE_OPTIONS}`,
    `  ${RELEASE}`,
    '})',
  ].join('\n')
}
