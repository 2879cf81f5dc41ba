/**
 * Removes an organisation's data from browser reports of Errata's own pages: addresses become route patterns,
 * quoted text in messages is dropped unless it reads as an identifier.
 */
import type { Breadcrumb, ErrorEvent } from '@sentry/browser'

export interface Privacy {
  readonly origin: string
  readonly patternOf: (path: string) => string
}

export function privateEvent(event: ErrorEvent, privacy: Privacy): ErrorEvent {
  const { request: _request, server_name: _server, user: _user, extra: _extra, ...kept } = event
  const pattern = privacy.patternOf(ownPath(event.request?.url ?? '', privacy.origin) ?? '/')
  const values = event.exception?.values?.map((value) => ({
    ...value,
    ...(value.value === undefined ? {} : { value: withoutQuotedText(value.value) }),
    ...(value.stacktrace === undefined ? {} : { stacktrace: privateStack(value.stacktrace, privacy) }),
  }))
  return {
    ...kept,
    transaction: pattern,
    request: { url: `${privacy.origin}${pattern}` },
    ...(event.message === undefined ? {} : { message: withoutQuotedText(event.message) }),
    ...(values === undefined ? {} : { exception: { values } }),
  }
}

type Stack = NonNullable<NonNullable<NonNullable<ErrorEvent['exception']>['values']>[number]['stacktrace']>

function privateStack(stack: Stack, privacy: Privacy): Stack {
  const frames = stack.frames?.map(({ vars: _vars, ...frame }) =>
    frame.filename === undefined ? frame : { ...frame, filename: privateUrl(frame.filename, privacy) },
  )
  return { ...stack, ...(frames === undefined ? {} : { frames }) }
}

export function privateBreadcrumb(breadcrumb: Breadcrumb, privacy: Privacy): Breadcrumb {
  const { message: _message, data = {}, ...kept } = breadcrumb
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data)) {
    if (key === 'url' || key === 'from' || key === 'to') shown[key] = privateUrl(String(value), privacy)
    else if (key === 'method' || key === 'status_code') shown[key] = value
  }
  return { ...kept, data: shown }
}

/** The route pattern in place of an address of ours; of another one its origin. */
function privateUrl(url: string, privacy: Privacy): string {
  const path = ownPath(url, privacy.origin)
  if (path === null) return URL.canParse(url) ? new URL(url).origin : '?'
  return path.startsWith('/assets/') ? `${privacy.origin}${path}` : privacy.patternOf(path)
}

/** Path of an address of ours, patterns included; `null` for any other. */
function ownPath(url: string, origin: string): string | null {
  if (!URL.canParse(url, origin)) return null
  const parsed = new URL(url, origin)
  return parsed.origin === origin ? parsed.pathname : null
}

const IDENTIFIER = /^[\w$.[\]-]{1,40}$/

/** Text between quotation marks may be of a page; an identifier is of the code. */
export function withoutQuotedText(message: string): string {
  return message
    .slice(0, 1_000)
    .replaceAll(/(["'`“‘])([^"'`“”‘’]{0,400})(["'`”’])/g, (whole, _open: string, text: string) =>
      IDENTIFIER.test(text) ? whole : '“…”',
    )
}
