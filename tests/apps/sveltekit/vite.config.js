import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'
import { sentrySvelteKit } from './sentry-plugin.js'

const { ORIGIN, SENTRY_DSN = '', SENTRY_RELEASE = '' } = process.env

export default defineConfig({
  plugins: [
    sentrySvelteKit({ adapter: 'node', autoUploadSourceMaps: false, telemetry: false }),
    sveltekit({
      adapter: adapter(),
      // Else it refuses forms.
      paths: { origin: ORIGIN },
      tracing: { server: true },
      version: { name: SENTRY_RELEASE },
      experimental: { remoteFunctions: true, async: true },
    }),
  ],
  build: { sourcemap: false },
  define: { __DSN__: JSON.stringify(SENTRY_DSN), __RELEASE__: JSON.stringify(SENTRY_RELEASE) },
})
