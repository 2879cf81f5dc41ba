/** Issues of trackers: created, linked and unlinked on the page of an issue. */
import { TRACKER_FORMS } from '@errata/server/commands'
import { object, string } from 'valibot'
import { idField, optionalTextField, textField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import type { OrgContext } from '#wire/types.ts'

/** Loads links as last known: trackers are asked after the page. */
export async function trackersAround({ engine, scope }: OrgContext, ref: string) {
  const [links, trackers] = await Promise.all([
    engine.queries.trackerLinks(scope, ref),
    engine.queries.trackers(scope),
  ])
  return {
    links: (links ?? []).map(({ id, ref: name, url, title, state, checkedMs, tracker }) => ({
      ...{ id, ref: name, url, title, state, checkedMs },
      service: tracker.name,
    })),
    trackers: trackers.map(({ id, kind, name, settings }) => ({
      ...{ id, name, place: settings.place ?? '' },
      service: TRACKER_FORMS.find((form) => form.kind === kind)?.label ?? kind,
    })),
  }
}

export const createTrackerIssue = defineAction(
  'issue.tracker.create',
  'issue.write',
  object({ ref: string(), tracker: idField, place: optionalTextField }),
  async (ctx, { ref, tracker, place }) => {
    const asked = { ref, tracker, ...(place === undefined ? {} : { place }) }
    const made = await ctx.engine.commands.run('createTrackerIssue', ctx, asked)
    return made.ok ? { result: null } : made
  },
)

export const linkTrackerIssue = defineAction(
  'issue.tracker.link',
  'issue.write',
  object({ ref: string(), url: textField }),
  async (ctx, asked) => {
    const linked = await ctx.engine.commands.run('linkTrackerIssue', ctx, asked)
    return linked.ok ? { result: null } : linked
  },
)

export const unlinkTrackerIssue = defineAction(
  'issue.tracker.unlink',
  'issue.write',
  object({ ref: string(), link: idField }),
  (ctx, asked) => ctx.engine.commands.run('unlinkTrackerIssue', ctx, asked),
)
