/** Fingerprint rules of a project, and what they would do to its newest events. */
import { max } from '@errata/server/limits'
import type { GroupingPreview } from '@errata/server/queries'
import type { Refusal } from '@errata/server/result'
import { maxLength, object, optional, pipe, string } from 'valibot'
import { seenField, textField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { seenOptions } from './options.server.ts'

/** `?add=` offers a rule at the end, as an issue's page makes it. */
export async function loadGrouping(ctx: LoaderContext) {
  const { engine, scope, url, params } = requireScope(ctx)
  const project = (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
  const added = (url.searchParams.get('add') ?? '').slice(0, max('groupingRuleCharsMax'))
  return {
    org: scope.orgSlug,
    seen: seenOptions('grouping', project),
    project: { name: project.name, slug: project.slug },
    rules: project.options.fingerprintingRules,
    added,
    limits: {
      rules: max('groupingRulesMax'),
      chars: max('groupingRulesCharsMax'),
      previewEvents: max('groupingPreviewEvents'),
    },
  }
}

const CHARS_MAX = max('groupingRulesCharsMax')
const RULES = pipe(textField, maxLength(CHARS_MAX, `At most ${CHARS_MAX} characters.`))

export interface GroupingResult {
  /** `null`: it was saved. */
  readonly preview: Omit<GroupingPreview, 'problems'> | null
  readonly seen?: string
}

/** `step`: `preview` changes nothing. */
export const saveGrouping = defineAction(
  'project.grouping',
  'project.write',
  object({ rules: RULES, seen: seenField, step: optional(string(), 'save') }),
  async (ctx, { rules, seen, step }): Promise<Refusal | { readonly result: GroupingResult }> => {
    if (step === 'preview') return previewGrouping(ctx, rules)
    const { engine, scope } = ctx
    const project = (await engine.queries.project(scope, ctx.params.project ?? '')) ?? notFound()
    const change = { options: { fingerprintingRules: rules } }
    const done = await engine.commands.run('updateProject', ctx, { project: project.id, change, seen })
    return done.ok
      ? { result: { preview: null, seen: seenOptions('grouping', done.value) } }
      : besideRules(done)
  },
)

async function previewGrouping(
  ctx: OrgContext,
  rules: string,
): Promise<Refusal | { readonly result: GroupingResult }> {
  const asked = { project: ctx.params.project ?? '', rules }
  const found = await ctx.aside(() => ctx.engine.queries.groupingPreview(ctx.scope, asked))
  const { problems, ...preview } = found ?? notFound()
  if (problems.length === 0) return { result: { preview } }
  const fields = { rules: problems.map(({ line, message }) => `Line ${line}: ${message}`) }
  return { ok: false, code: 'invalid_input', message: 'Some rules aren’t valid.', fields }
}

function besideRules(refused: Refusal): Refusal {
  const { 'options.fingerprintingRules': rules, ...rest } = refused.fields ?? {}
  return rules === undefined ? refused : { ...refused, fields: { ...rest, rules } }
}
