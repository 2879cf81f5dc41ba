/** Passkeys, the authenticator app and recovery codes of one's own account. */
import { object, unknown } from 'valibot'
import { idField, textField } from '#parts/fields.server.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadSecurity(ctx: LoaderContext) {
  const asking = requireViewer(ctx)
  const { passkeys, app, recoveryCodesLeft } = await asking.engine.commands.security(asking)
  return {
    isOfProvider: asking.viewer.session.orgId !== undefined,
    /** Organisations that wait for a second factor. */
    closed: asking.viewer.closed.map(({ name }) => name),
    passkeys: passkeys.map(({ id, name, host, createdMs, usedMs }) => ({
      ...{ id, name, host, createdMs, usedMs },
    })),
    app,
    recoveryCodesLeft,
  }
}

export const offerPasskey = defineAction('account.passkey-offer', 'signed-in', object({}), (ctx) =>
  ctx.engine.commands.passkeyOffer(ctx, { origin: ctx.usedOrigin }),
)

export const addPasskey = defineAction(
  'account.passkey-add',
  'signed-in',
  object({ name: textField, answer: unknown() }),
  (ctx, { name, answer }) => ctx.engine.commands.addPasskey(ctx, { name, answer, origin: ctx.usedOrigin }),
)

export const renamePasskey = defineAction(
  'account.passkey-rename',
  'signed-in',
  object({ passkey: idField, name: textField }),
  (ctx, { passkey, name }) => ctx.engine.commands.renamePasskey(ctx, { id: passkey, name }),
)

export const removePasskey = defineAction(
  'account.passkey-remove',
  'signed-in',
  object({ passkey: idField }),
  (ctx, { passkey }) => ctx.engine.commands.removePasskey(ctx, passkey),
)

export const beginApp = defineAction('account.app-begin', 'signed-in', object({}), (ctx) =>
  ctx.engine.commands.beginAuthenticator(ctx),
)

export const confirmApp = shownOnce(
  defineAction('account.app-confirm', 'signed-in', object({ code: textField }), (ctx, { code }) =>
    ctx.engine.commands.confirmAuthenticator(ctx, code),
  ),
)

export const removeApp = defineAction('account.app-remove', 'signed-in', object({}), (ctx) =>
  ctx.engine.commands.removeAuthenticator(ctx),
)

export const createRecoveryCodes = shownOnce(
  defineAction('account.recovery-codes', 'signed-in', object({}), (ctx) =>
    ctx.engine.commands.createRecoveryCodes(ctx),
  ),
)
