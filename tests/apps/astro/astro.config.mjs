import node from '@astrojs/node'
import react from '@astrojs/react'
import sentry from '@sentry/astro'
import { defineConfig } from 'astro/config'

const { SENTRY_DSN = '', SENTRY_RELEASE = '' } = process.env

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  devToolbar: { enabled: false },
  integrations: [react(), sentry({ sourcemaps: { disable: true }, telemetry: false })],
  vite: { define: { __DSN__: JSON.stringify(SENTRY_DSN), __RELEASE__: JSON.stringify(SENTRY_RELEASE) } },
})
