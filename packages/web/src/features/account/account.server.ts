import {
  isForeignAccount,
  PASSWORD_RULE,
  readInput,
  refuseForeignAccount,
  refuseUnseen,
  SCHEMAS,
} from '@errata/server/commands'
import { issueId, sessionId } from '@errata/server/ids'
import { EMAIL_MOMENTS, INBOX_KINDS } from '@errata/server/queries'
import { array, object, optional, string } from 'valibot'
import { choiceField, idField, seenField, textField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { hoursShown, hoursTyped, QUIET_FIELDS, timeZones } from '#parts/quiet-hours.server.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { redirectTo, requireViewer } from '#wire/loader.ts'
import type { LoaderContext, ViewerContext } from '#wire/types.ts'

export async function loadProfile(ctx: LoaderContext) {
  const { viewer } = requireViewer(ctx)
  const { name, email, createdMs, isOperator } = viewer.user
  const memberships = viewer.memberships.map(({ organisation, role }) => ({
    slug: organisation.slug,
    name: organisation.name,
    role,
  }))
  return {
    name,
    email,
    createdMs,
    isOperator,
    memberships,
    isForeign: isForeignAccount(viewer),
    seen: seenProfile(name),
  }
}

export async function loadPassword(ctx: LoaderContext) {
  const isOfProvider = requireViewer(ctx).viewer.session.orgId !== undefined
  return { passwordRule: PASSWORD_RULE, isOfProvider }
}

export async function loadSessions(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  const sessions = await engine.queries.sessions(viewer)
  return {
    isOfProvider: viewer.session.orgId !== undefined,
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
  const { viewer } = requireViewer(ctx)
  const { theme, landing } = viewer.user
  return { theme, landing, isForeign: isForeignAccount(viewer) }
}

/** From the address that the page had before. */
export async function leadToAlerts(): Promise<never> {
  return redirectTo(paths.accountAlerts())
}

export async function loadAccountNotices(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  if (isForeignAccount(viewer)) return { isForeign: true as const }
  const [{ mail, mailFrom }, off, inbox, hours, muted] = await Promise.all([
    engine.queries.noticeMail(viewer),
    engine.queries.emailMomentsOff(viewer),
    engine.queries.inboxKinds(viewer),
    engine.queries.ownQuietHours(viewer),
    engine.queries.mutedIssues(viewer),
  ])
  const moments = EMAIL_MOMENTS.map((moment) => ({ moment, isOn: !off.includes(moment) }))
  const { email } = viewer.user
  return {
    ...{
      isForeign: false as const,
      mail,
      mailFrom,
      moments,
      inbox,
      email,
      seen: seenAccountNotices(mail, off),
    },
    ...{ quiet: hoursShown(hours), zones: timeZones(), muted },
  }
}

export const setProfile = defineAction(
  'account.profile',
  'signed-in',
  object({ name: textField, seen: seenField }),
  async (ctx, { name, seen }) => {
    const stale = refuseUnseen({ name: ctx.viewer.user.name }, seen)
    if (stale !== null) return stale
    const checked = readInput(SCHEMAS.profile, { name })
    if (!checked.ok) return checked
    const done = await ctx.engine.commands.setProfile(ctx, { name })
    return done.ok ? { result: { seen: seenProfile(checked.value.name ?? name) } } : done
  },
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

export const setLanding = defineAction(
  'account.landing',
  'signed-in',
  object({ landing: choiceField(['overview', 'issues']) }),
  (ctx, { landing }) => ctx.engine.commands.setProfile(ctx, { landing }),
)

export const setNoticeMail = defineAction(
  'account.notices',
  'signed-in',
  object({
    ...{ mail: tickField, asksMoments: tickField, moments: optional(array(string()), []) },
    ...{ asksInbox: tickField, inbox: optional(array(string()), []) },
    seen: seenField,
  }),
  async (ctx, { mail, asksMoments, moments, asksInbox, inbox, seen }) => {
    const refusal = refuseForeignAccount(ctx.viewer)
    if (refusal !== null) return refusal
    const stale = await refuseUnseenNotices(ctx, seen)
    if (stale !== null) return stale
    const off = EMAIL_MOMENTS.filter((moment) => !moments.includes(moment))
    const chosen = asksMoments ? await ctx.engine.commands.setEmailMomentsOff(ctx, { off }) : null
    if (chosen?.ok === false) return chosen
    const inboxOff = INBOX_KINDS.filter((kind) => !inbox.includes(kind))
    const entered = asksInbox ? await ctx.engine.commands.setInboxOff(ctx, { off: inboxOff }) : null
    if (entered?.ok === false) return entered
    const done = await ctx.engine.commands.setNoticeMail(ctx, { mail })
    return done.ok ? { result: { seen: seenAccountNotices(mail, off) } } : done
  },
)

/** When they are not emailed. */
export const setOwnQuietHours = defineAction(
  'account.quiet-hours',
  'signed-in',
  object(QUIET_FIELDS),
  (ctx, typed) => ctx.engine.commands.setOwnQuietHours(ctx, hoursTyped(typed)),
)

export const unmuteIssue = defineAction(
  'account.unmute',
  'signed-in',
  object({ issue: idField }),
  (ctx, { issue }) => ctx.engine.commands.unmuteIssue(ctx, issueId(issue)),
)

async function refuseUnseenNotices({ engine, viewer }: ViewerContext, seen: object | undefined) {
  const [{ mail }, off] = await Promise.all([
    engine.queries.noticeMail(viewer),
    engine.queries.emailMomentsOff(viewer),
  ])
  return refuseUnseen({ mail, off: off.toSorted() }, seen)
}

/** Returns what each form shows, kept with the form: whoever saves it must have seen the current values. */
function seenProfile(name: string) {
  return JSON.stringify({ name })
}

function seenAccountNotices(mail: boolean, off: readonly string[]) {
  return JSON.stringify({ mail, off: off.toSorted() })
}
