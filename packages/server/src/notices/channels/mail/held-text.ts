/** The one email after a person's quiet hours: plain text and HTML that say the same. Pure. */
import { max } from '#limits/limits.ts'
import type { HeldLine, HeldLines } from '#ports/letters.ts'
import { oneLine } from '../../rules/one-line.ts'
import { escapeHtml, FAINT, mailButton, mailDocument } from './mail-html.ts'
import type { MailText } from './mail-text.ts'
import { tellingLine } from './telling-text.ts'

const TITLE_CHARS_MAX = 160
const HEADLINE_CHARS_MAX = 200
const WHY = 'These alerts were held until your quiet hours ended. Critical alerts are sent at once.'

/** Makes the letter that has a person's held emails. `link`: the address of a path. */
export function heldText({ lines, total }: HeldLines, link: (path: string) => string): MailText {
  const many = total >= max('heldEmailsMax') ? `${total} or more` : `${total}`
  const subject = `${many} ${total === 1 ? 'update' : 'updates'} during your quiet hours`
  const rows = lines.map((line) => ({ ...heldLineWords(line), url: link(heldLinePath(line)) }))
  const more = total - lines.length
  const rest = more > 0 ? `${more} more are in your inbox.` : ''
  const links = { inbox: link('/inbox'), settings: link('/account/alerts') }
  const text = [
    subject,
    '',
    ...rows.flatMap(({ line, title, url }) => [
      `- ${line}`,
      ...(title === '' ? [] : [`  ${title}`]),
      `  ${url}`,
    ]),
    ...(rest === '' ? [] : ['', rest]),
    '',
    `Open your inbox: ${links.inbox}`,
    '',
    WHY,
    `Change quiet hours or turn email off: ${links.settings}`,
    '',
  ].join('\n')
  return { subject, text, html: heldHtml({ subject, rows, rest }, links) }
}

/** "SHOP-12: Ada mentioned you" and the issue's title; an alert's headline alone. */
function heldLineWords({ telling, issue, headline }: HeldLine): {
  readonly line: string
  readonly title: string
} {
  if (telling === null) return { line: oneLine(headline, HEADLINE_CHARS_MAX), title: '' }
  const name = issue === null ? '' : `${issue.shortId}: `
  return { line: `${name}${tellingLine(telling)}`, title: oneLine(telling.issue.title, TITLE_CHARS_MAX) }
}

function heldLinePath({ organisation, issue, telling, ruleId }: HeldLine): string {
  const org = `/${encodeURIComponent(organisation)}`
  if (issue !== null)
    return `${org}/issues/${encodeURIComponent(issue.shortId)}${telling === null ? '' : '/activity'}`
  return ruleId === null ? `${org}/alerts/log` : `${org}/alerts/rules/${ruleId}`
}

interface Words {
  readonly subject: string
  readonly rows: readonly { readonly line: string; readonly title: string; readonly url: string }[]
  readonly rest: string
}

function heldHtml(
  { subject, rows, rest }: Words,
  { inbox, settings }: { readonly inbox: string; readonly settings: string },
): string {
  const items = rows
    .map(({ line, title, url }) => {
      const below =
        title === '' ? '' : `<br><span style="word-break:break-word;${FAINT}">${escapeHtml(title)}</span>`
      return `<li style="margin:0 0 10px"><a href="${escapeHtml(url)}" style="color:inherit;font-weight:600">${escapeHtml(line)}</a>${below}</li>`
    })
    .join('')
  const more = rest === '' ? '' : `<p style="margin:0 0 16px">${escapeHtml(rest)}</p>`
  return mailDocument(
    subject,
    `<div style="max-width:600px">
<h1 style="margin:0 0 16px;font-size:18px;line-height:1.35">${escapeHtml(subject)}</h1>
<ul style="margin:0 0 16px;padding:0 0 0 18px">${items}</ul>
${more}<p style="margin:0 0 28px">${mailButton({ text: 'Open your inbox', url: inbox })}</p>
<p style="margin:0;font-size:12px;${FAINT}">${escapeHtml(WHY)} <a href="${escapeHtml(settings)}" style="color:inherit">Change quiet hours or turn email off</a></p>
</div>`,
  )
}
