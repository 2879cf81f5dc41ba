/** An alert as an email: plain text and HTML that say the same. Everything from events is escaped. Pure. */
import type { AlertMessage } from '#model/alert-message.ts'
import { type AlertWords, alertWords, settingsUrl } from '../../alert-words.ts'
import { oneLine } from '../../rules/one-line.ts'
import { COLOURS } from '../channel-type.ts'
import { escapeHtml, FAINT, mailButton, mailDocument, mailFactTable } from './mail-html.ts'
import type { MailText } from './mail-text.ts'

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

function alertHtml(words: AlertWords, foot: Foot, colour: string): string {
  const lines = words.lines
    .map((line) => `<li style="word-break:break-word">${escapeHtml(line)}</li>`)
    .join('')
  const links = words.links.map(({ label, url }, at) =>
    at === 0
      ? mailButton({ text: label, url })
      : `<a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 12px;color:inherit">${escapeHtml(label)}</a>`,
  )
  const place =
    words.place === null ? '' : `<p style="margin:0 0 12px"><code>${escapeHtml(words.place)}</code></p>`
  const stop =
    foot.stop === null
      ? ''
      : ` <a href="${escapeHtml(foot.stop)}" style="color:inherit">Turn off all email alerts</a>`
  return mailDocument(
    words.title,
    `<div style="max-width:600px;border-left:4px solid ${colour};padding-left:16px">
<p style="margin:0 0 4px;${FAINT}">${escapeHtml(words.lead)}</p>
<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35;word-break:break-word">${escapeHtml(words.title)}</h1>
${place}${lines === '' ? '' : `<ul style="margin:0 0 16px;padding-left:20px">${lines}</ul>`}
${mailFactTable(words.facts.map(({ label, value }) => [label, value]))}
<p style="margin:0">${links.join(' ')}</p>
</div>
<p style="max-width:600px;margin:16px 0 0;font-size:12px;${FAINT}">You get this from <a href="${escapeHtml(foot.settings)}" style="color:inherit">alert rules of ${escapeHtml(foot.organisation)}</a> in Errata.${stop}</p>`,
  )
}
