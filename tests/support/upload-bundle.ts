/** Artifact bundles as build tools upload them, sent as one chunk. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { aManifest, aZip } from '../../packages/server/testing/builders/artifact-bundle.ts'
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

function artifactBundle(files: BundledFiles): Buffer<ArrayBuffer> {
  const listed = Object.entries(files).map(([name, { bytes: _bytes, ...says }]) => [name, says])
  const held = Object.entries(files).map(([name, { bytes }]) => ({ name, bytes }))
  return Buffer.from(aZip([aManifest(Object.fromEntries(listed)), ...held]))
}
