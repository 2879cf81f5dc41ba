/** Values in SCIM messages (RFC 7643, 7644), as Okta and Entra send them. Pure. */
import { isObject } from '#base/json.ts'
import type { Refusal } from '#base/result.ts'
import { max } from '#limits/limits.ts'

export const URN = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
} as const

export type ScimType =
  | 'invalidFilter'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
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
export function scimField(of: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = name.toLowerCase()
  return Object.entries(of).find(([key]) => key.toLowerCase() === wanted)?.[1]
}

export function textIn(of: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = scimField(of, name)
  return typeof value === 'string' ? value : null
}

/** Entra sends booleans as words. */
export function readTruth(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw new ScimError(400, 'active must be true or false.', 'invalidValue')
}

const PATH = String.raw`[A-Za-z][\w.:$-]*(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*\](?:\.[A-Za-z][\w-]*)?)?`
/** Takes filters out of a path: `emails[type eq "work"].value` is `emails.value`, for there is one email. */
function withoutFilter(path: string): string {
  return path.replace(/\[.*\]/, '')
}

/**
 * Returns the part of a resource that the query asks for: `attributes` only, or all but `excludedAttributes`;
 * always its id.
 */
export function chosenPart(resource: unknown, { searchParams }: URL): unknown {
  if (!isObject(resource)) return resource
  const named = (name: string) =>
    (searchParams.get(name) ?? '')
      .split(',')
      .flatMap((each) => (each.trim() === '' ? [] : [attributePath(each.trim())]))
  const [wanted, unwanted] = [named('attributes'), named('excludedAttributes')]
  const kept = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const key = name.toLowerCase()
    if (key === 'id' || key === 'schemas') return [[name, value]]
    if (wanted.length === 0) {
      if (unwanted.includes(key)) return []
      return [[name, pickPart(value, (sub) => !unwanted.includes(`${key}.${sub}`))]]
    }
    if (wanted.includes(key)) return [[name, value]]
    const isAsked = wanted.some((each) => each.startsWith(`${key}.`))
    return isAsked ? [[name, pickPart(value, (sub) => wanted.includes(`${key}.${sub}`))]] : []
  })
  return Object.fromEntries(kept)
}

function pickPart(value: unknown, keeps: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => pickPart(each, keeps))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keeps(name.toLowerCase())))
}

/** Without the schema before it, in lower case. */
export function attributePath(path: string): string {
  return path.replace(/^urn:[\w:.]+:(?=[A-Za-z])/i, '').toLowerCase()
}

const WHOLE_PATH = new RegExp(`^${PATH}$`)

/** Refuses a path that is none, or names nothing that resources have. Those of extensions are passed over. */
export function refusePath({ path, isNamed = false }: Operation, known: ReadonlySet<string>): void {
  if (path === null || isNamed) return
  if (!WHOLE_PATH.test(path))
    throw new ScimError(400, `“${path.slice(0, 100)}” is not a path.`, 'invalidPath')
  if (/^urn:/i.test(path) && !CORE.test(path)) return
  const [name = ''] = withoutFilter(attributePath(path)).split('.')
  if (READ_ONLY.has(name)) throw new ScimError(400, `${name} cannot be changed.`, 'mutability')
  if (!known.has(name))
    throw new ScimError(400, `There is no attribute “${name.slice(0, 100)}”.`, 'invalidPath')
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas'])

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  /** Path as sent; `null` if the value names what it changes. */
  readonly path: string | null
  readonly value: unknown
  /** The value named it: names that nobody knows are passed over, paths are not. */
  readonly isNamed?: boolean
}

export function readOperations(body: unknown): readonly Operation[] {
  const list = isObject(body) ? scimField(body, 'Operations') : null
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
    const path = textIn(each, 'path')
    if (op === 'remove' && path === null)
      throw new ScimError(400, 'What is removed needs a path.', 'noTarget')
    return { op, path, value: scimField(each, 'value') }
  })
}

/** Each attribute that the operations change, in their order: an operation without a path names several. */
export function attributeChanges(operations: readonly Operation[]): readonly Operation[] {
  return operations.flatMap((operation) => {
    const { op, path, value } = operation
    if (path !== null) return [operation]
    if (!isObject(value))
      throw new ScimError(400, 'Without a path the value must be an object.', 'invalidSyntax')
    return Object.entries(value).map(([name, each]) => ({ op, path: name, value: each, isNamed: true }))
  })
}
