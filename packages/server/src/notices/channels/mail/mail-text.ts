/** A notice as a mail: plain text and HTML that say the same. Everything from events is escaped. Pure. */
import type { Notice } from '#ports/notices.ts'
import { linksOf } from '../../notice-links.ts'
import { factsOfNotice, kindLine, noticeTitle, restText, subjectOf } from '../../rules/notice-words.ts'
import { oneLine } from '../../rules/one-line.ts'
import { escapeHtml, FAINT, mailButton, mailDocument, mailFactTable } from './mail-html.ts'

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

function noticeHtml(parts: Parts): string {
  const { heading, line, facts, open, trace, stop, settings, project } = parts
  return mailDocument(
    heading,
    `<div style="max-width:600px">
<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35;word-break:break-word">${escapeHtml(heading)}</h1>
<p style="margin:0 0 16px">${escapeHtml(line)}</p>
${mailFactTable(facts)}
<p style="margin:0 0 28px">${mailButton(open)}${traceLink(trace)}</p>
<p style="margin:0;font-size:12px;${FAINT}">You get this because you have access to ${escapeHtml(project)} in Errata. <a href="${escapeHtml(stop)}" style="color:inherit">Turn off all email alerts</a> · <a href="${escapeHtml(settings)}" style="color:inherit">Alert settings of the project</a></p>
</div>`,
  )
}

function traceLink(url: string | null): string {
  return url === null
    ? ''
    : ` <a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 12px;color:inherit">Open trace</a>`
}
