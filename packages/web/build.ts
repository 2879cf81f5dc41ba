/** Builds the web app: `client/` for browsers (hashed, precompressed) and `server.js`, which needs no other file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

export interface BuildWebOptions {
  /** Directory that gets `client/` and `server.js`; emptied first. */
  readonly outDir: string
}

export async function buildWeb({ outDir }: BuildWebOptions): Promise<void> {
  const configFile = fileURLToPath(new URL('./vite.config.ts', import.meta.url))
  const client = join(outDir, 'client')
  await build({ configFile, build: { outDir, emptyOutDir: true, ssr: true } })
  await build({ configFile, build: { outDir: client, emptyOutDir: true } })
  precompress(join(client, 'assets'))
}

function precompress(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!/\.(?:js|css)$/.test(name)) continue
    const bytes = readFileSync(join(directory, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(directory, `${name}.br`), brotliCompressSync(bytes, { params }))
    // Browsers take Brotli over https and from localhost alone; a plain http address in a local network gets this.
    writeFileSync(join(directory, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
