/** Packages that this installation hands out for `npm install`, as its build packed them: whoever has the address may have them. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUnchanged } from './respond.ts'

export interface Packages {
  /** Answers `/packages/NAME.tgz`; `null` when there is no such package. */
  serve(request: Request, pathname: string): Response | null
}

const NAMES = ['relay', 'client', 'errata'] as const
const PATH = /^\/packages\/([a-z]+)\.tgz$/

interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** Some hundred kilobytes in all, read once. */
export function readPackages(directory: string): Packages {
  const packed = new Map<string, Packed>()
  for (const name of NAMES) {
    const file = join(directory, `${name}.tgz`)
    if (!existsSync(file)) continue
    const bytes = new Uint8Array(readFileSync(file))
    packed.set(name, { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` })
  }
  return {
    serve(request, pathname) {
      const found = packed.get(PATH.exec(pathname)?.[1] ?? '')
      return found === undefined ? null : packageAnswer(request, found)
    },
  }
}

/** The next version has the same address: whoever kept a package asks whether it is still the one. */
function packageAnswer(request: Request, { bytes, etag }: Packed): Response {
  const headers = new Headers({
    ETag: etag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', 'application/gzip')
  headers.set('Content-Length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}
