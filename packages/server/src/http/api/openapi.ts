/** The web API as OpenAPI 3.1, made of the table of routes: what is served is what is described. */
import type { ConversionConfig, JsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { PERMISSIONS, type PermissionEntry } from '#access/permissions.ts'
import { ERROR_CATALOGUE } from '#base/errors.ts'
import { anyObject, NAMED_SCHEMA } from './answers/words.ts'
import { type ApiRoute, answerOk } from './call.ts'
import type { QueryParameter } from './query.ts'

/** Version of this description; the web API has its number in its addresses. */
const VERSION = '0'
const DESCRIPTION =
  'Lists answer the next page in the `Link` header, by `cursor`. Times are RFC 3339 in UTC. /docs/api begins with examples.'

/** `routes` is asked with the first call: it holds this route too. What does not hang on the address is made once. */
export function openApiRoute(routes: () => readonly ApiRoute[]): ApiRoute {
  let made: ReturnType<typeof openApi> | null = null
  return {
    method: 'GET',
    pattern: '/openapi.json',
    permission: 'anyone',
    what: 'this API as OpenAPI 3.1',
    answer: anyObject,
    async run({ askedAt }) {
      made ??= openApi(routes(), '')
      return answerOk({ ...(await made), servers: serversOf(askedAt) })
    },
  }
}

/** The converter of schemas is loaded by whoever asks first: nobody else needs it. */
export async function openApi(routes: readonly ApiRoute[], url: string) {
  const { toJsonSchema, toJsonSchemaDefs } = await import('@valibot/to-json-schema')
  const definitions = Object.fromEntries(NAMED_SCHEMA)
  const convert = (schema: GenericSchema, options: ConversionConfig) =>
    withoutDialect(toJsonSchema(schema, options))
  const convertAnswer = (schema: GenericSchema) => convert(schema, { ...ANSWERED, definitions })
  const convertBody = (schema: GenericSchema) => convert(schema, SENT)
  const byPattern = Map.groupBy(routes, ({ pattern }) => pattern)
  const operation = (route: ApiRoute) => operationOf(route, { convertAnswer, convertBody })
  return {
    openapi: '3.1.0',
    info: { title: 'Errata', version: VERSION, description: DESCRIPTION },
    servers: serversOf(url),
    paths: Object.fromEntries(
      [...byPattern].map(([pattern, ofPath]) => [
        pattern,
        {
          ...parametersOf(pattern),
          ...Object.fromEntries(ofPath.map((route) => [route.method.toLowerCase(), operation(route)])),
        },
      ]),
    ),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of Errata: Settings › Tokens.' },
      },
      headers: HEADERS,
      schemas: { ...toJsonSchemaDefs(definitions, ANSWERED), ...REFUSALS },
      responses: RESPONSES,
    },
  }
}

function serversOf(url: string) {
  return [{ url: `${url}/api/0` }]
}

/** Conversion that describes changed values as they are sent. */
const SENT: ConversionConfig = { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' }
const ANSWERED: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  overrideRef: ({ referenceId }) => refTo('schemas', referenceId).$ref,
}

