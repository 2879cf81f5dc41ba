/** Artifact bundles as build tools upload them: made by hand, and sent as one chunk. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { SetUp } from './start-errata.ts'

export interface BundledFile {
  readonly type: 'minified_source' | 'source_map' | 'source'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** By the names that the files have in the bundle. */
export type BundledFiles = Readonly<Record<string, BundledFile>>

export interface BundlePlace {
  readonly release?: string
  readonly dist?: string
}

/** Uploads a bundle for the project of the set-up; fails unless it is taken. */
export async function uploadBundle(shop: SetUp, files: BundledFiles, place: BundlePlace = {}): Promise<void> {
  const bundle = artifactBundle(files)
  const sha1 = createHash('sha1').update(bundle).digest('hex')
  const form = new FormData()
  form.append('file', new Blob([bundle]), sha1)
  await call(shop, 'chunk-upload/', { body: form })
  const { release: version = null, dist = null } = place
  const assembly = { checksum: sha1, chunks: [sha1], projects: [shop.project], version, dist }
  const answer = await call(shop, 'artifactbundle/assemble/', {
    body: JSON.stringify(assembly),
    headers: { 'content-type': 'application/json' },
  })
  assert.match(await answer.text(), /"state":"(?:ok|created|assembling)"/)
}

async function call(shop: SetUp, path: string, { body, headers }: Pick<RequestInit, 'body' | 'headers'>) {
  const answer = await fetch(`${shop.url}/api/0/organizations/${shop.organisation}/${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${shop.token}` },
    ...(body == null ? {} : { body }),
  })
  assert.ok(answer.ok, `POST ${path}: ${answer.status}`)
  return answer
}

/** `SYSB`, version 2, and a ZIP whose offsets count from the start of the file. */
function artifactBundle(files: BundledFiles): Buffer<ArrayBuffer> {
  const listed = Object.entries(files).map(([name, { bytes: _bytes, ...says }]) => [name, says])
  const manifest = Buffer.from(JSON.stringify({ files: Object.fromEntries(listed) }))
  const entries = Object.entries(files).map(([name, { bytes }]) => [name, bytes] as const)
  const head = Buffer.alloc(8)
  head.write('SYSB')
  head.writeUInt32LE(2, 4)
  return Buffer.concat([head, zipOf([['manifest.json', manifest], ...entries], head.length)])
}

/** Nothing in it is packed. */
function zipOf(entries: readonly (readonly [string, Uint8Array])[], start: number): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = start
  for (const [name, bytes] of entries) {
    const path = Buffer.from(name)
    const says = sizes(path, bytes)
    const body = Buffer.concat([Buffer.from('PK\x03\x04\x14\0', 'latin1'), says, path, bytes])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0\x14\0', 'latin1'), says, Buffer.alloc(10), u32(at), path]),
    )
    bodies.push(body)
    at += body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, list, end])
}

/** What stands in front of a file and in the list of them alike: flags, method, time, CRC, lengths. */
function sizes(path: Uint8Array, bytes: Uint8Array): Buffer {
  const says = Buffer.alloc(22)
  says.writeUInt32LE(crc32(bytes), 8)
  says.writeUInt32LE(bytes.length, 12)
  says.writeUInt32LE(bytes.length, 16)
  says.writeUInt16LE(path.length, 20)
  return Buffer.concat([says, Buffer.alloc(2)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
