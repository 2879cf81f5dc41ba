/** Documents that need nothing that may itself be broken: no loader, no React, no script, no file. */
import type { WireError } from './answers.ts'
import { withBasePath } from './base-path.ts'
import { DIGEST_LABEL, errorSentence, LINKS } from './error-text.ts'
import { escapeHtml } from './html.ts'

export interface ErrorDocumentOptions {
  readonly nonce: string
  readonly theme: 'system' | 'light' | 'dark'
  /** Address to try again, and where the person came from: paths of this site. */
  readonly reload: string
  readonly back: string
}

/** The error page inside a 500. */
export function failureDocument(error: WireError, options: ErrorDocumentOptions): string {
  const digest = error.digest ?? null
  const lines = [`<h1>${errorSentence(digest)}</h1>`]
  if (digest !== null) lines.push(`<p>${DIGEST_LABEL} <b class="digest">${escapeHtml(digest)}</b></p>`)
  const recorded = error.recorded === undefined ? '' : link(error.recorded, LINKS.recorded)
  lines.push(`<nav>${link(options.reload, LINKS.reload)}${link(options.back, LINKS.back)}${recorded}</nav>`)
  return page('Application error', lines.join('\n'), options)
}

/** A refusal that belongs to no page, such as a form from another site. */
export function refusalDocument(error: WireError, options: ErrorDocumentOptions): string {
  const instead = error.address === undefined ? '' : link(error.address, LINKS.address)
  const body = `<h1>${escapeHtml(error.message)}</h1>
<p>Code: <b>${escapeHtml(error.code)}</b></p>
<nav>${instead}${link(options.back, LINKS.back)}</nav>`
  return page('Errata', body, options)
}

function link(href: string, text: string): string {
  return `<a href="${escapeHtml(withBasePath(href))}">${text}</a>`
}

function page(title: string, body: string, { nonce, theme }: ErrorDocumentOptions): string {
  const themeAttribute = theme === 'system' ? '' : ` data-theme="${theme}"`
  return `<!DOCTYPE html>
<html lang="en"${themeAttribute}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

const STYLE = `
:root{color-scheme:light dark}
[data-theme=light]{color-scheme:light}
[data-theme=dark]{color-scheme:dark}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:16px;box-sizing:border-box;
background:light-dark(#fcfcfd,#131518);color:light-dark(#15181c,#e7e9ec);
font:400 14px/20px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
h1{margin:0;font-size:18px;line-height:24px;font-weight:600;letter-spacing:-.01em}
p{margin:12px 0 0;color:light-dark(#474e58,#b0b7c0)}
.digest{font:600 16px/20px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
color:light-dark(#15181c,#e7e9ec);font-variant-numeric:tabular-nums}
nav{display:flex;flex-wrap:wrap;gap:16px;margin-top:24px}
@media(max-width:43.74rem){nav{margin-top:12px;row-gap:0}nav a{padding-block:12px}}
a{color:light-dark(#636b76,#8c949f);font-size:13px;text-decoration:none;padding:4px 0}
a:hover{text-decoration:underline}
a:focus-visible{outline:2px solid light-dark(#2450b8,#8fb0ff);outline-offset:2px}
`.replaceAll('\n', '')
