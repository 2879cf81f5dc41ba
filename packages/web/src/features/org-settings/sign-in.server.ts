/** Sign-in methods of an organisation: how they are set up. */

import { recordName, recordText } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import { object } from 'valibot'
import {
  choiceField,
  linesField,
  optionalTextField,
  seenField,
  textField,
  tickField,
} from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { GIVEN_ROLES } from './roles.ts'
import { seenProvider } from './seen.server.ts'

const KINDS = ['oidc', 'github'] as const

export async function loadSignInSettings(ctx: LoaderContext) {
  const { engine, scope } = requireScope(ctx)
  const [{ id }, roleDefault, providers, domains] = await Promise.all([
    engine.queries.organisation(scope),
    engine.queries.roleDefault(scope),
    engine.queries.signInProviders(scope),
    engine.queries.signInDomains(scope),
  ])
  const named = new Set(providers.flatMap((one) => one.domains))
  return {
    roleDefault,
    domains: domains
      .filter(({ domain }) => named.has(domain))
      .map(({ domain, token, provedMs, missingToldMs = null }) => ({
        ...{ domain, provedMs },
        endsMs: missingToldMs === null ? null : missingToldMs + max('domainGraceMs'),
        ...{ recordName: recordName(domain), recordText: recordText(token) },
      })),
    methods: KINDS.map((kind) => {
      const callback = engine.publicAddress.link(`/sign-in/back/${id}/${kind}`)
      const provider = providers.find((one) => one.kind === kind) ?? null
      return { kind, callback, provider, seen: seenProvider(provider) }
    }),
    scim: engine.publicAddress.link(`/scim/v2/${scope.orgSlug}`),
  }
}

export const saveProvider = defineAction(
  'sign-in.save',
  'provider.write',
  object({
    kind: choiceField(KINDS),
    name: textField,
    issuer: textField,
    clientId: textField,
    clientSecret: optionalTextField,
    domains: linesField,
    isRequired: tickField,
    organisations: linesField,
    roleDefault: choiceField(['', ...GIVEN_ROLES]),
    roleClaim: textField,
    roles: linesField,
    seen: seenField,
  }),
  async (ctx, { clientSecret = null, roles, roleDefault, ...rest }) => {
    const mapped = roles.map(roleOfLine)
    const broken = mapped.indexOf(null)
    if (broken >= 0) {
      const rule = 'Lines such as “platform team = manager”: a group, and manager, member or viewer.'
      return { error: { code: 'invalid_input', message: rule, fields: { roles: [rule] } } }
    }
    const known = mapped.filter((one) => one !== null)
    const { commands, queries } = ctx.engine
    const done = await commands.run('saveProvider', ctx, {
      ...rest,
      roleDefault: roleDefault === '' ? null : roleDefault,
      clientSecret,
      roles: known,
    })
    if (!done.ok) return done
    const now = (await queries.signInProviders(ctx.scope)).find((one) => one.kind === rest.kind) ?? null
    return { result: { seen: seenProvider(now) } }
  },
)

export const proveDomain = defineAction(
  'sign-in.prove-domain',
  'provider.write',
  object({ domain: textField }),
  (ctx, { domain }) => ctx.engine.commands.run('proveDomain', ctx, domain),
)

function roleOfLine(line: string) {
  const at = line.lastIndexOf('=')
  const role = GIVEN_ROLES.find(
    (one) =>
      one ===
      line
        .slice(at + 1)
        .trim()
        .toLowerCase(),
  )
  return at < 1 || role === undefined ? null : { value: line.slice(0, at).trim(), role }
}

export const removeProvider = defineAction(
  'sign-in.remove',
  'provider.write',
  object({ kind: choiceField(KINDS) }),
  (ctx, { kind }) => ctx.engine.commands.run('removeProvider', ctx, kind),
)
