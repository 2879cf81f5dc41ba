import type { Result } from '@errata/server/result'

/** The command line has neither address nor browser. */
export const COMMAND_LINE_FACTS = { address: null, userAgent: 'errata command line' } as const

/** The value, or an error that names each broken rule. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const fields = Object.entries(result.fields ?? {})
  // With fields, the message repeats the first of them.
  const lines = fields.map(([field, rules]) => `  ${field}: ${rules.join(' ')}`)
  throw new Error(fields.length === 0 ? result.message : ['This is not valid:', ...lines].join('\n'))
}
