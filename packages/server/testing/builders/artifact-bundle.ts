/** Bundles as build tools send them, and as nobody should: a ZIP whose every field can be wrong. */
import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isDeflated?: boolean
  /** Written in place of what is true. */
  readonly lies?: {
    readonly bytes?: number
    readonly flags?: number
    readonly method?: number
  }
}

const HEADER = Buffer.from('SYSB\x02\0\0\0')

/** `startsAt`: what offsets count from; `claims`: how many files the end says there are. */
export function aZip(
  files: readonly ZipFile[],
  { startsAt = 0, claims = files.length }: { readonly startsAt?: number; readonly claims?: number } = {},
): Buffer {
  const pieces: Buffer[] = [HEADER]
  const listed: Buffer[] = []
  let at = HEADER.length
  for (const { name, bytes, isDeflated = false, lies = {} } of files) {
    const packed = isDeflated ? deflateRawSync(bytes) : Buffer.from(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(lies.flags ?? 0x0800, 2)
    facts.writeUInt16LE(lies.method ?? (isDeflated ? 8 : 0), 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(lies.bytes ?? bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at - startsAt, 10)
    listed.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name))
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed])
    pieces.push(local)
    at += local.length
  }
  const directory = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(claims, 8)
  end.writeUInt16LE(claims, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at - startsAt, 16)
  return Buffer.concat([...pieces, directory, end])
}

const DEBUG_ID = '0a1b2c3d-0000-4000-8000-00000000000a'
export const PLAIN_DEBUG_ID = DEBUG_ID.replaceAll('-', '')

export function aManifest(files: Readonly<Record<string, unknown>>): ZipFile {
  return { name: 'manifest.json', bytes: Buffer.from(JSON.stringify({ files })) }
}

/** Builds a bundle of one minified file with its map, both with a debug id. */
export function aBundle({
  id = DEBUG_ID,
  source = 'export const one = 1\n',
  url = '~/app.js',
}: {
  readonly id?: string
  readonly source?: string
  readonly url?: string
} = {}): Buffer {
  const map = { version: 3, sources: ['one.ts'], sourcesContent: [source], names: [], mappings: 'AAAA' }
  const headers = { 'debug-id': id }
  return aZip([
    { name: 'files/app.js', bytes: Buffer.from('var one=1;'), isDeflated: true },
    { name: 'files/app.js.map', bytes: Buffer.from(JSON.stringify(map)), isDeflated: true },
    aManifest({
      'files/app.js': { type: 'minified_source', url, headers: { ...headers, Sourcemap: 'app.js.map' } },
      'files/app.js.map': { type: 'source_map', url: `${url}.map`, headers },
    }),
  ])
}

/** Reads a bundle that a real tool uploaded; tests/fixtures/artifact-bundles/README.md says how. */
export function realBundle(name: string): Buffer {
  return readFileSync(new URL(`../../../../tests/fixtures/artifact-bundles/${name}.bundle`, import.meta.url))
}

export const REAL_BUNDLES = [
  'sentry-cli-2.58.6',
  'sentry-cli-2.58.6-without-ids',
  'sentry-cli-3.8.0',
  'npm-sentry-0.45.0',
] as const
