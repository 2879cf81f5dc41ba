/** Issue trackers of an organisation: how they are set up, and what was closed there. */
import { TRACKER_FORMS } from '@errata/server/commands'
import { TRACKER_KINDS, type Tracker } from '@errata/server/queries'
import { object } from 'valibot'
import { idField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { serviceValues } from '#parts/service-fields.ts'
import {
  chosenKind,
  formOf,
  kindsOf,
  saveService,
  serviceSchema,
  storedService,
} from '#parts/services.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { orgSettingsPaths } from './paths.ts'
import { seenTracker } from './seen.server.ts'

export async function loadTrackers(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const trackers = await engine.queries.trackers(scope)
  return {
    org: scope.orgSlug,
    mayWrite: engine.access.can(viewer, scope, 'tracker.write'),
    rows: trackers.map(({ id, kind, name, settings, resolvesHere, closesThere, heardMs, createdBy }) => ({
      ...{ id, name, resolvesHere, closesThere, heardMs, createdBy },
      service: formOf(TRACKER_FORMS, kind).label,
      place: settings.place ?? '',
    })),
  }
}

/** Loads one tracker, or a new one's form; without a kind, the kinds to choose from. */
export async function loadTracker(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, params, url, viewer } = org
  const tracker = params.tracker === undefined ? null : await trackerOf(org, params.tracker)
  const kind = tracker?.kind ?? chosenKind(TRACKER_KINDS, url)
  const mayRead = engine.access.can(viewer, scope, 'issue.read')
  return {
    ...{ org: scope.orgSlug, tracker, seen: tracker === null ? '' : seenTracker(tracker) },
    kinds: kindsOf(TRACKER_FORMS),
    mayWrite: engine.access.can(viewer, scope, 'tracker.write'),
    form: kind === null ? null : formOf(TRACKER_FORMS, kind),
    log: tracker === null || !mayRead ? [] : await engine.queries.trackerLog(scope, tracker.id),
    /** Address to which the tracker must send its webhooks. */
    callback: tracker === null ? null : `${engine.publicAddress.url}/api/0/trackers/${tracker.id}/webhook/`,
  }
}

function trackerOf({ engine, scope }: OrgContext, ref: string): Promise<Tracker> {
  return storedService(ref, (id) => engine.queries.tracker(scope, id))
}

const FORM = serviceSchema({ resolvesHere: tickField, closesThere: tickField })

export const saveTracker = defineAction('tracker.save', 'tracker.write', FORM, (ctx, form) => {
  const { kind, name, resolvesHere, closesThere, seen, ...typed } = form
  const given = { name, values: serviceValues(typed), resolvesHere, closesThere }
  const { commands } = ctx.engine
  return saveService({
    forms: TRACKER_FORMS,
    ref: ctx.params.tracker,
    create: () => commands.run('createTracker', ctx, { kind, ...given }),
    change: (id) => commands.run('changeTracker', ctx, { id, ...given, seen }),
    seen: async (ref) => seenTracker(await trackerOf(ctx, ref)),
    path: (id) => orgSettingsPaths.tracker(ctx.scope.orgSlug, id),
  })
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
