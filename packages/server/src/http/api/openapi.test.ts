import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PERMISSIONS, type PermissionEntry } from '#access/permissions.ts'
import { holdToDescription } from '#testing/described-answers.ts'
import { openWorld, URL_HERE } from '#testing/worlds/api.ts'
import { openApi } from './openapi.ts'
import { API_ROUTES, matchPath } from './routes.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly schema: Readonly<Record<string, unknown>>
  }[]
  readonly responses: { readonly '2XX': { readonly headers?: object } }
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: unknown } } }
}
const DESCRIPTION = await openApi(API_ROUTES, URL_HERE)
/** Calls whose answer nobody has described yet. Clients know nothing of it: add a schema rather than a line here. */
const UNDESCRIBED: readonly string[] = []
const METHODS = ['get', 'post', 'put', 'delete'] as const

describe('the OpenAPI description', () => {
  const { paths } = DESCRIPTION
  const described = Object.entries(paths).flatMap(([pattern, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Readonly<Record<string, Operation | undefined>>)[method] // by names of methods alone
      return operation === undefined ? [] : [{ pattern, method, operation }]
    }),
  )

  it('has every call that is served, and no other', () => {
    assert.deepEqual(
      described.map(({ pattern, method }) => `${method.toUpperCase()} ${pattern}`).toSorted(),
      API_ROUTES.map(({ pattern, method }) => `${method} ${pattern}`).toSorted(),
    )
    for (const { pattern, method } of described) {
      const matched = matchPath(pattern.replaceAll(/\{\w+\}/g, 'x'))
      assert.ok(
        matched?.routes.some((route) => route.method === method.toUpperCase()),
        pattern,
      )
    }
  })

  it('names every part of an address, and each operation once', () => {
    for (const [pattern, item] of Object.entries(paths)) {
      const { parameters = [] } = item as { readonly parameters?: readonly { readonly name: string }[] } // as asserted
      assert.deepEqual(
        parameters.map(({ name }) => `{${name}}`),
        pattern.match(/\{\w+\}/g) ?? [],
      )
    }
    const ids = described.map(({ operation }) => operation.operationId)
    assert.deepEqual([...new Set(ids)], ids)
  })

  it('says which scopes open what, as the table of permissions does', () => {
    for (const route of API_ROUTES) {
      const found = described.find(
        ({ pattern, method }) => pattern === route.pattern && method.toUpperCase() === route.method,
      )
      const scopes = found?.operation.security.flatMap(({ token = [] }) => token)
      const entry: PermissionEntry | null =
        route.permission === 'anyone' || route.permission === 'signed-in'
          ? null
          : PERMISSIONS[route.permission]
      assert.deepEqual(scopes, entry?.scopes ?? [], route.pattern)
      assert.equal(found?.operation.summary, route.what)
    }
  })

  it('describes bodies by the schemas that check them', () => {
    const bodyOf = (id: string) =>
      described.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.content[
        'application/json'
      ].schema
    assert.deepEqual(bodyOf('putProjectsOrgProjectEnvironmentsEnvironment'), {
      type: 'object',
      properties: { isHidden: { type: 'boolean' } },
      required: ['isHidden'],
    })
    assert.match(
      JSON.stringify(bodyOf('postOrganizationsOrgIssuesIssueComments')),
      /"text":\{"type":"string"/,
    )
    assert.deepEqual(bodyOf('postIssuesIssueComments'), bodyOf('postOrganizationsOrgIssuesIssueComments'))
    assert.ok(described.filter(({ operation }) => operation.requestBody !== undefined).length >= 10)
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(DESCRIPTION)))
    assert.ok(valid, `${JSON.stringify(errors)}`)
  })

  it('has the answer of every call', () => {
    const without = API_ROUTES.filter(({ answer, method }) => answer === undefined && method !== 'DELETE')
    assert.deepEqual(
      without.map(({ method, pattern }) => `${method} ${pattern}`),
      UNDESCRIBED,
    )
  })

  it('has parameters of query strings with their bounds, and headers of pages', () => {
    const issues = described.find(({ operation }) => operation.operationId === 'getOrganizationsOrgIssues')
    const schemaOf = (wanted: string) =>
      issues?.operation.parameters?.find(({ name }) => name === wanted)?.schema
    assert.deepEqual(schemaOf('limit'), { type: 'integer', minimum: 1, maximum: 100, default: 25 })
    assert.deepEqual(schemaOf('sort'), {
      ...{
        type: 'string',
        enum: ['date', 'new', 'freq', 'user', 'trends', 'priority', 'recommended', 'inbox'],
        default: 'date',
      },
    })
    assert.deepEqual(schemaOf('project'), { type: 'array', items: { type: 'string' } })
    for (const { operation, pattern } of described) {
      const isPaged = operation.parameters?.some(({ name }) => name === 'cursor') === true
      const headers = Object.keys(operation.responses['2XX'].headers ?? {})
      const isVersioned = headers.includes('ETag')
      assert.deepEqual(headers, isPaged ? ['Link', 'X-Hits'] : isVersioned ? ['ETag'] : [], pattern)
      const takesVersion = operation.parameters?.some(({ name }) => name === 'If-Match') === true
      assert.equal(takesVersion, isVersioned && '412' in operation.responses, pattern)
    }
  })

  it('is what answers in tests are held to', async () => {
    const teams = { method: 'GET', path: '/organizations/acme/teams/' }
    const team = { ...{ id: '1', slug: 'a', name: 'A', memberCount: 0, isMember: false, teamRole: null } }
    const whole = {
      ...{ ...team, dateCreated: '2026-11-21T12:00:00.000Z', hasAccess: true, isPending: false },
      avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    }
    await holdToDescription(teams, 200, [whole])
    await assert.rejects(holdToDescription(teams, 200, [team]), /dateCreated/)
    await assert.rejects(holdToDescription(teams, 200, [{ ...whole, colour: 'red' }]), /additional/)
    await assert.rejects(holdToDescription(teams, 404, { detail: 'Gone', code: 'gone' }), /allowed values/)
    await assert.rejects(
      holdToDescription({ method: 'DELETE', path: '/projects/acme/shop/' }, 204, {}),
      /nothing/,
    )
  })

  it('is served to anybody, with the address that was asked', async (t) => {
    const world = await openWorld()
    t.after(() => world.close())
    const answer = await world.api(new Request(`${URL_HERE}/api/0/openapi.json`), { clientAddress: null })
    assert.equal(answer?.status, 200)
    assert.deepEqual(await answer?.json(), JSON.parse(JSON.stringify(DESCRIPTION)))
  })
})
