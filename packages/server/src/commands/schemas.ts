/** Schemas of changes. Each rule is a sentence that stands beside the field that broke it. */
import * as v from 'valibot'
import { SCOPES } from '#access/permissions.ts'
import { projectId, teamId, userId } from '#base/ids.ts'
import { readOrigin } from '#base/public-address.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { GIVEN_ROLES, LANDINGS, ROLES } from '#ports/accounts.ts'
import { optionsChange, rateLimit } from './option-schemas.ts'
import { line, listSchema, wholeNumberSchema } from './schema-parts.ts'
import { isOwnWord } from './slugs.ts'

const name = line('A name', max('nameCharsMax'))
const searchQuery = line('A search', max('searchCharsMax'))

/** The rules that forms show before they are broken. */
export const SLUG_RULE = `Lower-case letters, digits and hyphens, 2 to ${max('slugCharsMax')}, no hyphen at either end.`
export const PASSWORD_RULE = `At least ${max('passwordCharsMin')} characters.`

const slug = v.pipe(
  v.string('A slug must be text.'),
  v.trim(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,48}[a-z0-9]$/, SLUG_RULE),
  v.check((text) => !/^\d+$/.test(text), 'A slug must contain a letter: numbers are IDs.'),
  v.check((text) => !isOwnWord(text), '“new” is where new ones are made.'),
)

const EMAIL_RULE = 'Enter an email such as name@example.com.'
const email = v.pipe(
  v.string('An email must be text.'),
  v.trim(),
  v.minLength(1, 'Email is required.'),
  v.maxLength(254, 'An email has at most 254 characters.'),
  v.regex(/^[^\s@<>"(),:;\\]{1,64}@[^\s@<>"(),:;\\]{1,190}$/, EMAIL_RULE),
)

/** True if a text is an address as forms take it. */
export function isEmail(text: string): boolean {
  return v.is(email, text)
}

const ORIGIN_RULE = 'An address such as https://errata.example.com, without a path.'
const origin = v.pipe(
  v.string(ORIGIN_RULE),
  v.trim(),
  v.transform((text) => readOrigin(text.replace(/\/$/, ''))),
  v.string(ORIGIN_RULE),
)

const password = v.pipe(
  v.string('A password must be text.'),
  v.minLength(max('passwordCharsMin'), PASSWORD_RULE),
  v.maxLength(max('passwordCharsMax'), `At most ${max('passwordCharsMax')} characters.`),
)

/** A password that exists already is only compared, so only its length is bounded. */
const passwordGiven = v.pipe(
  v.string('A password must be text.'),
  v.minLength(1, 'Password is required.'),
  v.maxLength(max('passwordCharsMax'), `At most ${max('passwordCharsMax')} characters.`),
)

const idSchema = (what: string) =>
  v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))],
      `${what} is not an id.`,
    ),
    v.safeInteger(`${what} is not an id.`),
    v.minValue(1, `${what} is not an id.`),
  )

const userIdField = v.pipe(idSchema('The member'), v.transform(userId))
const teamIdField = v.pipe(idSchema('The team'), v.transform(teamId))
const projectIdField = v.pipe(idSchema('The project'), v.transform(projectId))

const role = v.picklist(ROLES, `A role is one of ${ROLES.join(', ')}.`)
const teams = listSchema(teamIdField, 'Teams', max('teamsPerOrgMax'))
const chosenProjects = listSchema(projectIdField, 'Projects', max('projectsPerOrgMax'))
const platform = v.nullable(
  v.pipe(
    v.string('A platform must be text.'),
    v.regex(/^[a-z0-9][a-z0-9.+_-]{0,63}$/, 'Lower-case letters, digits, dots and hyphens, at most 64.'),
  ),
)

const KEY_RULE = 'A public key has 32 hexadecimal characters: the part of a DSN before the @.'
const publicKey = v.pipe(v.string(KEY_RULE), v.trim(), v.toLowerCase(), v.regex(/^[0-9a-f]{32}$/, KEY_RULE))

