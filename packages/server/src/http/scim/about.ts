/** Description of this server's SCIM: RFC 7643, sections 5 to 7. */
import { max } from '#limits/limits.ts'
import { URN } from './values.ts'

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

export function serviceProviderConfig(base: string) {
  const no = { supported: false }
  return {
    schemas: [CONFIG],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: max('scimPageMax') },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'An organisation token with the scope scim:write.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

export function resourceTypes(base: string) {
  return [
    { id: 'User', endpoint: '/Users', schema: URN.user },
    { id: 'Group', endpoint: '/Groups', schema: URN.group },
  ].map((type) => ({
    schemas: [TYPE],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))
}

const attribute = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
})

export function schemas(base: string) {
  const user = [
    attribute('userName', {
      ...{ required: true, uniqueness: 'server' },
      description: 'The email; any other name needs one in emails.',
    }),
    attribute('name', {
      type: 'complex',
      subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
    }),
    attribute('displayName'),
    attribute('active', { type: 'boolean', required: true }),
    attribute('emails', {
      ...{ type: 'complex', multiValued: true, required: true },
      description: 'One is kept: the primary one, where the user name is none itself.',
      subAttributes: [
        attribute('value', { required: true }),
        attribute('type', { canonicalValues: ['work'], mutability: 'readOnly' }),
        attribute('primary', { type: 'boolean', mutability: 'readOnly' }),
      ],
    }),
  ]
  const group = [
    attribute('displayName', { required: true }),
    attribute('members', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [
        attribute('value', { mutability: 'immutable' }),
        attribute('$ref', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
        attribute('type', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ]
  return [
    { id: URN.user, name: 'User', attributes: user },
    { id: URN.group, name: 'Group', attributes: group },
  ].map((schema) => ({
    schemas: [SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
}
