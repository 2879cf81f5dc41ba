/** What SCIM's messages hold (RFC 7643, 7644), as Okta and Entra send them. Pure. */
import { isObject } from '#base/json.ts'
import type { Refusal } from '#base/result.ts'
import { max } from '#limits/limits.ts'

export const URN = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const

export type ScimType =
  | 'invalidFilter'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'uniqueness'
  | 'mutability'

export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | null
  constructor(status: number, detail: string, scimType: ScimType | null = null) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

export function refusedBy({ code, message }: Refusal): ScimError {
  if (code === 'conflict') return new ScimError(409, message, 'uniqueness')
  if (code === 'not_found') return new ScimError(404, message)
  if (code === 'forbidden') return new ScimError(403, message)
  return new ScimError(400, message, 'invalidValue')
}

/** Attribute names are compared without case. */
export function field(of: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = name.toLowerCase()
  return Object.entries(of).find(([key]) => key.toLowerCase() === wanted)?.[1]
}

export function textIn(of: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = field(of, name)
  return typeof value === 'string' ? value : null
}

/** Entra sends booleans as words. */
export function truth(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw new ScimError(400, 'active must be true or false.', 'invalidValue')
}

export interface Filter {
  /** Lower case. */
  readonly attribute: string
  readonly value: string
}

const EQUALS = /^\s*([A-Za-z][\w.:-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i

/** `null`: everything is asked for. Only `eq` is spoken. */
export function readFilter(text: string | null): Filter | null {
  if (text === null || text.trim() === '') return null
  const found = EQUALS.exec(text.slice(0, max('providerTextCharsMax')))
  const [, attribute = '', quoted = ''] = found ?? []
  const value = quoted.startsWith('"') ? parsed(quoted) : quoted.toLowerCase()
  if (found === null || value === null)
    throw new ScimError(400, 'Filters are like userName eq "name@example.com".', 'invalidFilter')
  return { attribute: plainPath(attribute), value }
}

function parsed(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return null // a back slash before a letter that JSON has no meaning for
  }
}

/** Without the schema before it, in lower case. */
export function plainPath(path: string): string {
  return path.replace(/^urn:[\w:.]+:(?=[A-Za-z])/i, '').toLowerCase()
}

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  /** As sent; `null`: the value names what it changes. */
  readonly path: string | null
  readonly value: unknown
}

export function readOperations(body: unknown): readonly Operation[] {
  const list = isObject(body) ? field(body, 'Operations') : null
  if (!Array.isArray(list) || list.length > max('scimChangesMax'))
    throw new ScimError(
      400,
      `Operations must be a list of at most ${max('scimChangesMax')}.`,
      'invalidSyntax',
    )
  return list.map((each): Operation => {
    const op = isObject(each) ? (textIn(each, 'op') ?? '').toLowerCase() : ''
    if (!isObject(each) || (op !== 'add' && op !== 'replace' && op !== 'remove'))
      throw new ScimError(400, 'op must be add, replace or remove.', 'invalidSyntax')
    return { op, path: textIn(each, 'path'), value: field(each, 'value') }
  })
}

/** Each attribute that the operations change, in their order: an operation without a path names several. */
export function changesOf(operations: readonly Operation[]): readonly Operation[] {
  return operations.flatMap((operation) => {
    const { op, path, value } = operation
    if (path !== null) return [operation]
    if (!isObject(value))
      throw new ScimError(400, 'Without a path the value must be an object.', 'invalidSyntax')
    return Object.entries(value).map(([name, each]) => ({ op, path: name, value: each }))
  })
}