export const SCHEMAS = {
  search: v.object({ name, query: searchQuery }),
  setup: v.strictObject({
    code: v.nullable(v.pipe(v.string('The code must be text.'), v.trim(), v.maxLength(200))),
    email,
    password,
    name: v.optional(
      v.pipe(
        v.string('A name must be text.'),
        v.trim(),
        v.maxLength(max('nameCharsMax'), `A name may have at most ${max('nameCharsMax')} characters.`),
      ),
    ),
    organisation: name,
    project: name,
    platform: v.optional(platform),
    url: v.optional(v.nullable(origin)),
  }),
  publicAddress: v.strictObject({ url: origin }),
  signIn: v.strictObject({
    email: v.pipe(
      v.string('Email is required.'),
      v.trim(),
      v.minLength(1, 'Email is required.'),
      v.maxLength(254),
    ),
    password: passwordGiven,
  }),
  changePassword: v.strictObject({ current: passwordGiven, next: password }),
  resetRequest: v.strictObject({ email }),
  resetPassword: v.strictObject({ code: v.pipe(v.string(), v.maxLength(200)), password }),
  profile: v.strictObject({
    name: v.optional(name),
    theme: v.optional(v.picklist(['system', 'light', 'dark'], 'One of system, light, dark.')),
    landing: v.optional(v.picklist(LANDINGS, 'One of overview, issues.')),
  }),
  organisation: v.strictObject({ name }),
  organisationRename: v.strictObject({ name, slug }),
  invitation: v.strictObject({ email, role, teams, projects: v.optional(chosenProjects, []) }),
  joining: v.strictObject({ name, password }),
  role: v.strictObject({ role, projects: v.optional(chosenProjects, []) }),
  roleDefault: v.strictObject({ role: v.picklist(GIVEN_ROLES, 'Choose from the list.') }),
  team: v.strictObject({ name, slug: v.optional(slug) }),
  teamChange: v.strictObject({
    name: v.optional(name),
    members: v.optional(listSchema(userIdField, 'Members', max('membersPerOrgMax'))),
    admins: v.optional(listSchema(userIdField, 'Team admins', max('membersPerOrgMax'))),
    projects: v.optional(listSchema(projectIdField, 'Projects', max('projectsPerOrgMax'))),
  }),
  token: v.strictObject({
    name,
    scopes: v.pipe(
      listSchema(v.picklist(SCOPES, `A scope is one of ${SCOPES.join(', ')}.`), 'Scopes', SCOPES.length),
      v.minLength(1, 'Choose at least one scope.'),
    ),
    personal: v.boolean(),
    expiresDays: v.optional(v.nullable(wholeNumberSchema('Days', 1, max('tokenDaysMax')))),
  }),
  share: v.strictObject({
    expiresDays: v.optional(v.nullable(wholeNumberSchema('Days', 1, max('shareDaysMax')))),
  }),
  project: v.strictObject({ name, slug: v.optional(slug), platform, teams }),
  projectChange: v.strictObject({
    name: v.optional(name),
    slug: v.optional(slug),
    platform: v.optional(platform),
    options: v.optional(optionsChange),
  }),
  key: v.strictObject({ name, rateLimit, public: v.optional(publicKey) }),
  keyChange: v.strictObject({
    name: v.optional(name),
    isActive: v.optional(v.boolean('Active or not: true or false.')),
    rateLimit: v.optional(rateLimit),
  }),
  archive: v.strictObject({
    eventsMore: v.nullable(wholeNumberSchema('Events', 1, 1_000_000_000)),
    usersMore: v.nullable(wholeNumberSchema('Users', 1, 1_000_000_000)),
    minutes: v.nullable(wholeNumberSchema('Minutes', 1, max('archivedDaysMax') * 1_440)),
    escalating: v.optional(v.boolean('Until it escalates: true or false.')),
  }),
  comment: v.strictObject({
    text: v.pipe(
      v.string('A comment must be text.'),
      v.trim(),
      v.minLength(1, 'A comment can’t be empty.'),
      v.maxLength(max('messageCharsMax'), `At most ${max('messageCharsMax')} characters.`),
    ),
  }),
} as const

/** A value that obeys the schema, or a refusal that names each field and the rule it broke. */
export function readInput<T extends v.GenericSchema>(
  schema: T,
  input: unknown,
): { readonly ok: true; readonly value: v.InferOutput<T> } | Refusal {
  const result = v.safeParse(schema, input)
  if (result.success) return { ok: true, value: result.output }
  return refuseIssues(result.issues)
}

/** Field names are paths such as `options.rateLimit.window`; a broken whole has the name `body`. */
export function refuseIssues(issues: readonly v.BaseIssue<unknown>[]): Refusal {
  // A map: a field may be called `constructor`.
  const rulesOf = new Map<string, string[]>()
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'body'
    const rules = rulesOf.get(field) ?? []
    rulesOf.set(field, rules)
    const rule = brokenRule(issue)
    if (!rules.includes(rule)) rules.push(rule)
  }
  const fields = Object.fromEntries(rulesOf)
  const [first] = rulesOf
  const message = first === undefined ? 'The input is not valid.' : `${first[0]}: ${first[1].join(' ')}`
  return refuse('invalid_input', message, fields)
}

/** Returns the rule of an issue; about an object's fields the schema library speaks to programmers. */
function brokenRule({ type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (type !== 'strict_object' && type !== 'object') return message
  if (expected === 'never') return 'This field is not known.'
  return received === 'undefined' ? 'This field is needed.' : 'A JSON object is needed.'
}
