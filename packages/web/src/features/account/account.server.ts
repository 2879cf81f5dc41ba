import { PASSWORD_RULE } from '@errata/server/commands'
import { sessionId } from '@errata/server/ids'
import { EMAIL_MOMENTS } from '@errata/server/queries'
import { array, object, optional, string } from 'valibot'
import { choiceField, idField, textField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { redirectTo, requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadProfile(ctx: LoaderContext) {
  const { viewer } = requireViewer(ctx)
  const { name, email, createdMs, isOperator } = viewer.user
  const memberships = viewer.memberships.map(({ organisation, role }) => ({
    slug: organisation.slug,
    name: organisation.name,
    role,
  }))
  return { name, email, createdMs, isOperator, memberships }
}

export async function loadPassword() {
  return { passwordRule: PASSWORD_RULE }
}

export async function loadSessions(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  const sessions = await engine.queries.sessions(viewer)
  return {
    sessions: sessions.map(({ id, createdMs, seenMs, address, userAgent, device }) => ({
      id,
      device,
      createdMs,
      seenMs,
      address,
      userAgent,
      isCurrent: id === viewer.session.id,
    })),
  }
}

export async function loadTheme(ctx: LoaderContext) {
  return { theme: requireViewer(ctx).viewer.user.theme }
}

/** From the address that the page had before. */
export async function leadToAlerts(): Promise<never> {
  return redirectTo(paths.accountAlerts())
}

export async function loadAccountNotices(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  const [{ mail, mailFrom }, off] = await Promise.all([
    engine.queries.noticeMail(viewer),
    engine.queries.emailMomentsOff(viewer),
  ])
  const moments = EMAIL_MOMENTS.map((moment) => ({ moment, isOn: !off.includes(moment) }))
  return { mail, mailFrom, moments, email: viewer.user.email }
}

export const setProfile = defineAction(
  'account.profile',
  'signed-in',
  object({ name: textField }),
  (ctx, { name }) => ctx.engine.commands.setProfile(ctx, { name }),
)

export const changePassword = shownOnce(
  defineAction(
    'account.password',
    'signed-in',
    object({ current: textField, next: textField }),
    async (ctx, { current, next }) => {
      const done = await ctx.engine.commands.changePassword(ctx, { current, next })
      return done.ok ? { result: 'changed' as const } : done
    },
  ),
)

export const endSession = defineAction(
  'account.end-session',
  'signed-in',
  object({ session: idField }),
  (ctx, { session }) => ctx.engine.commands.endSession(ctx, sessionId(session)),
)

export const setTheme = defineAction(
  'account.theme',
  'signed-in',
  object({ theme: choiceField(['system', 'light', 'dark']) }),
  (ctx, { theme }) => ctx.engine.commands.setProfile(ctx, { theme }),
)

export const setNoticeMail = defineAction(
  'account.notices',
  'signed-in',
  object({ mail: tickField, asksMoments: tickField, moments: optional(array(string()), []) }),
  async (ctx, { mail, asksMoments, moments }) => {
    if (!asksMoments) return ctx.engine.commands.setNoticeMail(ctx, { mail })
    const off = EMAIL_MOMENTS.filter((moment) => !moments.includes(moment))
    const chosen = await ctx.engine.commands.setEmailMomentsOff(ctx, { off })
    return chosen.ok ? ctx.engine.commands.setNoticeMail(ctx, { mail }) : chosen
  },
)
