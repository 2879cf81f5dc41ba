import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  // Errata reads stacks with these: `errata upload-build build` takes them after the build.
  build: { sourcemap: true },
})
