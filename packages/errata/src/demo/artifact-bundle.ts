/** An artifact bundle, as build tools upload one: a ZIP behind a header, with a manifest. docs/wire.md, section "Artifact bundles". */
import { crc32 } from 'node:zlib'

export interface BundledFile {
  readonly type: 'minified_source' | 'source_map'
  /** Address such as `~/assets/app.js`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const HEADER = Buffer.from('SYSB\x02\0\0\0')

/** By the names that the files have in the bundle. */
export function artifactBundle(files: Readonly<Record<string, BundledFile>>): Buffer<ArrayBuffer> {
  const listed = Object.fromEntries(Object.entries(files).map(([name, { text: _, ...says }]) => [name, says]))
  return zipOf([
    ['manifest.json', JSON.stringify({ files: listed })],
    ...Object.entries(files).map(([name, { text }]) => [name, text] as const),
  ])
}

const UTF8_NAMES = 0x0800
const VERSION = 20

/** Nothing is compressed: the files are small. */
function zipOf(files: readonly (readonly [string, string])[]): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [HEADER]
  const directory: Buffer[] = []
  let at = HEADER.length
  for (const [name, text] of files) {
    const bytes = Buffer.from(text)
    const facts = factsOf(name, bytes)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02'), versionMadeBy(), facts, place, Buffer.from(name))
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), bytes])
    pieces.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, listed, end])
}

function versionMadeBy(): Buffer {
  const version = Buffer.alloc(2)
  version.writeUInt16LE(VERSION)
  return version
}

/** Returns the facts that a file's own header and the directory both hold. */
function factsOf(name: string, bytes: Buffer): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(VERSION, 0)
  facts.writeUInt16LE(UTF8_NAMES, 2)
  facts.writeUInt32LE(crc32(bytes), 10)
  facts.writeUInt32LE(bytes.length, 14)
  facts.writeUInt32LE(bytes.length, 18)
  facts.writeUInt16LE(Buffer.byteLength(name), 22)
  return facts
}
