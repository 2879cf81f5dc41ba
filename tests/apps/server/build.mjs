import { build } from 'esbuild'

/** Which generation of the plugin uploads. */
const { sentryEsbuildPlugin } = await import(process.env.SHOP_PLUGIN ?? '@sentry/esbuild-plugin')

await build({
  entryPoints: ['src/server.ts'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'external',
  plugins: [sentryEsbuildPlugin({ telemetry: false })],
})
