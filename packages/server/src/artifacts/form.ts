/** Bodies of forms (multipart/form-data), as build tools send files. */
import { ok, type Result, refuse } from '#base/result.ts'
import type { ChunkRequest } from './artifact-work.ts'

export interface FormPart {
  readonly field: string
  /** `null` for a field that is no file. */
  readonly fileName: string | null
  readonly bytes: Uint8Array
}

/** Reads a form of at most so many parts. */
export async function readForm(
  { contentType, body }: ChunkRequest,
  partsMax: number,
): Promise<Result<readonly FormPart[]>> {
  if (body.length === 0) return ok([])
  const boundary = boundaryOf(contentType)
  if (boundary === null) return refuse('bad_request', 'The body is no multipart/form-data.')
  if (countUpTo(body, `--${boundary}`, partsMax + 2) > partsMax + 1)
    return refuse('bad_request', 'Too many chunks')
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null)
  if (form === null) return refuse('bad_request', 'The body is no multipart/form-data.')
  const parts: FormPart[] = []
  for (const [field, value] of form) {
    const isText = typeof value === 'string'
    const bytes = isText ? Buffer.from(value) : new Uint8Array(await value.arrayBuffer())
    parts.push({ field, fileName: isText ? null : value.name, bytes })
  }
  return ok(parts)
}

function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return null
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** Counted before anything is parsed: a part costs far more than its bytes. */
function countUpTo(body: Uint8Array, text: string, most: number): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1 && count < most; at = bytes.indexOf(text, at + text.length))
    count++
  return count
}
