/** A letter as a mail: plain text and HTML that say the same. Names are escaped, and bounded. Pure. */
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import type { ClaimedLetter } from '#ports/letters.ts'
import { oneLine } from '../../rules/one-line.ts'
import { escapeHtml, FAINT, mailButton, mailDocument } from './mail-html.ts'
import type { MailText } from './mail-text.ts'

const NAME_CHARS_MAX = 100

interface Words {
  readonly subject: string
  readonly line: string
  /** Label of the button. */
  readonly press: string
  readonly notes: readonly string[]
}

export function letterText(
  letter: Pick<ClaimedLetter, 'to' | 'expiresMs' | 'invitation' | 'signIn'>,
  { url, nowMs }: { readonly url: string; readonly nowMs: number },
): MailText {
  const lasts = durationInWords(letter.expiresMs - nowMs)
  const words = letterWords(letter, lasts)
  return { subject: words.subject, text: plainLetter(words, url), html: letterHtml(words, url) }
}

function letterWords({ invitation, signIn, to }: Parameters<typeof letterText>[0], lasts: string): Words {
  if (signIn !== null) return signInWords(to.email, signIn)
  return invitation === null ? resetWords(to.email, lasts) : invitationWords(invitation, lasts)
}

function signInWords(email: string, { device, address }: NonNullable<ClaimedLetter['signIn']>): Words {
  const from = address === null ? '' : `, address ${oneLine(address, NAME_CHARS_MAX)}`
  return {
    subject: 'New sign-in to Errata',
    line: `${email} signed in from a new device: ${oneLine(device, NAME_CHARS_MAX)}${from}.`,
    press: 'See your sessions',
    notes: [
      'If this was you, there’s nothing to do.',
      'If you don’t recognise it, end that session and change your password.',
    ],
  }
}

function resetWords(email: string, lasts: string): Words {
  return {
    subject: 'Reset your Errata password',
    line: `A password reset was requested for ${email}.`,
    press: 'Choose a new password',
    notes: [
      `The link works once and expires in ${lasts}. Setting a password ends every session and revokes your personal tokens.`,
      'If you didn’t request it, ignore this email. Your password won’t change.',
    ],
  }
}

function invitationWords(invitation: NonNullable<ClaimedLetter['invitation']>, lasts: string): Words {
  const organisation = oneLine(invitation.organisation, NAME_CHARS_MAX)
  const by = oneLine(invitation.by, NAME_CHARS_MAX)
  const article = invitation.role === 'owner' ? 'an' : 'a'
  return {
    subject: `Join ${organisation} in Errata`,
    line: `${by} invited you to join ${organisation} in Errata, as ${article} ${invitation.role}.`,
    press: `Join ${organisation}`,
    notes: [
      `The link works once and expires in ${lasts}.`,
      'If you weren’t expecting this, ignore this email.',
    ],
  }
}

/** At least a minute, whole units. */
function durationInWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  if (minutes <= 90) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const days = Math.round(ms / DAY_MS)
  if (days >= 2) return `${days} days`
  return `${Math.round(minutes / 60)} hours`
}

function plainLetter({ line, press, notes }: Words, url: string): string {
  return [line, '', `${press}:`, url, '', ...notes, ''].join('\n')
}

function letterHtml({ subject, line, press, notes }: Words, url: string): string {
  const paragraphs = notes
    .map((note) => `<p style="margin:0 0 8px;font-size:12px;${FAINT}">${escapeHtml(note)}</p>`)
    .join('')
  return mailDocument(
    subject,
    `<div style="max-width:600px">
<p style="margin:0 0 16px;word-break:break-word">${escapeHtml(line)}</p>
<p style="margin:0 0 8px">${mailButton({ text: press, url })}</p>
<p style="margin:0 0 28px;font-size:12px;word-break:break-all">${escapeHtml(url)}</p>
${paragraphs}
</div>`,
  )
}
