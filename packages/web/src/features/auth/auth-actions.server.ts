import type { Refusal } from '@errata/server/result'
import { object } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { platformField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { localPath } from '#wire/loader.ts'
import { AUTH } from './auth-address.server.ts'
import { authPaths } from './paths.ts'

/** First run: owner, organisation and project at once, and the owner is signed in. */
export const setUp = defineAction(
  'auth.setup',
  'anyone',
  object({
    code: textField,
    email: textField,
    password: textField,
    name: textField,
    organisation: textField,
    project: textField,
    platform: platformField,
    url: textField,
  }),
  async (ctx, input) => {
    const done = await ctx.engine.commands.setup(ctx, { ...input, url: input.url || ctx.usedOrigin })
    if (!done.ok) return done
    ctx.session.start(done.value.signedIn)
    return { redirect: paths.firstEvent(done.value.organisation, done.value.project) }
  },
)

export const signIn = defineAction(
  'auth.sign-in',
  'anyone',
  object({
    email: textField,
    password: textField,
    next: textField,
  }),
  async (ctx, { email, password, next }) => {
    const ticket = new URL(localPath(next), ctx.url).searchParams.get('ticket')
    const done = await ctx.engine.commands.signIn(ctx, { email, password, ticket })
    if (!done.ok) return secondStep(done, localPath(next))
    ctx.session.start(done.value)
    return { redirect: localPath(next) }
  },
)

export const signOut = defineAction('auth.sign-out', 'signed-in', object({}), async (ctx) => {
  const { session, memberships } = ctx.viewer
  const by = memberships.find(({ organisation }) => organisation.id === session.orgId)?.organisation
  await ctx.engine.commands.signOut(ctx)
  ctx.session.end()
  return { redirect: by === undefined ? paths.signIn() : paths.signInAt(by.slug, { out: '1' }) }
})

/** Joins an account to an identity, confirmed by whoever is signed in to it. */
export const joinAccount = defineAction('auth.join-account', 'signed-in', object({}), async (ctx) => {
  const done = await ctx.engine.commands.joinAccount(
    ctx,
    readAddress(AUTH, ctx.url.searchParams).ticket ?? '',
  )
  if (!done.ok) return done
  ctx.session.start(done.value.signedIn)
  return { redirect: localPath(done.value.next) }
})

/** With a new account. */
export const join = defineAction(
  'auth.join',
  'anyone',
  object({ name: textField, password: textField }),
  async (ctx, account) => {
    const done = await ctx.engine.commands.acceptInvitation(ctx, { code: ctx.params.code ?? '', ...account })
    if (!done.ok) return done
    ctx.session.start(done.value)
    return { redirect: paths.home() }
  },
)

/** With the account that is signed in. */
export const joinSignedIn = defineAction('auth.join-signed-in', 'signed-in', object({}), async (ctx) => {
  const done = await ctx.engine.commands.joinOrganisation(ctx, ctx.params.code ?? '')
  return done.ok ? { redirect: paths.home() } : done
})

/** Answers the same whether there is such an account or not. */
export const askForReset = shownOnce(
  defineAction('auth.forgot', 'anyone', object({ email: textField }), async (ctx, { email }) => {
    const done = await ctx.engine.commands.askForReset(ctx, { email })
    return done.ok ? { result: 'sent' as const } : done
  }),
)

export const resetPassword = defineAction(
  'auth.reset',
  'anyone',
  object({ password: textField }),
  async (ctx, { password }) => {
    const done = await ctx.engine.commands.resetPassword(ctx, { code: ctx.params.code ?? '', password })
    if (!done.ok) return secondStep(done, paths.home())
    ctx.session.start(done.value)
    return { redirect: paths.home() }
  },
)

/** Redirects to the page that asks for a code or passkey, if that is all that is missing. */
function secondStep(refused: Refusal, next: string): Refusal | { readonly redirect: string } {
  return refused.ticket === undefined ? refused : { redirect: authPaths.secondStep(refused.ticket, { next }) }
}
