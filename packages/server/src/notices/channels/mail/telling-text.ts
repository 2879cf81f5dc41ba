/** Email to a follower of an issue: plain text and HTML that say the same. Pure. */
import type { IssueTelling } from '#ports/letters.ts'
import { oneLine } from '../../rules/one-line.ts'
import { escapeHtml, FAINT, mailButton, mailDocument } from './mail-html.ts'
import type { MailText } from './mail-text.ts'

const NAME_CHARS_MAX = 100
const TITLE_CHARS_MAX = 160
const COMMENT_CHARS_MAX = 2_000

interface Links {
  /** The issue. */
  readonly open: string
  /** Page where the receiver switches email off. */
  readonly stop: string
}

export function tellingText(telling: IssueTelling, links: Links): MailText {
  const line = tellingLine(telling)
  const title = oneLine(telling.issue.title, TITLE_CHARS_MAX)
  const comment = commentOf(telling)
  const why = telling.isMention
    ? 'You were mentioned.'
    : 'You’re subscribed to this issue. Unsubscribe on its page.'
  const subject = `${telling.issue.shortId}: ${line}`
  const text = [line, title, ...(comment === '' ? [] : ['', comment]), '', 'Open the issue:', links.open, '']
  const notes = [why, `Turn email off: ${links.stop}`]
  return {
    subject,
    text: [...text, ...notes, ''].join('\n'),
    html: tellingHtml({ subject, line, title, comment, why }, links),
  }
}

/** "Ada commented", "Ada assigned you", "Ada resolved it in shop@1.2.0". */
export function tellingLine(telling: IssueTelling): string {
  const by = oneLine(telling.by, NAME_CHARS_MAX)
  const { kind, detail } = telling
  switch (kind) {
    case 'commented':
      return telling.isMention ? `${by} mentioned you` : `${by} commented`
    case 'resolved':
      return typeof detail.release === 'string' && detail.in === 'release'
        ? `${by} resolved it in ${oneLine(detail.release, NAME_CHARS_MAX)}`
        : `${by} resolved it`
    case 'unresolved':
      return `${by} unresolved it`
    case 'unassigned':
      return `${by} unassigned it`
    case 'assigned':
      return telling.isToReceiver
        ? `${by} assigned you`
        : `${by} assigned ${oneLine(String(detail.name ?? 'somebody'), NAME_CHARS_MAX)}`
    case 'regressed':
      return 'It regressed'
    case 'unarchived':
      return 'It was unarchived'
    default:
      return `${by} changed it`
  }
}

function commentOf({ kind, detail }: IssueTelling): string {
  const text = kind === 'commented' && typeof detail.text === 'string' ? detail.text.trim() : ''
  const characters = [...text]
  return characters.length <= COMMENT_CHARS_MAX
    ? text
    : `${characters.slice(0, COMMENT_CHARS_MAX - 1).join('')}…`
}

interface Words {
  readonly subject: string
  readonly line: string
  readonly title: string
  readonly comment: string
  readonly why: string
}

function tellingHtml({ subject, line, title, comment, why }: Words, { open, stop }: Links): string {
  const quote =
    comment === ''
      ? ''
      : `<p style="margin:0 0 16px;padding-left:12px;border-left:3px solid #8c8c8c;white-space:pre-wrap;word-break:break-word">${escapeHtml(comment)}</p>`
  return mailDocument(
    subject,
    `<div style="max-width:600px">
<p style="margin:0 0 4px;font-weight:600">${escapeHtml(line)}</p>
<p style="margin:0 0 16px;word-break:break-word">${escapeHtml(title)}</p>
${quote}
<p style="margin:0 0 28px">${mailButton({ text: 'Open the issue', url: open })}</p>
<p style="margin:0 0 8px;font-size:12px;${FAINT}">${escapeHtml(why)} <a href="${escapeHtml(stop)}" style="color:inherit">Turn email off</a></p>
</div>`,
  )
}
