/** Finds what of a tree is bundled to be measured, and how large the built process step is. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { ROOT } from '../../scripts/node24.mjs'

const ENTRY = join(ROOT, 'benchmarks/pairs/accept-thread.ts')
const CONDITIONS = ['errata-source', 'node', 'import', 'module', 'default']

/** Bundles accept of the tree as its build bundles it; answers the file. */
export async function bundleAccept(tree: string, outDir: string): Promise<string> {
  await build({
    root: tree,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: CONDITIONS },
    ssr: { noExternal: true, resolve: { conditions: CONDITIONS } },
    plugins: [
      {
        name: 'modules-of-the-tree',
        enforce: 'pre',
        resolveId: (source, importer) =>
          importer === ENTRY && source.startsWith('../../packages/')
            ? join(tree, source.slice('../../'.length))
            : null,
      },
    ],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rollupOptions: {
        input: { accept: ENTRY },
        output: { format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  return join(outDir, 'accept.mjs')
}

/** Bytes of the process thread's file and of all that it imports. */
export function processBytes(product: string): number {
  const dist = join(product, 'dist')
  const seen = new Set<string>()
  const waiting = ['engine-process.js']
  for (const name of waiting) {
    if (seen.has(name)) continue
    seen.add(name)
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      if (imported !== undefined && existsSync(join(dist, imported))) waiting.push(imported)
  }
  return [...seen].reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
}
