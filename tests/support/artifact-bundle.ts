/** An artifact bundle as build tools upload one: a ZIP behind eight bytes, its files stored as they are. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { SetUp } from './start-errata.ts'

export interface BundleFile {
  readonly path: string
  readonly type: 'minified_source' | 'source_map'
  readonly url: string
  readonly debugId: string
  readonly text: string
}

const HEADER = Buffer.from('SYSB\x02\0\0\0', 'latin1')

/** Uploads one bundle for the shop's project; fails unless it is taken. */
export async function uploadBundle(shop: SetUp, files: readonly BundleFile[]): Promise<void> {
  const bundle = Buffer.concat([HEADER, zipOf(withManifest(files))])
  const checksum = createHash('sha1').update(bundle).digest('hex')
  const form = new FormData()
  form.append('file', new Blob([bundle]), checksum)
  const api = `${shop.url}/api/0/organizations/${shop.organisation}`
  const headers = { authorization: `Bearer ${shop.token}` }
  const sent = await fetch(`${api}/chunk-upload/`, { method: 'POST', headers, body: form })
  assert.equal(sent.status, 200, await sent.text())
  const made = await fetch(`${api}/artifactbundle/assemble/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ checksum, chunks: [checksum], projects: [shop.project] }),
  })
  assert.equal(made.status, 200, await made.text())
}

function withManifest(files: readonly BundleFile[]): readonly (readonly [string, Buffer])[] {
  const listed = files.map(({ path, type, url, debugId }) => [
    path,
    { type, url, headers: { 'debug-id': debugId } },
  ])
  return [
    ...files.map(({ path, text }) => [path, Buffer.from(text)] as const),
    ['manifest.json', Buffer.from(JSON.stringify({ files: Object.fromEntries(listed) }))],
  ]
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50

function zipOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let at = HEADER.length // offsets count from the start of the file
  for (const [name, bytes] of files) {
    // Version, flags, method (stored), time, date; then checksum, both sizes, lengths of name and extra field.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const head = Buffer.concat([uint32(LOCAL), shared, Buffer.from(name)])
    parts.push(head, bytes)
    central.push(uint32(CENTRAL), Buffer.from([20, 0]), shared, place, Buffer.from(name))
    at += head.length + bytes.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, directory, uint32(END), end])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
