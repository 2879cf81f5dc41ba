/** The mail server as `--smtp-url` and `--mail-from` name it. */

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise it is begun where the server offers it. */
  readonly isTls: boolean
  /** Asked for before TLS is begun by a server elsewhere: never sent in the clear over a network. */
  readonly login: { readonly user: string; readonly password: string } | null
  readonly from: MailSender
}

export interface MailSender {
  readonly name: string
  readonly address: string
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
const ADDRESS = /^[^\s@<>"(),:;\\]{1,64}@[^\s@<>"(),:;\\]{1,190}$/
const SENDER_CHARS_MAX = 400

/** `smtp://HOST`, `smtps://USER:PASSWORD@HOST:PORT`: no path, query or fragment. `null` for anything else. */
export function readSmtpUrl(text: string): Omit<SmtpServer, 'from'> | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return null
  const isPlain = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  if (hostname === '' || !isPlain || (username === '') !== (password === '')) return null
  const user = decodePart(username)
  const secret = decodePart(password)
  if (user === null || secret === null) return null
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
    isTls: protocol === 'smtps:',
    login: user === '' ? null : { user, password: secret },
  }
}

/** `errata@example.com`, or `Errata <errata@example.com>`, with or without quotes around the name. */
export function readMailFrom(text: string): MailSender | null {
  if (text.length > SENDER_CHARS_MAX || CONTROL.test(text)) return null
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text)
  const address = (named?.[2] ?? text).trim()
  return ADDRESS.test(address) ? { name: (named?.[1] ?? 'Errata').trim() || 'Errata', address } : null
}

function decodePart(part: string): string | null {
  try {
    const text = decodeURIComponent(part)
    return CONTROL.test(text) ? null : text
  } catch {
    // A percent sign that begins no escape.
    return null
  }
}
