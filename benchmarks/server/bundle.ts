/** Uploads an artifact bundle as build tools do: a ZIP in one chunk, then its assembly. */
import { createHash } from 'node:crypto'
import { aManifest, aZip, type ZipFile } from '../../packages/server/testing/builders/artifact-bundle.ts'
import type { BuiltFile } from '../corpus/maps.ts'
import type { SetUp } from './errata.ts'

export function bundleOf(files: readonly BuiltFile[]): Buffer {
  const listed: Record<string, unknown> = {}
  const entries: ZipFile[] = []
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
  return aZip([...entries, aManifest(listed)])
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
