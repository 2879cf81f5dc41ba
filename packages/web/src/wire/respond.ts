/** Answers of the web app: the one place of its status codes and headers. */
import { createHash } from 'node:crypto'
import type { ActionReply, PageAnswer, WireError } from './answers.ts'
import { withBasePath } from './base-path.ts'
import { statusOf } from './failure.ts'
import { HEADERS } from './names.ts'

/**
 * Headers that vary an answer: one address gives a document or data, to one person or another, and no cache
 * may mix them up.
 */
const VARY = ['Cookie', HEADERS.page, HEADERS.build, HEADERS.purpose, HEADERS.action].join(', ')

export interface DocumentHeaders {
  readonly nonce: string
  readonly isHttps: boolean
  /** Origin that the browser half reports to when it is not our own. */
  readonly reportOrigin: string | null
  /** The address carries a code that opens something: no request from the page names it. */
  readonly isSecretAddress: boolean
}

function freshHeaders(): Headers {
  return new Headers({
    'Cache-Control': 'no-store',
    Vary: VARY,
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
}

/** An HTML document with everything that keeps hostile event text from running. */
export function documentResponse(html: string, status: number, options: DocumentHeaders): Response {
  const headers = freshHeaders()
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Security-Policy', contentSecurityPolicy(options))
  // Never `no-referrer`: forms without script would come from the origin "null" then.
  headers.set('Referrer-Policy', options.isSecretAddress ? 'strict-origin' : 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (options.isHttps) headers.set('Strict-Transport-Security', 'max-age=31536000')
  return new Response(html, { status, headers })
}

/** Page data, an action's reply, or an error of either, as JSON. */
export function jsonResponse(answer: PageAnswer | ActionReply): Response {
  const headers = freshHeaders()
  headers.set('Content-Type', 'application/json; charset=utf-8')
  const error = 'error' in answer ? answer.error : null
  if (error?.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  return new Response(JSON.stringify(answer), {
    status: error === null ? 200 : statusOf(error.code),
    headers,
  })
}

/** Sends a browser to another page after a plain request. `to` is a path of this site. */
export function redirectResponse(to: string): Response {
  const headers = freshHeaders()
  headers.set('Location', withBasePath(to))
  return new Response(null, { status: 303, headers })
}

interface KeptDocument {
  readonly status: number
  readonly request: Request
  readonly isHttps: boolean
}

/** A document that browsers keep, and ask for again whether it is still the same. Its scripts are files of ours. */
export function keptDocument(html: string, { status, request, isHttps }: KeptDocument): Response {
  const headers = keptHeaders(html)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Security-Policy', DOCUMENT_POLICY)
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (isHttps) headers.set('Strict-Transport-Security', 'max-age=31536000')
  const isSame = status === 200 && isUnchanged(request, headers.get('ETag') ?? '')
  return isSame ? new Response(null, { status: 304, headers }) : new Response(html, { status, headers })
}

/**
 * Returns the headers to keep. An address reads differently to others: in another theme, signed in or not.
 * The address it names is the client's.
 */
function keptHeaders(text: string): Headers {
  const headers = freshHeaders()
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('Vary', 'Cookie')
  headers.set('ETag', `W/"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`)
  return headers
}

/** Returns the headers of a served file; the next version has the same address. */
export function fileHeaders(etag: string, type: string): Headers {
  return new Headers({
    ETag: etag,
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
}

/** The client has it as it is. */
export function isUnchanged(request: Request, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  return known.some((each) => bare(each) === bare(etag))
}

const DOCUMENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function staleBuild(build: string): WireError & { readonly build: string } {
  return {
    code: 'stale_build',
    message: 'Errata was updated since this page was loaded. The page reloads itself.',
    build,
  }
}

/** Answers for a build that is gone, or made up: a script asked for it, not a person. */
export function noSuchFile(): Response {
  const headers = freshHeaders()
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  return new Response('There is no such file in this build.\n', { status: statusOf('not_found'), headers })
}

export function methodNotAllowed(): Response {
  const headers = freshHeaders()
  headers.set('Allow', 'GET, HEAD, POST')
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  return new Response('This address takes GET, HEAD and POST.\n', {
    status: statusOf('method_not_allowed'),
    headers,
  })
}

/** The same answer without its body. */
export function withoutBody(response: Response): Response {
  return new Response(null, { status: response.status, headers: response.headers })
}

function contentSecurityPolicy({ nonce, reportOrigin }: DocumentHeaders): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${reportOrigin === null ? '' : ` ${reportOrigin}`}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
