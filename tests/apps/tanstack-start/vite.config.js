import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import viteReact from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { SENTRY_DSN = '', SENTRY_RELEASE = '' } = process.env

export default defineConfig({
  plugins: [tanstackStart(), viteReact()],
  // As what is deployed alone, without its packages.
  ssr: { noExternal: true },
  define: { __DSN__: JSON.stringify(SENTRY_DSN), __RELEASE__: JSON.stringify(SENTRY_RELEASE) },
})
