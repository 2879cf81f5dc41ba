/** Values that people fill in about a service: settings and secrets, each checked by its field. */
import { ok, type Result, refuse } from '#base/result.ts'
import type { ChannelField } from '#notices/channels/channel-type.ts'
import type { NoticeTests } from '#notices/notices.ts'
import { isEmail } from './schemas.ts'

interface GivenValues {
  readonly fields: readonly ChannelField[]
  readonly values: Readonly<Record<string, unknown>>
  /** Names of the secrets that there are already. */
  readonly kept: readonly string[]
  /** The settings that there are already. */
  readonly before: Readonly<Record<string, string>>
  /** Message about a field that does not exist. */
  readonly unknown: string
}

interface SplitValues {
  readonly settings: Readonly<Record<string, string>>
  /** Secrets that change. */
  readonly secrets: Readonly<Record<string, string>>
}

/** `ruleOf`: a sentence for what is broken. */
export function splitValues(
  given: GivenValues,
  ruleOf: (field: ChannelField, text: string) => string | null,
): Result<SplitValues> {
  const { fields, values, kept, unknown } = given
  const leadsElsewhere = isElsewhere(given)
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  const broken: Record<string, readonly string[]> = {}
  for (const name of Object.keys(values))
    if (!fields.some((field) => field.name === name)) broken[name] = [unknown]
  for (const field of fields) {
    const value = values[field.name] ?? ''
    const text = typeof value === 'string' ? value.trim() : null
    const isKept = field.isSecret && text === '' && kept.includes(field.name)
    const rule = isKept ? lostRule(field, leadsElsewhere) : text === null ? NO_TEXT : ruleOf(field, text)
    if (rule !== null) broken[field.name] = [rule]
    else if (!isKept && text !== null && (text !== '' || !field.isSecret))
      (field.isSecret ? secrets : settings)[field.name] = text
  }
  const [first] = Object.entries(broken)
  if (first !== undefined) return refuse('invalid_input', `${first[0]}: ${first[1][0]}`, broken)
  return ok({ settings, secrets })
}

const NO_TEXT = 'This must be text.'
const LOST = 'The address has changed. Enter this again.'

/** Returns the rule about lost secrets; one that signs is sent nowhere. */
function lostRule({ signs = false }: ChannelField, leadsElsewhere: boolean): string | null {
  return leadsElsewhere && !signs ? LOST : null
}

/** Whoever may change an address never saw the secrets: another server is not sent those that this one was given. */
function isElsewhere({ fields, values, before }: GivenValues): boolean {
  return fields.some(
    ({ name, check, isSecret }) =>
      check === 'url' && !isSecret && readOrigin(values[name]) !== readOrigin(before[name]),
  )
}

function readOrigin(value: unknown): string {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : ''
}

/** Returns the rule that a value breaks; `null` if none. */
export function fieldRule(
  { label, isRequired, pattern, check }: ChannelField,
  text: string,
  { most, webhookUrl }: { readonly most: number } & Pick<NoticeTests, 'webhookUrl'>,
): string | null {
  if (text === '') return isRequired ? `${label} is required.` : null
  if (text.length > most) return `At most ${most.toLocaleString('en-US')} characters.`
  if (pattern !== undefined && !new RegExp(`^(?:${pattern.source})$`, 's').test(text)) return pattern.rule
  if (check === 'url') {
    const url = webhookUrl(text)
    return url.ok ? null : url.rule
  }
  if (check === 'email') return isEmail(text) ? null : 'Enter an email such as name@example.com.'
  return check === 'text' && /[\p{Cc}]/u.test(text) ? 'No line breaks or control characters.' : null
}
