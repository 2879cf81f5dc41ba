/** The email that an operator sends to see whether mail works. */
import type { PublicAddress } from '#base/public-address.ts'
import type { Random } from '#base/random.ts'
import type { SmtpServer } from '#limits/smtp-setting.ts'
import type { Attempt } from './channels/attempt.ts'
import { escapeHtml, mailDocument } from './channels/mail/mail-html.ts'
import type { SendWays } from './send-ways.ts'

export interface TestMailReceiver {
  readonly email: string
  readonly name: string
}

interface TestMailParts {
  readonly sendMail: NonNullable<SendWays['sendMail']>
  readonly smtp: Pick<SmtpServer, 'host' | 'port' | 'from'>
  readonly publicAddress: PublicAddress
  readonly random: Random
}

const KEY_BYTES = 16

export function testMail({
  sendMail,
  smtp,
  publicAddress,
  random,
}: TestMailParts): (to: TestMailReceiver) => Promise<Attempt> {
  return ({ email, name }) => {
    const { url, hostname } = publicAddress
    const lines = [
      `This is a test email from Errata at ${url}.`,
      `It was sent from ${smtp.from.address} by the mail server ${smtp.host}:${smtp.port}. If you can read it, email works.`,
    ]
    return sendMail({
      subject: 'Test email from Errata',
      text: `${lines.join('\n\n')}\n`,
      html: mailDocument(
        'Test email from Errata',
        lines.map((line) => `<p style="max-width:600px;margin:0 0 16px">${escapeHtml(line)}</p>`).join('\n'),
      ),
      to: { name, address: email },
      key: random.hex(KEY_BYTES),
      host: hostname,
      stop: null,
      signal: new AbortController().signal,
    })
  }
}
