/** The browser's half of the app as the client build left it: files under `/assets/` and which of them a page needs. */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { preferredCoding } from '@errata/server/http'

interface ManifestEntry {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

export interface Assets {
  /** Script that starts the app. */
  readonly entry: string
  readonly styles: readonly string[]
  /** Scripts that a page needs, for preloading: those of the entry and of the view in `file`. */
  scriptsFor(file: string): readonly string[]
  /** Script and style sheets of a document that has an entry of its own. */
  entryOf(source: string): { readonly script: string; readonly styles: readonly string[] }
  /** Answers `/assets/…`; `null` when there is no such file. */
  serve(request: Request, pathname: string): Response | null
}

const ENTRY = 'src/shell/browser.tsx'
/** Names as the build makes them; nothing else below `/assets/` exists. */
const NAME = /^\/assets\/([\w.-]+)$/

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
  ['.map', 'application/json'],
])

/** File endings of the build's compressed files. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

/** Reads the manifest of a client build; throws when there is none. */
export function readAssets(clientDirectory: string): Assets {
  const text = readFileSync(join(clientDirectory, 'manifest.json'), 'utf8')
  const manifest: Readonly<Record<string, ManifestEntry>> = JSON.parse(text)
  const entry = manifest[ENTRY]
  if (entry === undefined) throw new Error(`the client build in ${clientDirectory} has no ${ENTRY}`)
  return {
    entry: `/${entry.file}`,
    styles: (entry.css ?? []).map((file) => `/${file}`),
    scriptsFor(file) {
      const files = new Set<string>()
      collect(manifest, ENTRY, files)
      collect(manifest, `src/${file}`, files)
      files.delete(entry.file)
      return [...files].map((name) => `/${name}`)
    },
    entryOf(source) {
      const own = manifest[source]
      if (own === undefined) throw new Error(`the client build in ${clientDirectory} has no ${source}`)
      return { script: `/${own.file}`, styles: (own.css ?? []).map((file) => `/${file}`) }
    },
    serve: (request, pathname) => serveAsset(clientDirectory, request, pathname),
  }
}

function collect(manifest: Readonly<Record<string, ManifestEntry>>, key: string, files: Set<string>): void {
  const entry = manifest[key]
  if (entry === undefined || files.has(entry.file)) return
  files.add(entry.file)
  for (const next of entry.imports ?? []) collect(manifest, next, files)
}

function serveAsset(directory: string, request: Request, pathname: string): Response | null {
  const name = NAME.exec(pathname)?.[1]
  const type = TYPES.get(extname(name ?? ''))
  if (name === undefined || type === undefined || name.startsWith('.')) return null
  const plain = join(directory, 'assets', name)
  if (!existsSync(plain)) return null
  const asked = preferredCoding(request.headers.get('accept-encoding') ?? undefined)
  const encoding = asked !== null && existsSync(`${plain}${SUFFIXES[asked]}`) ? asked : null
  const file = encoding === null ? plain : `${plain}${SUFFIXES[encoding]}`
  const headers = new Headers({
    'Content-Type': type,
    'Content-Length': String(statSync(file).size),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
  })
  if (encoding !== null) headers.set('Content-Encoding', encoding)
  if (request.method === 'HEAD') return new Response(null, { headers })
  const stream = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array> // node and DOM name one type twice
  return new Response(stream, { headers })
}
