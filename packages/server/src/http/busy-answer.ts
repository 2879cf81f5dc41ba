/** Answer to a page or API call that finds no place in the queue: immediate, and made without work. */
import type { IncomingMessage } from 'node:http'
import { ERROR_CATALOGUE } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { PageRefusal } from './page-queue.ts'
import type { HttpAnswer } from './respond.ts'

const MESSAGES: Readonly<Record<PageRefusal, string>> = {
  rate_limited: 'Too many pages are being loaded from here at once. Try again in a moment.',
  overloaded: 'Errata is busy. Try again in a moment.',
}

/** A document for a person, which loads itself again; for a script both the web app's error and the web API's. */
export function busyAnswer(request: IncomingMessage, code: PageRefusal): HttpAnswer {
  const retryAfterSeconds = max('pagesRetrySeconds')
  const message = MESSAGES[code]
  const isDocument = request.headers.accept?.includes('text/html') === true
  return {
    status: ERROR_CATALOGUE[code].status,
    headers: {
      'retry-after': String(retryAfterSeconds),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      ...(isDocument ? DOCUMENT_HEADERS : DATA_HEADERS),
    },
    body: isDocument
      ? busyDocument(message, request.method === 'GET' ? retryAfterSeconds : null)
      : JSON.stringify({ detail: message, code, error: { code, message, retryAfterSeconds } }),
  }
}

const DATA_HEADERS = {
  'content-type': 'application/json',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

/** The document holds nothing that anybody sent. */
const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

function busyDocument(message: string, reloadSeconds: number | null): string {
  const reload = reloadSeconds === null ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">${reload}
<title>Errata is busy</title></head>
<body style="margin:0;min-height:100vh;display:grid;place-content:center;font:14px/20px system-ui,sans-serif">
<p>${message}</p></body></html>
`
}
