/** Passkeys and codes: signing in with them, and confirming before a dangerous action. */
import { max } from '@errata/server/limits'
import { object, unknown } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { confirming, defineAction } from '#wire/define-action.ts'
import { localPath, redirectTo, requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { AUTH } from './auth-address.server.ts'
import { confirmWords } from './confirm-words.ts'

const MINUTE_MS = 60_000

export async function loadSecondStep({ engine, params, url }: LoaderContext) {
  const ticket = params.code ?? ''
  const { next, isRecovery } = readAddress(AUTH, url.searchParams)
  const ways = await engine.commands.waitingSignIn(ticket)
  if (ways === null) return redirectTo(paths.signIn(next))
  return { ticket, next, ways, email: ways.email, isRecovery: !ways.hasApp || isRecovery }
}

export async function loadConfirm(ctx: LoaderContext) {
  const { engine, viewer, url, address, userAgent } = requireViewer(ctx)
  const { next, action, of, isRecovery } = readAddress(AUTH, url.searchParams)
  const [ways, subject, sessions] = await Promise.all([
    engine.commands.waysToConfirm({ viewer, address, userAgent }),
    subjectOf(ctx, { next, of }),
    engine.queries.sessions(viewer),
  ])
  const current = sessions.find(({ id }) => id === viewer.session.id)
  return {
    next,
    ways,
    action,
    of,
    what: confirmWords(action, subject),
    isRecovery,
    minutes: max('confirmedMs') / MINUTE_MS,
    name: viewer.user.name || viewer.user.email,
    device: current?.device ?? '',
    sinceMs: viewer.session.createdMs,
  }
}

/** The member or the project that the action is about, as far as whoever asks may know of it. */
async function subjectOf(
  ctx: LoaderContext,
  { next, of }: { readonly next: string; readonly of: string | null },
): Promise<string | null> {
  const { engine, viewer } = requireViewer(ctx)
  const [, org = '', place, slug] = next.split(/[/?#]/)
  const scope = engine.access.scope(viewer, org)
  if (scope === null) return null
  if (of !== null)
    return (await engine.queries.members(scope)).find(({ userId }) => String(userId) === of)?.email ?? null
  if (place !== 'projects' || slug === undefined) return null
  return (await engine.queries.project(scope, slug))?.slug ?? null
}

export const requestPasskey = defineAction('auth.passkey-request', 'anyone', object({}), (ctx) =>
  ctx.engine.commands.passkeyRequest({ origin: ctx.usedOrigin }),
)

export const signInByPasskey = defineAction(
  'auth.passkey',
  'anyone',
  object({ answer: unknown(), next: textField }),
  async (ctx, { answer, next }) => {
    const done = await ctx.engine.commands.signInByPasskey(ctx, { answer, origin: ctx.usedOrigin })
    if (!done.ok) return done
    ctx.session.start(done.value)
    return { redirect: localPath(next) }
  },
)

export const finishSignIn = defineAction(
  'auth.second-step',
  'anyone',
  object({ code: textField, next: textField }),
  async (ctx, { code, next }) => {
    const done = await ctx.engine.commands.finishSignIn(ctx, { ticket: ctx.params.code ?? '', code })
    if (!done.ok) return done
    ctx.session.start(done.value)
    return { redirect: localPath(next) }
  },
)

export const requestConfirmation = defineAction('auth.confirm-request', 'signed-in', object({}), (ctx) =>
  ctx.engine.commands.passkeyRequest({ origin: ctx.usedOrigin, of: ctx }),
)

export const confirmByPasskey = confirming(
  defineAction(
    'auth.confirm-passkey',
    'signed-in',
    object({ answer: unknown(), next: textField }),
    async (ctx, { answer, next }) => {
      const done = await ctx.engine.commands.confirmByPasskey(ctx, { answer, origin: ctx.usedOrigin })
      return done.ok ? { redirect: localPath(next) } : done
    },
  ),
)

export const confirmByCode = confirming(
  defineAction(
    'auth.confirm-code',
    'signed-in',
    object({ code: textField, next: textField }),
    async (ctx, { code, next }) => {
      const done = await ctx.engine.commands.confirmByCode(ctx, { code })
      return done.ok ? { redirect: localPath(next) } : done
    },
  ),
)

export const confirmByPassword = confirming(
  defineAction(
    'auth.confirm-password',
    'signed-in',
    object({ password: textField, next: textField }),
    async (ctx, { password, next }) => {
      const done = await ctx.engine.commands.confirmByPassword(ctx, password)
      return done.ok ? { redirect: localPath(next) } : done
    },
  ),
)
