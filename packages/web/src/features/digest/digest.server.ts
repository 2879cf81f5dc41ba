import { max } from '@errata/server/limits'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

/** What became of the numbers in the address or in a pasted text, over all organisations of the viewer. */
export async function loadDigest(ctx: LoaderContext) {
  const { engine, viewer, params, url } = requireViewer(ctx)
  const text = (params.number ?? url.searchParams.get('text') ?? '').slice(0, max('digestPasteCharsMax'))
  const lookup = text.trim() === '' ? null : await engine.queries.digestLookup(viewer, text)
  // An id of an event or a trace, where the framework has no digests.
  const others = lookup?.answers.length === 0 ? await engine.queries.paste(viewer, text) : []
  return { text, lookup, nowMs: ctx.nowMs, others: others.filter((target) => target.kind !== 'digest') }
}
