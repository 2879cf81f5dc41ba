/** Reads the body of an action: JSON, or the fields of a form, within the limit. */
import type { ErrorCode } from '@errata/server/errors'
import type { FormValues } from './answers.ts'
import { FIELDS, SECRET_FIELD } from './names.ts'

export type BodyAnswer =
  | {
      readonly ok: true
      readonly input: unknown
      /** Action's name and the form's key, if hidden fields of a form state them. */
      readonly action: string | null
      readonly form: string
      readonly sizeBytes: number
    }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }

/** A form body gives strings; `name[]` gives a list. JSON is taken as it is. Nothing larger than `bytesMax` is read. */
export async function readActionBody(request: Request, bytesMax: number): Promise<BodyAnswer> {
  const bytes = await readBytes(request, bytesMax)
  if (bytes === null) return { ok: false, ...FORM_TOO_LARGE }
  const read = await readAs(request, bytes)
  return read.ok ? { ...read, sizeBytes: bytes.byteLength } : read
}

/** Refusal of a form beyond its limit. */
export const FORM_TOO_LARGE = { code: 'body_too_large', message: 'The form is too large.' } as const

type ReadBody = Omit<Extract<BodyAnswer, { ok: true }>, 'sizeBytes'> | Extract<BodyAnswer, { ok: false }>

async function readAs(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<ReadBody> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return readJson(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    return readFields(new URLSearchParams(new TextDecoder().decode(bytes)))
  }
  if (type === 'multipart/form-data') return readMultipart(request, bytes)
  return refuseBody('bad_request', 'An action takes a form or JSON.')
}

/** Returns typed values for the page that shows the refusal, without secrets and the wire's hidden fields. */
export function echoOf(input: unknown): FormValues {
  if (typeof input !== 'object' || input === null) return {}
  const values: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(input)) {
    if (SECRET_FIELD.test(name)) continue
    if (typeof value === 'string') values[name] = value
    else if (Array.isArray(value)) values[name] = value.filter((one) => typeof one === 'string')
  }
  return values
}

function refuseBody(code: ErrorCode, message: string): ReadBody {
  return { ok: false, code, message }
}

function readJson(bytes: Uint8Array<ArrayBuffer>): ReadBody {
  try {
    const input: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return { ok: true, input, action: null, form: '' }
  } catch {
    return refuseBody('bad_request', 'The body is not JSON.') // a syntax error is the sender's
  }
}

async function readMultipart(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<ReadBody> {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    return readFields(await new Response(bytes, { headers }).formData())
  } catch {
    return refuseBody('bad_request', 'The form cannot be read.') // a broken boundary is the sender's
  }
}

function readFields(fields: Iterable<readonly [string, FormDataEntryValue]>): ReadBody {
  const input: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of fields) {
    if (typeof value !== 'string') continue
    if (!name.endsWith('[]')) input[name] = value
    else appendTo(input, name.slice(0, -2), value)
  }
  const { [FIELDS.action]: action, [FIELDS.form]: form, ...rest } = input
  return {
    ok: true,
    input: rest,
    action: typeof action === 'string' ? action : null,
    form: typeof form === 'string' ? form : '',
  }
}

function appendTo(input: Record<string, string | string[]>, name: string, value: string): void {
  const before = input[name]
  if (Array.isArray(before)) before.push(value)
  else input[name] = [value]
}

/** The whole body; `null` when it is larger than that. */
async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > bytesMax) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
