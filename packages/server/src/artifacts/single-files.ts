/** Files that come one by one, by release and address, as clients upload them that know no bundles. docs/wire.md, "Uploads". */
import { crc32 } from 'node:zlib'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactType } from '#ports/artifacts.ts'
import type { ChunkRequest } from './artifact-work.ts'
import { type FormPart, readForm } from './form.ts'

export interface ReceivedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ReceivedReleaseFile extends ReceivedFile {
  readonly dist: string | null
  readonly headers: Readonly<Record<string, string>>
}

const PARTS_MAX = 50
const NAME_CHARS_MAX = max('mapSourceNameCharsMax')
const HEADER_CHARS_MAX = 2_048

/** The file of a form with the fields `name`, `dist` and any number of `header` ("Sourcemap:app.js.map"). */
export async function readReleaseFile(request: ChunkRequest): Promise<Result<ReceivedReleaseFile>> {
  const form = await readForm(request, PARTS_MAX)
  if (!form.ok) return form
  const file = readFormFile(form.value)
  if (!file.ok) return file
  const dist = formText(form.value, 'dist')
  if (dist !== null && dist.length > max('distCharsMax'))
    return refuse('bad_request', `dist: at most ${max('distCharsMax')} characters.`)
  const headers: [string, string][] = []
  for (const text of formTexts(form.value, 'header')) {
    const colon = text.indexOf(':')
    if (colon < 1) return refuse('bad_request', 'header value was not formatted correctly')
    headers.push([text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()])
  }
  return ok({ ...file.value, dist: dist === '' ? null : dist, headers: Object.fromEntries(headers) })
}

export async function readSingleFile(request: ChunkRequest): Promise<Result<ReceivedFile>> {
  const form = await readForm(request, PARTS_MAX)
  return form.ok ? readFormFile(form.value) : form
}

function readFormFile(parts: readonly FormPart[]): Result<ReceivedFile> {
  const file = parts.find(({ fileName }) => fileName !== null)
  if (file === undefined) return refuse('bad_request', 'Missing uploaded file')
  const name = (formText(parts, 'name') ?? file.fileName ?? '').trim()
  if (name === '' || name === 'file') return refuse('bad_request', 'File name must be specified')
  if (name.length > NAME_CHARS_MAX)
    return refuse('bad_request', `name: at most ${NAME_CHARS_MAX} characters.`)
  if (/[\p{Cc}]/u.test(name))
    return refuse('bad_request', 'File name must not contain special whitespace characters')
  return ok({ name, bytes: file.bytes })
}

function formText(parts: readonly FormPart[], field: string): string | null {
  return formTexts(parts, field)[0] ?? null
}

function formTexts(parts: readonly FormPart[], field: string): readonly string[] {
  return parts
    .filter((part) => part.field === field && part.fileName === null)
    .map(({ bytes }) => Buffer.from(bytes).toString('utf8').slice(0, HEADER_CHARS_MAX))
}

/** Returns the type that a file's address states. */
function artifactType(name: string): ArtifactType {
  const path = name.replace(/[?#].*$/, '')
  if (/\.map$/i.test(path)) return 'source_map'
  if (/\.(?:[cm]?js|jsbundle|bundle)$/i.test(path)) return 'minified_source'
  return /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)$/i.test(path) ? 'source' : 'other'
}

/** A bundle of this one file: from there on it is an upload like any other. */
export function wrapInBundle({ name, bytes, headers }: ReceivedReleaseFile): Uint8Array {
  const path = 'files/0'
  const manifest = { files: { [path]: { type: artifactType(name), url: name, headers } } }
  const head = Buffer.alloc(8)
  head.write('SYSB')
  head.writeUInt32LE(2, 4)
  return zipFiles(head, [
    [path, bytes],
    ['manifest.json', Buffer.from(JSON.stringify(manifest))],
  ])
}

/** A ZIP of files as they are, behind `head`; offsets count from the start of the file. */
function zipFiles(head: Buffer, files: readonly (readonly [string, Uint8Array])[]): Buffer {
  const pieces: Uint8Array[] = [head]
  const directory: Buffer[] = []
  let at = head.length
  for (const [name, bytes] of files) {
    const facts = zipFacts(name, bytes)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name)])
    pieces.push(local, bytes)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, place, Buffer.from(name)]))
    at += local.length + bytes.length
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

/**
 * Returns the facts that both headers of a file hold, in the same order: from the version that reads it to
 * the length of its extra field.
 */
function zipFacts(name: string, bytes: Uint8Array): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x0800, 2) // names are UTF-8
  facts.writeUInt16LE(0x21, 8) // the first of January 1980
  facts.writeUInt32LE(crc32(bytes), 10)
  facts.writeUInt32LE(bytes.length, 14)
  facts.writeUInt32LE(bytes.length, 18)
  facts.writeUInt16LE(Buffer.byteLength(name), 22)
  return facts
}
