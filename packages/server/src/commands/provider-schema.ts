/** Schema of identity providers. Each rule stands beside the field that broke it. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import { GIVEN_ROLES } from '#ports/accounts.ts'
import { PROVIDER_KINDS } from '#ports/single-sign-on.ts'

const charsMax = max('providerTextCharsMax')
const listMax = max('providerListMax')
const LINES = /[\p{Cc}\p{Zl}\p{Zp}]/u

const providerLine = (what: string) =>
  v.pipe(
    v.string(`${what} must be text.`),
    v.trim(),
    v.minLength(1, `${what} is required.`),
    v.maxLength(charsMax, `At most ${charsMax} characters.`),
    v.check((text) => !LINES.test(text), 'No line breaks or control characters.'),
  )

const ISSUER_RULE = 'An address such as https://id.example.com, without a query.'
const issuer = v.pipe(
  providerLine('The address'),
  v.check((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
    return isPlain && /^https?:$/.test(url.protocol)
  }, ISSUER_RULE),
)

const DOMAIN_RULE = 'Email domains such as example.com, one on each line.'
const domain = v.pipe(
  v.string(DOMAIN_RULE),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^(?=.{1,190}$)[a-z0-9\u0080-\uffff-]+(\.[a-z0-9\u0080-\uffff-]+)+$/u, DOMAIN_RULE),
)

const ORGANISATION_RULE = 'Names of GitHub organisations, one on each line.'
const organisation = v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z0-9-]{1,100}$/, ORGANISATION_RULE))

const ROLE_RULE = 'Lines such as “platform team = manager”: a group, and manager, member or viewer.'
const mappedRole = v.strictObject({
  value: providerLine('A group'),
  role: v.picklist(GIVEN_ROLES, ROLE_RULE),
})

const boundedList = <T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item), v.maxLength(listMax, `At most ${listMax}.`))

export const PROVIDER = v.strictObject({
  kind: v.picklist(PROVIDER_KINDS),
  name: providerLine('A name'),
  issuer,
  clientId: providerLine('The client ID'),
  clientSecret: v.nullable(providerLine('The client secret')),
  domains: boundedList(domain),
  isRequired: v.boolean(),
  organisations: boundedList(organisation),
  roleDefault: v.nullable(v.picklist(GIVEN_ROLES, 'Choose from the list.')),
  roleClaim: v.pipe(v.string(), v.trim(), v.maxLength(charsMax, `At most ${charsMax} characters.`)),
  roles: boundedList(mappedRole),
})
