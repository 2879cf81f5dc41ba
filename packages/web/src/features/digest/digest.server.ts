import { max } from '@errata/server/limits'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

/** Loads answers for the numbers in the address or a pasted text, over all organisations of the viewer. */
export async function loadDigest(ctx: LoaderContext) {
  const { engine, viewer, params, url } = requireViewer(ctx)
  const text = (params.number ?? url.searchParams.get('text') ?? '').slice(0, max('digestPasteCharsMax'))
  const lookup = text.trim() === '' ? null : await engine.queries.digestLookup(viewer, text)
  // An id of an event, of a trace or of the app's own making, where the framework has no digests.
  const isUnknown = lookup?.answers.every(({ seen }) => !seen)
  const targets = isUnknown ? await engine.queries.paste(viewer, text) : []
  const others = targets.filter((target) => target.kind !== 'digest')
  // Numbers beside an id that is known are none of the error.
  const found = lookup !== null && others.length > 0 ? { ...lookup, answers: [] } : lookup
  return { text, lookup: found, nowMs: ctx.nowMs, others }
}
