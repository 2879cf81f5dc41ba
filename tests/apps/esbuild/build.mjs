import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin'
import { build } from 'esbuild'

// Without splitting: this plugin gives debug ids to entries alone, so that shared chunks would have none.
await build({
  entryPoints: { main: 'src/main.tsx' },
  outdir: 'dist/assets',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  sourcemap: 'external',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [sentryEsbuildPlugin({ telemetry: false })],
})
