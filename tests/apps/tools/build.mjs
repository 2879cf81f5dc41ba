import { build } from 'esbuild'

// Without a plugin: what is built is made ready and uploaded by a tool, afterwards.
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
  sourcemap: 'linked',
})
