/** Parts of an email in HTML: no image, no script, no address but our own, so that nothing tells that it was opened. */
import { byWord } from '#base/by-word.ts'

/** Style of what is beside the point: fainter than the text on whatever canvas the reader's theme has. */
export const FAINT = 'opacity:.7'

/** Makes the document. `body` is HTML. */
export function mailDocument(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
${body}
</body></html>
`
}

/** Makes the link that an email is for; it can be hit with a thumb, and read in either theme. */
export function mailButton({ text, url }: { readonly text: string; readonly url: string }): string {
  return `<a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 16px;border-radius:6px;background:#2450b8;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(text)}</a>`
}

/** Makes a table of names and values. */
export function mailFactTable(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;vertical-align:top;${FAINT}">${escapeHtml(name)}</td>` +
      `<td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  )
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px">${rows.join('')}</table>`
}

const ENTITIES: Readonly<Record<string, string>> = byWord({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
