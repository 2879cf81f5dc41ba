/** *Split by message* of an issue: what it would make, and the fingerprint rule that does it. */
import type { IssueSplit } from '@errata/server/queries'
import type { Refusal } from '@errata/server/result'
import { object, optional, string } from 'valibot'
import { defineAction } from '#wire/define-action.ts'
import { notFound } from '#wire/loader.ts'

export interface SplitResult extends IssueSplit {
  readonly isSaved: boolean
}

/** `step`: `preview` changes nothing. */
export const splitIssue = defineAction(
  'issue.split',
  'project.write',
  object({ ref: string(), step: optional(string(), 'save') }),
  async (ctx, { ref, step }): Promise<Refusal | { readonly result: SplitResult }> => {
    const { engine, scope } = ctx
    const split = (await ctx.aside(() => engine.queries.issueSplit(scope, ref))) ?? notFound()
    if (split.rule === null) return refuseSplit('Its events have no function that a rule could name.')
    if (step === 'preview' || split.isSet) return { result: { ...split, isSaved: false } }
    const project = (await engine.queries.project(scope, split.project)) ?? notFound()
    const rules = [project.options.fingerprintingRules.trimEnd(), split.rule].filter((text) => text !== '')
    const change = { options: { fingerprintingRules: rules.join('\n') } }
    const seen = { options: { fingerprintingRules: project.options.fingerprintingRules } }
    const done = await engine.commands.run('updateProject', ctx, { project: project.id, change, seen })
    return done.ok ? { result: { ...split, isSet: true, isSaved: true } } : done
  },
)

function refuseSplit(message: string): Refusal {
  return { ok: false, code: 'invalid_input', message, fields: {} }
}
