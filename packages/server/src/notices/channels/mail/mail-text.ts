/** A notice as a mail: plain text and HTML that say the same. Everything from events is escaped. Pure. */
import { byWord } from '#base/by-word.ts'
import type { Notice } from '#ports/notices.ts'
import { linksOf } from '../../notice-links.ts'
import { factsOfNotice, kindLine, noticeTitle, restText, subjectOf } from '../../rules/notice-words.ts'
import { oneLine } from '../../rules/one-line.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const SUBJECT_CHARS_MAX = 200

/** Makes the email of a notice. `url`: the public address without trailing slash. */
export function mailText(notice: Notice, url: string): MailText {
  const links = linksOf(url, notice)
  const parts: Parts = {
    heading: headingOf(notice),
    line: noticeLine(notice),
    facts: factsOfNotice(notice),
    open: {
      text: notice.issue === null ? 'Open the issues' : `Open ${notice.issue.shortId}`,
      url: links.open,
    },
    trace: links.trace,
    stop: links.stop,
    settings: links.settings,
    project: oneLine(notice.project.name, SUBJECT_CHARS_MAX),
  }
  return {
    subject: oneLine(subjectOf(notice), SUBJECT_CHARS_MAX),
    text: plainMail(parts),
    html: noticeHtml(parts),
  }
}

interface Parts {
  readonly heading: string
  readonly line: string
  readonly facts: readonly (readonly [string, string])[]
  readonly open: { readonly text: string; readonly url: string }
  readonly trace: string | null
  readonly stop: string
  readonly settings: string
  readonly project: string
}

function headingOf(notice: Notice): string {
  const { issue } = notice
  return issue === null ? oneLine(subjectOf(notice), SUBJECT_CHARS_MAX) : noticeTitle(issue)
}

function noticeLine({ kind, issue, rest }: Notice): string {
  if (issue !== null) {
    const what =
      kind === 'new'
        ? 'New issue.'
        : kind === 'regressed'
          ? 'A resolved issue regressed.'
          : 'An archived issue was unarchived.'
    const line = kindLine(issue)
    // One word says no more than the heading does.
    return line.includes(' ') ? `${what} ${line}.` : what
  }
  if (rest !== null) return `Too many alerts to send one by one: ${restText(rest)}.`
  return 'This is a test, sent from the project’s settings. Emails are delivered.'
}

function plainMail(parts: Parts): string {
  const width = Math.max(...parts.facts.map(([label]) => label.length)) + 2
  return [
    parts.heading,
    '',
    parts.line,
    '',
    ...parts.facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`),
    '',
    `${parts.open.text}: ${parts.open.url}`,
    ...(parts.trace === null ? [] : [`Trace: ${parts.trace}`]),
    '',
    '-- ',
    `You get this because you have access to ${parts.project} in Errata.`,
    `Turn off all email alerts: ${parts.stop}`,
    `Alert settings of the project: ${parts.settings}`,
    '',
  ].join('\n')
}

/** No image, no script, no address but our own: nothing tells anybody that the mail was opened. */
function noticeHtml(parts: Parts): string {
  const facts = parts.facts
    .map(
      ([label, value]) =>
        `<tr><td style="padding:2px 16px 2px 0;color:#6b6b6b;vertical-align:top">${escapeHtml(label)}</td>` +
        `<td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
    )
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(parts.heading)}</title></head>
<body style="margin:0;padding:24px;font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:600px">
<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35;word-break:break-word">${escapeHtml(parts.heading)}</h1>
<p style="margin:0 0 16px">${escapeHtml(parts.line)}</p>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px">${facts}</table>
<p style="margin:0 0 28px"><a href="${escapeHtml(parts.open.url)}" style="font-weight:600">${escapeHtml(parts.open.text)}</a>${traceLink(parts.trace)}</p>
<p style="margin:0;color:#6b6b6b;font-size:12px">You get this because you have access to ${escapeHtml(parts.project)} in Errata. <a href="${escapeHtml(parts.stop)}" style="color:inherit">Turn off all email alerts</a> · <a href="${escapeHtml(parts.settings)}" style="color:inherit">Alert settings of the project</a></p>
</div></body></html>
`
}

function traceLink(url: string | null): string {
  return url === null ? '' : ` · <a href="${escapeHtml(url)}">Open trace</a>`
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
