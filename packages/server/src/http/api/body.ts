/** Bodies of requests. */
import * as v from 'valibot'
import { refuseIssues } from '#commands/schemas.ts'
import { ApiRefusal, apiRefusal } from './refusals.ts'

/** Throws `ApiRefusal` for a body that is too large or no JSON. */
export async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  const text = await readText(request, bytesMax)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw apiRefusal('bad_request', 'JSON parse error: the body is not JSON.')
  }
}

async function readText(request: Request, bytesMax: number): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) {
      throw apiRefusal('body_too_large', `The body is larger than ${bytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw apiRefusal('bad_request', 'JSON parse error: the body is not UTF-8.')
  }
}

/** The body as the schema says, or 400 with the name of each field and its rule. */
export function readBody<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  // The schema library takes a list for an object without fields.
  if (Array.isArray(body)) throw apiRefusal('bad_request', 'The body must be a JSON object.')
  const result = v.safeParse(schema, body)
  if (result.success) return result.output
  throw new ApiRefusal(refuseIssues(result.issues))
}
