/** Issue trackers of an organisation: how they are set up, and what was closed there. */
import { TRACKER_FORMS } from '@errata/server/commands'
import { TRACKER_KINDS, type Tracker, type TrackerKind } from '@errata/server/queries'
import { object, objectWithRest, string } from 'valibot'
import { idField, seenField, textField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { serviceValues, withFieldNames } from '#parts/service-fields.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { orgSettingsPaths } from './paths.ts'
import { seenTracker } from './seen.server.ts'

type Form = (typeof TRACKER_FORMS)[number]

function kindOf(text: string | null): TrackerKind | null {
  return TRACKER_KINDS.find((kind) => kind === text) ?? null
}

function formOf(kind: TrackerKind): Form {
  return TRACKER_FORMS.find((form) => form.kind === kind) ?? notFound()
}

export async function loadTrackers(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const trackers = await engine.queries.trackers(scope)
  return {
    org: scope.orgSlug,
    mayWrite: engine.access.can(viewer, scope, 'tracker.write'),
    rows: trackers.map(({ id, kind, name, settings, resolvesHere, closesThere, heardMs, createdBy }) => ({
      ...{ id, name, resolvesHere, closesThere, heardMs, createdBy },
      service: formOf(kind).label,
      place: settings.place ?? '',
    })),
  }
}

/** Loads one tracker, or a new one's form; without a kind, the kinds to choose from. */
export async function loadTracker(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, params, url, viewer } = org
  const tracker = params.tracker === undefined ? null : await trackerOf(org, params.tracker)
  const kind = tracker?.kind ?? kindOf(url.searchParams.get('kind'))
  const mayRead = engine.access.can(viewer, scope, 'issue.read')
  return {
    ...{ org: scope.orgSlug, tracker, seen: tracker === null ? '' : seenTracker(tracker) },
    ...{ kinds: TRACKER_FORMS.map(({ fields: _, ...form }) => form) },
    mayWrite: engine.access.can(viewer, scope, 'tracker.write'),
    form: kind === null ? null : formOf(kind),
    log: tracker === null || !mayRead ? [] : await engine.queries.trackerLog(scope, tracker.id),
    /** Address to which the tracker must send its webhooks. */
    callback: tracker === null ? null : `${engine.publicAddress.url}/api/0/trackers/${tracker.id}/webhook/`,
  }
}

async function trackerOf({ engine, scope }: OrgContext, ref: string): Promise<Tracker> {
  const tracker = /^[1-9]\d{0,14}$/.test(ref) ? await engine.queries.tracker(scope, Number(ref)) : null
  return tracker ?? notFound()
}

const FORM = objectWithRest(
  { kind: textField, name: textField, resolvesHere: tickField, closesThere: tickField, seen: seenField },
  string('This must be text.'),
)

export const saveTracker = defineAction('tracker.save', 'tracker.write', FORM, async (ctx, form) => {
  const { kind, name, resolvesHere, closesThere, seen, ...typed } = form
  const given = { name, values: serviceValues(typed), resolvesHere, closesThere }
  const { commands } = ctx.engine
  const id = ctx.params.tracker
  if (id !== undefined) {
    const change = { id: Number(id), ...given, seen }
    const done = withFieldNames(await commands.run('changeTracker', ctx, change), TRACKER_FORMS)
    return done.ok ? { result: { seen: seenTracker(await trackerOf(ctx, id)) } } : done
  }
  const made = withFieldNames(await commands.run('createTracker', ctx, { kind, ...given }), TRACKER_FORMS)
  return made.ok ? { redirect: orgSettingsPaths.tracker(ctx.scope.orgSlug, made.value.id) } : made
})

export const deleteTracker = defineAction(
  'tracker.delete',
  'tracker.write',
  object({ tracker: idField }),
  async (ctx, { tracker }) => {
    const done = await ctx.engine.commands.run('deleteTracker', ctx, tracker)
    return done.ok ? { redirect: paths.trackers(ctx.scope.orgSlug) } : done
  },
)
