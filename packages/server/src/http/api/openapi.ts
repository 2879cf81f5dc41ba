/** The web API as OpenAPI 3.1, made of the table of routes: what is served is what is described. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { PERMISSIONS, type PermissionEntry } from '#access/permissions.ts'
import { type ApiRoute, ok } from './call.ts'

/** Of this description; the web API itself has the number in its addresses. */
const VERSION = '0'
const DESCRIPTION =
  'Lists take `cursor` and `limit` and answer the next page in the `Link` header. docs/specification.md, point 7, has query parameters and answers.'

/** `routes` is asked with the first call: it holds this route too. */
export function openApiRoute(routes: () => readonly ApiRoute[]): ApiRoute {
  return {
    method: 'GET',
    pattern: '/openapi.json',
    permission: 'anyone',
    what: 'this API as OpenAPI 3.1',
    async run({ askedAt }) {
      return ok(openApi(routes(), askedAt))
    },
  }
}

export function openApi(routes: readonly ApiRoute[], url: string) {
  const byPattern = Map.groupBy(routes, ({ pattern }) => pattern)
  return {
    openapi: '3.1.0',
    info: { title: 'Errata', version: VERSION, description: DESCRIPTION },
    servers: [{ url: `${url}/api/0` }],
    paths: Object.fromEntries(
      [...byPattern].map(([pattern, ofPath]) => [
        pattern,
        {
          ...parametersOf(pattern),
          ...Object.fromEntries(ofPath.map((route) => [route.method.toLowerCase(), operationOf(route)])),
        },
      ]),
    ),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of Errata: Settings › Tokens.' },
      },
      schemas: { Refusal: REFUSAL },
      responses: {
        Refused: { description: 'Why not.', content: jsonOf({ $ref: '#/components/schemas/Refusal' }) },
      },
    },
  }
}

const REFUSAL = {
  type: 'object',
  required: ['detail', 'code'],
  properties: { detail: { type: 'string' }, code: { type: 'string' } },
}

function parametersOf(pattern: string) {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  }
}

function operationOf(route: ApiRoute) {
  const { method, pattern, what, body } = route
  return {
    operationId: operationId(method, pattern),
    summary: what,
    ...securityOf(route),
    ...(body === undefined ? {} : { requestBody: { content: jsonOf(toJsonSchema(body, SCHEMA_OPTIONS)) } }),
    responses: {
      '2XX': { description: 'Done.', ...(method === 'GET' ? { content: jsonOf({}) } : {}) },
      default: { $ref: '#/components/responses/Refused' },
    },
  }
}

/** What is changed while it is read is described as it is sent. */
const SCHEMA_OPTIONS = { typeMode: 'input', errorMode: 'ignore' } as const

/** Scopes as alternatives: any of them will do. The last form of OpenAPI lets bearer tokens name theirs. */
function securityOf({ permission }: ApiRoute) {
  if (permission === 'anyone') return { security: [{}] }
  if (permission === 'signed-in') return { security: [{ token: [] }] }
  const { scopes }: PermissionEntry = PERMISSIONS[permission]
  return { security: scopes.map((scope) => ({ token: [scope] })) }
}

function jsonOf(schema: object) {
  return { 'application/json': { schema } }
}

/** Such as `getOrganizationsOrgIssues`: unique, since method and pattern are. */
function operationId(method: string, pattern: string): string {
  const words = pattern.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
