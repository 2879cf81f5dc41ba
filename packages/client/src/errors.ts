/** Content of an answer that is not a success. */
export interface Refused {
  /** `GET /organizations/acme/issues/`. */
  readonly call: string
  readonly status: number
  /** Body as parsed; `null` if it was not JSON. */
  readonly body: unknown
  readonly retryAfterSeconds: number | null
}

export class ApiError extends Error {
  readonly status: number
  /**
   * Code from the catalogue, such as `not_found`; `null` if fields are wrong, or something other than Errata
   * answered.
   */
  readonly code: string | null
  /** Rules by the name of the field that broke them; empty where no field did. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Advice, if the API gives any. */
  readonly help: string | null
  readonly retryAfterSeconds: number | null
  readonly body: unknown
  constructor({ call, status, body, retryAfterSeconds }: Refused) {
    const { code, detail, help, fields } = readRefusal(body, status)
    super(`${call}: ${status} ${detail}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.help = help
    this.retryAfterSeconds = retryAfterSeconds
    this.body = body
  }
}

function readRefusal(body: unknown, status: number) {
  const members = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const text = (name: string) => {
    const value: unknown = members.get(name)
    return typeof value === 'string' ? value : null
  }
  const code = text('code')
  const fields: Record<string, readonly string[]> = {}
  if (status === 400 && code === null)
    for (const [name, value] of members)
      if (Array.isArray(value)) fields[name] = value.filter((rule) => typeof rule === 'string')
  const broken = Object.entries(fields).map(([name, rules]) => `${name}: ${rules.join(' ')}`)
  const detail = text('detail') ?? (broken.length > 0 ? broken.join('; ') : 'No reason was given.')
  return { code, fields, detail, help: text('help') }
}
