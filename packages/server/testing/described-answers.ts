/** Holds answers of the web API to the API's own description: whatever a test asks is checked on the way. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApi } from '#http/api/openapi.ts'
import { API_ROUTES, matchPath } from '#http/api/routes.ts'

type Schema = Readonly<Record<string, unknown>>
type Check = (answer: unknown) => string | null

interface Asked {
  readonly method: string
  /** Below `/api/0`, without query. */
  readonly path: string
}

interface Described {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Contents }>>
}
type Contents = Readonly<Record<string, { readonly schema: Schema }>>

let description: ReturnType<typeof openApi> | null = null
const checks = new Map<string, Check>()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Throws where status and body are none that the description has. Addresses that are not served say so themselves. */
export async function holdToDescription(
  { method, path }: Asked,
  status: number,
  body: unknown,
): Promise<void> {
  const route = matchPath(path)?.routes.find((one) => one.method === method)
  if (route === undefined) return
  const key = `${method} ${route.pattern} ${status < 300 ? '2XX' : status}`
  const check = checks.get(key) ?? (await checkOf(route.method, route.pattern, status))
  checks.set(key, check)
  const problem = check(body)
  if (problem !== null) throw new Error(`${key} is not as described: ${problem}`)
}

async function checkOf(method: string, pattern: string, status: number): Promise<Check> {
  description ??= openApi(API_ROUTES, '')
  const { paths, components } = await description
  const item = paths[pattern] as Readonly<Record<string, Described>> | undefined // what this package made of the route
  const responses = item?.[method.toLowerCase()]?.responses ?? {}
  const found = responses[status < 300 ? '2XX' : String(status)] ?? responses.default
  const named = components.responses[found?.$ref?.split('/').at(-1) as 'Refused'] // its own names
  const schema = (found?.$ref === undefined ? found?.content : named.content)?.['application/json']?.schema
  if (schema === undefined) return (body) => (body === null ? null : 'nothing is to be answered')
  const validate = ajv.compile(closeSchema({ ...schema, components }) as Schema) // an object stays one
  return (body) => (validate(body) ? null : ajv.errorsText(validate.errors).slice(0, 2_000))
}

/** A field that no schema names is a mistake here, though clients are to take one. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closeSchema(value)]))
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...inside, additionalProperties: false }
    : inside
}
