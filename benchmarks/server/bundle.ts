/** Uploads an artifact bundle as build tools do: a ZIP in one chunk, then its assembly. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { BuiltFile } from '../corpus/maps.ts'
import type { SetUp } from './errata.ts'

interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

export function bundleOf(files: readonly BuiltFile[]): Buffer {
  const listed: Record<string, unknown> = {}
  const entries: Entry[] = []
  for (const [at, { code, map, debugId }] of files.entries()) {
    const headers = { 'debug-id': debugId }
    listed[`${at}.js`] = {
      ...{ type: 'minified_source', url: `~/${at}.js` },
      headers: { ...headers, sourcemap: `${at}.js.map` },
    }
    listed[`${at}.js.map`] = { type: 'source_map', url: `~/${at}.js.map`, headers }
    entries.push(
      { name: `${at}.js`, bytes: Buffer.from(code) },
      { name: `${at}.js.map`, bytes: Buffer.from(map) },
    )
  }
  entries.push({ name: 'manifest.json', bytes: Buffer.from(JSON.stringify({ files: listed })) })
  return zipOf(entries)
}

/** `SYSB`, version 2. */
const HEADER = Buffer.from('SYSB\x02\0\0\0')

/** Stored, not deflated, as the newest of the tools writes it. */
function zipOf(entries: readonly Entry[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = HEADER.length // places count from the start of the file
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name)
    const shared = Buffer.alloc(26) // what both headers have: from the version on
    shared.writeUInt16LE(20, 0)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    bodies.push(Buffer.from('PK\x03\x04'), shared, path, bytes)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), shared, rest, path)
    at += 4 + shared.length + path.length + bytes.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([HEADER, ...bodies, listed, Buffer.from('PK\x05\x06'), end])
}

export async function uploadBundle(
  origin: string,
  { token, organisation, project }: SetUp,
  bundle: Buffer,
): Promise<void> {
  const base = `${origin}/api/0/organizations/${organisation}`
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string, body: FormData | string) => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return text
  }
  const chunks: string[] = []
  const size = 8 * 1024 * 1024
  for (let at = 0; at < bundle.length; at += size) {
    const chunk = bundle.subarray(at, at + size)
    const sha1 = createHash('sha1').update(chunk).digest('hex')
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(chunk)]), sha1)
    await ask('/chunk-upload/', form)
    chunks.push(sha1)
  }
  const checksum = createHash('sha1').update(bundle).digest('hex')
  const assembly = JSON.stringify({ checksum, chunks, projects: [project] })
  for (let tries = 0; tries < 200; tries++) {
    const state = await ask('/artifactbundle/assemble/', assembly)
    if (/"state":"(?:ok|created)"/.test(state)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the bundle is not assembled')
}
