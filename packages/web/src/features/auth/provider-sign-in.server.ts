/** Handlers to an identity provider and back, in whole page loads: none of it is a change within a page. */
import { flowCookie, sessionCookie } from '@errata/server/access'
import { readAddress } from '#parts/address.ts'
import { paths } from '#parts/paths.ts'
import { localPath, refusePage, requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { AUTH } from './auth-address.server.ts'

/** Minutes are enough for a cookie that is worth nothing afterwards. */
const FLOW_SECONDS = 600

export async function beginProviderSignIn(ctx: LoaderContext): Promise<Response> {
  const { engine, params, url } = ctx
  const wanted = { organisation: params.org ?? '', kind: params.kind ?? '' }
  const { next } = readAddress(AUTH, url.searchParams)
  const begun = await engine.commands.beginProviderSignIn(ctx, { ...wanted, next })
  if (!begun.ok) return refusePage(begun.code, begun.message)
  return away(ctx, begun.value)
}

/** The provider asks again who one is; then a dangerous action is tried again. */
export async function beginProviderConfirm(ctx: LoaderContext): Promise<Response> {
  const asking = requireViewer(ctx)
  const { next } = readAddress(AUTH, ctx.url.searchParams)
  const begun = await ctx.engine.commands.beginProviderConfirm(asking, next)
  return begun.ok ? away(ctx, begun.value) : refusePage(begun.code, begun.message)
}

function away(
  { engine }: LoaderContext,
  { address, kept }: { readonly address: string; readonly kept: string },
): Response {
  const answer = goTo(address)
  answer.headers.append('Set-Cookie', flowCookie(engine.publicAddress).set(kept, FLOW_SECONDS))
  return answer
}

export async function finishProviderSignIn(ctx: LoaderContext, request: Request): Promise<Response> {
  const { engine, params, url } = ctx
  const flow = flowCookie(engine.publicAddress)
  const finished = await engine.commands.finishProviderSignIn(ctx, {
    orgId: params.id ?? '',
    kind: params.kind ?? '',
    kept: flow.read(request.headers.get('cookie')),
    query: url.search,
  })
  if (!finished.ok) return refusePage(finished.code, finished.message)
  const { signedIn, next } = finished.value
  const answer = goTo(localPath(next))
  const session = sessionCookie(engine.publicAddress, engine.publicAddress.origin)
  if (signedIn !== null)
    answer.headers.append('Set-Cookie', session.set(signedIn.cookie, signedIn.maxAgeSeconds))
  for (const gone of flow.clear()) answer.headers.append('Set-Cookie', gone)
  return answer
}

export async function beginProviderSignOut({ engine, params }: LoaderContext): Promise<Response> {
  const wanted = { organisation: params.org ?? '', kind: params.kind ?? '' }
  const address = await engine.commands.providerSignOut(wanted)
  if (!address.ok) return refusePage(address.code, address.message)
  return goTo(address.value ?? paths.signIn())
}

function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { location: address, 'referrer-policy': 'no-referrer' } })
}
