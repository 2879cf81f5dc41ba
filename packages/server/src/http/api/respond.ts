/** Answers of the web API. The one place where a refusal becomes a status and JSON. */
import { ERROR_CATALOGUE } from '#base/errors.ts'
import type { Refusal } from '#base/result.ts'
import { dispositionOf, setLength } from '../file-headers.ts'
import type { ApiAnswer } from './call.ts'
import { linkHeader } from './pages.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Authorization, Cookie',
}

export function respond(answer: ApiAnswer, url: URL): Response {
  const headers = new Headers(HEADERS)
  if (answer.page !== undefined) {
    headers.set('link', linkHeader(answer.page, url))
    if (answer.page.hits !== null) headers.set('x-hits', String(answer.page.hits))
  }
  if (answer.etag !== undefined) headers.set('etag', answer.etag)
  if (answer.location !== undefined) headers.set('location', answer.location)
  if (answer.file !== undefined) {
    const { name, type, stream, bytes, range } = answer.file
    headers.set('content-type', type)
    headers.set('content-disposition', dispositionOf(name))
    setLength(headers, bytes, range)
    return new Response(stream, { status: answer.status, headers })
  }
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers })
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
}

/** Broken fields of a body are `{"field": ["rule"]}`; everything else is `{"detail", "code"}`. */
export function respondRefusal(
  refusal: Refusal,
  extra: {
    readonly body?: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Response {
  const headers = new Headers({ ...HEADERS, 'content-type': 'application/json', ...extra.headers })
  if (refusal.retryAfterSeconds !== undefined) headers.set('retry-after', String(refusal.retryAfterSeconds))
  if (refusal.code === 'signed_out') headers.set('www-authenticate', 'Bearer')
  const { status } = ERROR_CATALOGUE[refusal.code]
  const isFields = refusal.code === 'invalid_input' && refusal.fields !== undefined
  const body = isFields
    ? refusal.fields
    : { detail: refusal.message, code: refusal.code, ...refusal.fields, ...extra.body }
  return new Response(JSON.stringify(body), { status, headers })
}

/** Answers OPTIONS: no other origin may read the web API from a browser. */
export function respondOptions(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { ...HEADERS, allow: methods.join(', ') } })
}
