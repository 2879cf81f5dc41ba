import { object, pipe, trim } from 'valibot'
import { textField } from '#parts/fields.server.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { refusePage, requireOperator } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadSystem(ctx: LoaderContext) {
  const { engine, viewer } = requireOperator(ctx)
  const system = await engine.queries.system(viewer)
  if (!system.ok) return refusePage(system.code, system.message)
  return { ...system.value, isAddressFixed: engine.publicAddress.isFixed }
}

/** The scrubbed bytes of an envelope that could not be processed. */
export async function downloadQuarantined(ctx: LoaderContext): Promise<Response | null> {
  const { engine, viewer, params } = requireOperator(ctx)
  const seq = Number(params.seq)
  if (!Number.isSafeInteger(seq) || seq < 1) return null
  const bytes = await engine.queries.quarantined(viewer, seq)
  if (bytes === null) return null
  await engine.commands.noteQuarantineDownload({ ...ctx, viewer }, seq)
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="quarantined-${seq}.envelope"`,
    },
  })
}

/** Creates a link for somebody who has forgotten the password; shown once. */
export const createResetLink = shownOnce(
  defineAction(
    'system.reset-link',
    'operator',
    object({ email: pipe(textField, trim()) }),
    async (ctx, { email }) => {
      const done = await ctx.engine.commands.createPasswordReset(ctx, email)
      return done.ok ? { result: { email, url: done.value.url } } : done
    },
  ),
)

/** Sends a test email to the person who asks, and shows what the mail server says. */
export const sendTestMail = defineAction('system.test-mail', 'operator', object({}), async (ctx) => {
  const done = await ctx.engine.commands.testMail(ctx)
  return done.ok ? { result: done.value } : done
})

/** Sets the address that links, DSNs and snippets begin with. */
export const setAddress = defineAction(
  'system.address',
  'operator',
  object({ url: textField }),
  async (ctx, { url }) => {
    const done = await ctx.engine.commands.setPublicAddress(ctx, url)
    return done.ok ? { result: null } : done
  },
)
