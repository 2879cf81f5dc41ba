/** Sends one mail over SMTP: a connection of its own, closed when it takes too long or Errata stops. */
import { isIP } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import type { SmtpServer } from '#limits/smtp-setting.ts'
import { oneLine } from '../../rules/one-line.ts'
import { type Attempt, STOPPED } from '../attempt.ts'
import type { MailText } from './mail-text.ts'

export interface Mail extends MailText {
  readonly to: { readonly name: string; readonly address: string }
  /** 32 hex characters: the same for every try, so that servers and clients can tell a repeat. */
  readonly key: string
  /** Host of the public address: the right half of the Message-ID. */
  readonly host: string
  /** Address of the page where mail is switched off; `null` for what somebody asked for. */
  readonly stop: string | null
  readonly signal: AbortSignal
}

const ANSWER_CHARS_MAX = 160
/** Result that the next mail would meet as well. */
const AWAY = { outcome: 'failed', isServerAway: true } as const

export interface MailOptions {
  readonly smtp: SmtpServer
  readonly timeoutMs?: number
}

export function createSendMail(options: MailOptions): (mail: Mail) => Promise<Attempt> {
  const { smtp, timeoutMs = max('mailTimeoutMs') } = options
  return async (mail) => {
    const signal = AbortSignal.any([mail.signal, AbortSignal.timeout(timeoutMs)])
    try {
      await deliver({ smtp, timeoutMs }, { ...mail, signal })
      return { outcome: 'sent', says: 'Accepted by the mail server.' }
    } catch (cause) {
      if (mail.signal.aborted) return STOPPED
      if (signal.aborted) {
        return {
          ...AWAY,
          says: `The mail server took longer than ${Math.ceil(timeoutMs / 1_000)} seconds.`,
        }
      }
      return mailRefusal(cause)
    }
  }
}

async function deliver({ smtp, timeoutMs }: Required<MailOptions>, mail: Mail): Promise<void> {
  // Loaded with the first mail: most servers of an installation without one never need it.
  const [{ default: Connection }, message] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    compose(smtp, mail),
  ])
  mail.signal.throwIfAborted()
  const isOpportunistic = takesAnyCertificate(smtp)
  const connection = new Connection({
    host: smtp.host,
    // What receivers see of us: the public host, never the machine's own name.
    name: ehloName(mail.host),
    port: smtp.port,
    secure: smtp.isTls,
    // A password crosses no network in the clear.
    requireTLS: !smtp.isTls && smtp.login !== null && !isLoopbackHost(smtp.host),
    opportunisticTLS: isOpportunistic,
    tls: { rejectUnauthorized: !isOpportunistic },
    allowInternalNetworkInterfaces: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    logger: false,
  })
  const abort = () => connection.close()
  mail.signal.addEventListener('abort', abort, { once: true })
  try {
    await converse(connection, { smtp, message, to: mail.to.address, signal: mail.signal })
  } finally {
    mail.signal.removeEventListener('abort', abort)
    connection.close()
  }
}

function converse(
  connection: SMTPConnection,
  talk: {
    readonly smtp: SmtpServer
    readonly message: Buffer
    readonly to: string
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { smtp, message, to, signal } = talk
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('the connection ended')))
    const send = () =>
      connection.send({ from: smtp.from.address, to: [to] }, message, (cause) => {
        if (cause) return reject(cause)
        connection.quit()
        resolve()
      })
    connection.connect((cause) => {
      if (cause) return reject(cause)
      if (smtp.login === null) return send()
      const { user, password } = smtp.login
      connection.login({ user, pass: password }, (refused) => (refused ? reject(refused) : send()))
    })
  })
}

async function compose(smtp: SmtpServer, mail: Mail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { ...smtp.from },
    to: { name: oneLine(mail.to.name, 100), address: mail.to.address },
    subject: oneLine(mail.subject, 300),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.key}@${mail.host}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Errata-Notice': mail.key,
      ...(mail.stop === null ? {} : { 'List-Unsubscribe': `<${mail.stop}>` }),
    },
  })
  return composer.compile().build()
}

/**
 * True if any certificate is accepted, as mail servers do among each other: nothing secret is sent that would
 * not be sent in the clear, or no network is crossed. Debian's Postfix offers STARTTLS with a certificate
 * that it made itself.
 */
function takesAnyCertificate({ host, isTls, login }: SmtpServer): boolean {
  return isLoopbackHost(host) || (login === null && !isTls)
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** A host name, or an address as RFC 5321 §4.1.3 writes it. */
function ehloName(host: string): string {
  const family = isIP(host)
  return family === 0 ? host : `[${family === 6 ? 'IPv6:' : ''}${host}]`
}

/** Words for TLS errors, by Node's code; the first two words of each are what people search for. */
const CERTIFICATES: Readonly<Record<string, string>> = byWord({
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not trusted',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
})

/** The library puts a code of its own over that of TLS, and keeps the words. */
function certificateCode(cause: Error): string | null {
  const own = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (own in CERTIFICATES) return own
  if (cause.cause instanceof Error) return certificateCode(cause.cause)
  const words = cause.message.toLowerCase()
  return CERTIFICATE_WORDS.find(([part]) => words.includes(part))?.[1] ?? null
}

const CERTIFICATE_WORDS: readonly (readonly [words: string, code: string])[] = [
  ['self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['self signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['certificate has expired', 'CERT_HAS_EXPIRED'],
  ['certificate is not yet valid', 'CERT_NOT_YET_VALID'],
  ['certificate revoked', 'CERT_REVOKED'],
  ['altnames', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['issuer certificate', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]

/** 5xx of a mail is its last word, but a login that is refused today may be mended tomorrow. */
function mailRefusal(cause: unknown): Attempt {
  if (!(cause instanceof Error)) return { outcome: 'failed', says: 'The email could not be sent.' }
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  const status = 'responseCode' in cause && typeof cause.responseCode === 'number' ? cause.responseCode : null
  if (code === 'EAUTH') {
    return {
      ...AWAY,
      says: `The mail server refused the login${status === null ? '' : ` (${status})`}.`,
    }
  }
  if (status !== null) {
    const answer = 'response' in cause && typeof cause.response === 'string' ? cause.response : String(status)
    const says = `The mail server said: ${oneLine(answer, ANSWER_CHARS_MAX)}`
    if (status === 421) return { ...AWAY, says }
    return { outcome: status >= 500 && status !== 503 ? 'refused' : 'failed', says }
  }
  const refusedCertificate = CERTIFICATES[certificateCode(cause) ?? '']
  if (refusedCertificate !== undefined)
    return { ...AWAY, says: `The mail server’s certificate was refused: ${refusedCertificate}.` }
  if (code === 'ETLS') return { ...AWAY, says: 'The mail server offers no TLS, which a login needs.' }
  if (code === 'EDNS') return { ...AWAY, says: 'The mail server’s host name is unknown.' }
  return { ...AWAY, says: `The mail server cannot be reached${code === null ? '' : ` (${code})`}.` }
}
