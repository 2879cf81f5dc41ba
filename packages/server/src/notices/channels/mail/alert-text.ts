/** An alert as an email: plain text and HTML that say the same. Everything from events is escaped. Pure. */
import type { AlertMessage } from '#model/alert-message.ts'
import { type AlertWords, alertWords, settingsUrl } from '../../alert-words.ts'
import { oneLine } from '../../rules/one-line.ts'
import { COLOURS } from '../channel-type.ts'
import { escapeHtml, type MailText } from './mail-text.ts'

const SUBJECT_CHARS_MAX = 200

export interface AlertMail extends MailText {
  /** Page where a person turns email off; `null` for an address that is no member's. */
  readonly stop: string | null
}

/**
 * Makes the email of an alert. `url`: the public address without trailing slash. `isPerson`: a member, who can turn
 * email off.
 */
export function alertMail(
  message: AlertMessage,
  { url, isPerson }: { readonly url: string; readonly isPerson: boolean },
): AlertMail {
  const words = alertWords(message, url)
  const where = message.project === null ? message.organisation.name : message.project.name
  const stop = isPerson ? `${url}/account/alerts` : null
  const foot: Foot = { stop, settings: settingsUrl(message, url), organisation: message.organisation.name }
  return {
    subject: oneLine(`[${where}] ${message.headline}`, SUBJECT_CHARS_MAX),
    text: plainAlertMail(words, foot),
    html: alertHtml(words, foot, COLOURS[message.level]),
    stop,
  }
}

interface Foot {
  readonly stop: string | null
  readonly settings: string
  readonly organisation: string
}

function plainAlertMail(words: AlertWords, foot: Foot): string {
  const width = Math.max(0, ...words.facts.map(({ label }) => label.length)) + 2
  return [
    words.lead,
    '',
    words.title,
    ...(words.place === null ? [] : [words.place]),
    '',
    ...words.lines.map((line) => `- ${line}`),
    ...words.facts.map(({ label, value }) => `${`${label}:`.padEnd(width)}${value}`),
    '',
    ...words.links.map(({ label, url }) => `${label}: ${url}`),
    '',
    '-- ',
    `You get this from alert rules of ${oneLine(foot.organisation, SUBJECT_CHARS_MAX)} in Errata: ${foot.settings}`,
    ...(foot.stop === null ? [] : [`Turn off all email alerts: ${foot.stop}`]),
    '',
  ].join('\n')
}

/** No image, no script, no address but our own: nothing tells anybody that the email was opened. */
function alertHtml(words: AlertWords, foot: Foot, colour: string): string {
  const facts = words.facts
    .map(
      ({ label, value }) =>
        `<tr><td style="padding:2px 16px 2px 0;color:#6b6b6b;vertical-align:top">${escapeHtml(label)}</td>` +
        `<td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
    )
    .join('')
  const lines = words.lines
    .map((line) => `<li style="word-break:break-word">${escapeHtml(line)}</li>`)
    .join('')
  const links = words.links
    .map(({ label, url }) => `<a href="${escapeHtml(url)}" style="font-weight:600">${escapeHtml(label)}</a>`)
    .join(' · ')
  const place =
    words.place === null ? '' : `<p style="margin:0 0 12px"><code>${escapeHtml(words.place)}</code></p>`
  const stop =
    foot.stop === null
      ? ''
      : ` <a href="${escapeHtml(foot.stop)}" style="color:inherit">Turn off all email alerts</a>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(words.title)}</title></head>
<body style="margin:0;padding:24px;font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:600px;border-left:4px solid ${colour};padding-left:16px">
<p style="margin:0 0 4px;color:#6b6b6b">${escapeHtml(words.lead)}</p>
<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35;word-break:break-word">${escapeHtml(words.title)}</h1>
${place}${lines === '' ? '' : `<ul style="margin:0 0 16px;padding-left:20px">${lines}</ul>`}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px">${facts}</table>
<p style="margin:0 0 20px">${links}</p>
</div>
<p style="max-width:600px;margin:16px 0 0;color:#6b6b6b;font-size:12px">You get this from <a href="${escapeHtml(foot.settings)}" style="color:inherit">alert rules of ${escapeHtml(foot.organisation)}</a> in Errata.${stop}</p>
</body></html>
`
}
