/** The shell of a document: head, the rendered app, and what the browser needs to take it over. */
import type { PageState } from './answers.ts'
import { basePath, withBasePath } from './base-path.ts'
import { EARLY_INPUT } from './early-input.ts'
import { escapeHtml, scriptJson } from './html.ts'
import { ROOT_ELEMENT, STATE_ELEMENT } from './names.ts'

export type Theme = 'system' | 'light' | 'dark'

export interface DocumentParts {
  /** HTML as React rendered it. */
  readonly html: string
  readonly state: PageState
  readonly nonce: string
  readonly theme: Theme
  readonly entry: string
  readonly styles: readonly string[]
  readonly preloads: readonly string[]
}

/** Errors before the app runs wait here for the reporter; at most twenty. */
const EARLY_ERRORS = `(function(){var q=window.errataEarly=[];function a(e){q.length<20&&q.push(e.reason||e.error||e.message)}
addEventListener('error',a);addEventListener('unhandledrejection',a);
window.errataEarlyStop=function(){removeEventListener('error',a);removeEventListener('unhandledrejection',a)}})()`

export const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 18 18%22%3E%3Crect width=%2218%22 height=%2218%22 rx=%224%22 fill=%22%2315181c%22/%3E%3Cpath d=%22M4.5 13 9 4.5 13.5 13%22 fill=%22none%22 stroke=%22%23fff%22 stroke-width=%222%22/%3E%3C/svg%3E'

export function documentHtml(parts: DocumentParts): string {
  const { nonce, theme, state } = parts
  const { hoisted, body } = splitHoisted(parts.html)
  const base = basePath() === '' ? '' : ` data-base="${escapeHtml(basePath())}"`
  const themeAttribute = theme === 'system' ? '' : ` data-theme="${theme}"`
  const spanId = state.traceId.slice(0, 16)
  return `<!DOCTYPE html>
<html lang="en"${themeAttribute}${base}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<meta name="sentry-trace" content="${state.traceId}-${spanId}">
${hoisted}
<link rel="icon" href="${ICON}">
${parts.styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(withBasePath(href))}">`).join('\n')}
<script nonce="${nonce}">${EARLY_ERRORS};${EARLY_INPUT}</script>
${parts.preloads.map((href) => `<link rel="modulepreload" href="${escapeHtml(withBasePath(href))}" nonce="${nonce}">`).join('\n')}
</head>
<body>
<div id="${ROOT_ELEMENT}">${body}</div>
<script type="application/json" id="${STATE_ELEMENT}" nonce="${nonce}">${scriptJson(state)}</script>
<script type="module" src="${escapeHtml(withBasePath(parts.entry))}" nonce="${nonce}"></script>
</body>
</html>
`
}

/**
 * React writes titles and other head elements before the rest when the app is not rendered as a whole document.
 * Text is escaped there, so that the pattern cannot reach into it.
 */
const HOISTED = /^(?:<title(?: [^<>]*)?>[^<]*<\/title>|<(?:meta|link) [^<>]*>)+/

function splitHoisted(html: string): { readonly hoisted: string; readonly body: string } {
  const hoisted = HOISTED.exec(html)?.[0] ?? ''
  return {
    hoisted: hoisted.includes('<title') ? hoisted : `<title>Errata</title>${hoisted}`,
    body: html.slice(hoisted.length),
  }
}