function refTo(kind: 'schemas' | 'responses' | 'headers', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

/** OpenAPI 3.1 says of the whole document which dialect its schemas have. */
function withoutDialect({ $schema: _, $defs: __, ...schema }: JsonSchema) {
  return schema
}

const REFUSALS = {
  Refusal: {
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      detail: { type: 'string', description: 'A sentence for people.' },
      code: { type: 'string', enum: Object.keys(ERROR_CATALOGUE), description: 'What to tell it by.' },
      help: { type: 'string', description: 'What to do about it, where there is more to say.' },
    },
    additionalProperties: true,
  },
  FieldErrors: {
    type: 'object',
    description: 'Rules by the name of the field, of body or query, that broke them.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
}

const HEADERS = {
  Link: {
    description:
      'Pages before and after, each with `rel`, `results` ("true" where it has rows) and `cursor`.',
    schema: { type: 'string' },
  },
  XHits: { description: 'How many rows there are in all, where that is known.', schema: { type: 'integer' } },
  ETag: { description: 'Version of its settings, for `If-Match`.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait for.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: '`Bearer`.', schema: { type: 'string' } },
}

const REFUSED = jsonContent(refTo('schemas', 'Refusal'))
const WAIT = { 'Retry-After': refTo('headers', 'RetryAfter') }
const RESPONSES = {
  Moved: { description: 'A project of the address has another slug now: `Location` has it.' },
  BadRequest: badRequestSchema([]),
  SignedOut: {
    description: 'No token, or none that is valid.',
    headers: { 'WWW-Authenticate': refTo('headers', 'WwwAuthenticate') },
    content: REFUSED,
  },
  Forbidden: { description: 'The token lacks a scope, or the role does not allow it.', content: REFUSED },
  NotFound: { description: 'It doesn’t exist, or the token has no access to it.', content: REFUSED },
  Changed: { description: 'Somebody else changed it since.', content: REFUSED },
  TooMany: { description: 'Too many at once.', headers: WAIT, content: REFUSED },
  Unavailable: { description: 'Errata is busy, or a store did not answer.', headers: WAIT, content: REFUSED },
  Refused: { description: 'Why not.', content: REFUSED },
}

function badRequestSchema(others: readonly object[]) {
  return {
    description: 'Not understood: why, or which fields are wrong.',
    content: jsonContent({
      anyOf: [refTo('schemas', 'Refusal'), refTo('schemas', 'FieldErrors'), ...others],
    }),
  }
}

function parametersOf(pattern: string) {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  }
}

interface Converters {
  convertAnswer(schema: GenericSchema): object
  convertBody(schema: GenericSchema): object
}

function operationOf(route: ApiRoute, { convertAnswer, convertBody }: Converters) {
  const { method, pattern, what, body, query = [], answer, failure, versioned } = route
  const parameters = [...query.map(parameterOf), ...(versioned && method !== 'GET' ? [IF_MATCH] : [])]
  const headers = {
    ...(query.some(({ name }) => name === 'cursor') ? PAGED : {}),
    ...(versioned ? { ETag: refTo('headers', 'ETag') } : {}),
  }
  return {
    operationId: operationId(method, pattern),
    summary: what,
    ...securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(convertBody(body)) } }),
    responses: {
      '2XX': {
        description: 'Done.',
        ...(Object.keys(headers).length === 0 ? {} : { headers }),
        ...(answer === undefined && method === 'DELETE'
          ? {}
          : { content: jsonContent(answer === undefined ? {} : convertAnswer(answer)) }),
      },
      ...(method === 'GET' && route.permission !== 'anyone' ? { 302: refTo('responses', 'Moved') } : {}),
      400:
        failure === undefined ? refTo('responses', 'BadRequest') : badRequestSchema([convertAnswer(failure)]),
      ...(route.permission === 'anyone' ? {} : { 401: refTo('responses', 'SignedOut') }),
      403: refTo('responses', 'Forbidden'),
      404: refTo('responses', 'NotFound'),
      ...(versioned && method !== 'GET' ? { 412: refTo('responses', 'Changed') } : {}),
      429: refTo('responses', 'TooMany'),
      503: refTo('responses', 'Unavailable'),
      default: refTo('responses', 'Refused'),
    },
  }
}

const IF_MATCH = {
  ...{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } },
  description: '`ETag` of the answer that the change is made from: 412 if somebody else changed it since.',
}
const PAGED = { Link: refTo('headers', 'Link'), 'X-Hits': refTo('headers', 'XHits') }

/** Describes a parameter; repeated values are separate: `project=a&project=b`. */
function parameterOf({ name, what, schema, repeats = false, required = false }: QueryParameter) {
  return {
    ...{ name, in: 'query', required, description: `${what}.` },
    ...(repeats ? { style: 'form', explode: true } : {}),
    schema: repeats ? { type: 'array', items: schema } : schema,
  }
}

/** Scopes as alternatives: any of them will do. The last form of OpenAPI lets bearer tokens name theirs. */
function securityOf({ permission }: ApiRoute) {
  if (permission === 'anyone') return { security: [{}] }
  if (permission === 'signed-in') return { security: [{ token: [] }] }
  const { scopes }: PermissionEntry = PERMISSIONS[permission]
  return { security: scopes.map((scope) => ({ token: [scope] })) }
}

function jsonContent(schema: object) {
  return { 'application/json': { schema } }
}

/** Returns an operation id such as `getOrganizationsOrgIssues`: unique, since method and pattern are. */
function operationId(method: string, pattern: string): string {
  const words = pattern.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
