/**
 * Fields of an outside service: a channel, an issue tracker. Those of secrets say so in their names: what they hold is
 * never put into a page again.
 */
import type { Result } from '@errata/server/result'

interface ServiceField {
  readonly name: string
  readonly isSecret: boolean
}

const SECRET = 'secret-'
const SETTING = 'value-'

export function fieldName({ name, isSecret }: ServiceField): string {
  return `${isSecret ? SECRET : SETTING}${name}`
}

/** Values by the names that the kind's own fields have. */
export function serviceValues(typed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(typed))
    for (const prefix of [SECRET, SETTING])
      if (name.startsWith(prefix)) values[name.slice(prefix.length)] = value
  return values
}

/** Rules are broken by fields of the kind; the form has other names for them. */
export function withFieldNames<T>(
  result: Result<T>,
  forms: readonly { readonly fields: readonly ServiceField[] }[],
): Result<T> {
  if (result.ok || result.fields === undefined) return result
  const named: Record<string, readonly string[]> = { ...result.fields }
  for (const { fields } of forms)
    for (const field of fields) {
      const rules = result.fields[field.name]
      if (rules !== undefined) named[fieldName(field)] = rules
    }
  return { ...result, fields: named }
}
