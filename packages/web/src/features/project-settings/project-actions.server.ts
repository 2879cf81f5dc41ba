import { keyId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { PERSON_BY } from '@errata/server/queries'
import { type InferOutput, object, picklist, pipe, regex, string, transform, trim } from 'valibot'
import { countField, idField, linesField, nameField, slugField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { PLATFORM_IDS } from '#parts/platforms.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound } from '#wire/loader.ts'
import type { OrgContext } from '#wire/types.ts'

/** The project that the address names. */
async function projectOf(ctx: OrgContext) {
  return (await ctx.engine.queries.project(ctx.scope, ctx.params.project ?? '')) ?? notFound()
}

const WINDOW_RULE = 'Seconds from 1 to 86,400.'
const windowField = pipe(
  string(WINDOW_RULE),
  trim(),
  regex(/^(?:[1-9]\d{0,4})?$/, WINDOW_RULE),
  transform((text) => (text === '' ? null : Number(text))),
)
const limitFields = { count: countField, window: windowField }
type LimitFields = InferOutput<ReturnType<typeof object<typeof limitFields, undefined>>>

const SECONDS_MAX = 86_400
const MINUTE = 60

/** A limit is a count; without one there is none. */
function limitOf({ count, window }: LimitFields) {
  return count === null ? null : { count: count, window: Math.min(window ?? MINUTE, SECONDS_MAX) }
}

const DAYS_RULE = `Whole days, 1 to ${max('retentionDaysMax')}.`
const daysField = pipe(string(DAYS_RULE), trim(), regex(/^[1-9]\d{0,2}$/, DAYS_RULE), transform(Number))

export const saveProject = defineAction(
  'project.save',
  'project.write',
  object({
    name: nameField,
    slug: slugField,
    platform: picklist(PLATFORM_IDS, 'Choose one of the list.'),
    retentionDays: daysField,
    payloadsPerIssueHour: countField,
    spikeProtection: tickField,
    ...limitFields,
  }),
  async (ctx, { name, slug, platform, count, window, ...kept }) => {
    const project = await projectOf(ctx)
    const options = { ...project.options, ...kept, rateLimit: limitOf({ count, window }) }
    const change = { name, slug, platform: platform === '' ? null : platform, options }
    const { engine, viewer, scope } = ctx
    const done = await engine.commands.updateProject(viewer, scope, project.id, change, ctx)
    if (!done.ok) return done
    if (done.value.slug === ctx.params.project) return { result: 'saved' as const }
    return { redirect: paths.projectSettings(scope.orgSlug, done.value.slug) }
  },
)

export const saveScrubbing = defineAction(
  'project.scrubbing',
  'project.write',
  object({
    extraKeys: linesField({ countMax: max('scrubKeysMax'), charsMax: 100 }),
    allowedKeys: linesField({ countMax: max('scrubKeysMax'), charsMax: 100 }),
    clientAddress: picklist(['keep', 'truncate', 'drop'], 'Choose one of the three.'),
    allowedDomains: linesField({ countMax: max('allowedDomainsMax'), charsMax: 253 }),
  }),
  async (ctx, { allowedDomains, ...scrub }) => {
    const project = await projectOf(ctx)
    const options = { ...project.options, scrub, allowedDomains }
    const done = await ctx.engine.commands.updateProject(ctx.viewer, ctx.scope, project.id, { options }, ctx)
    return done.ok ? { result: 'saved' as const } : done
  },
)

/** The name must be typed, because nothing of it can be brought back. */
export const deleteProject = defineAction(
  'project.delete',
  'project.delete',
  object({ confirm: pipe(string(), trim()) }),
  async (ctx, { confirm }) => {
    const project = await projectOf(ctx)
    if (confirm !== project.slug) {
      const rule = `Type ${project.slug} to go on.`
      return { error: { code: 'invalid_input' as const, message: rule, fields: { confirm: [rule] } } }
    }
    const done = await ctx.engine.commands.deleteProject(ctx.viewer, ctx.scope, project.id, ctx)
    return done.ok ? { redirect: paths.projects(ctx.scope.orgSlug) } : done
  },
)

/** The number must be typed, so that whoever deletes has seen how much it is. */
export const deletePerson = defineAction(
  'person.delete',
  'person.delete',
  object({
    by: picklist(PERSON_BY, 'Choose one of the three.'),
    person: pipe(string(), trim()),
    confirm: pipe(string(), trim()),
  }),
  async (ctx, { by, person, confirm }) => {
    const { engine, viewer, scope } = ctx
    const project = await projectOf(ctx)
    const found = await engine.queries.personEvents(scope, project.id, { by, person })
    if (!found.ok) return found
    const { events } = found.value
    if (confirm !== String(events)) {
      const rule = `${deletionText(events)} Type ${events} to go on.`
      return { error: { code: 'invalid_input' as const, message: rule, fields: { confirm: [rule] } } }
    }
    return engine.commands.deletePerson(viewer, scope, project.id, { by, person }, ctx)
  },
)

/** Names outlive events in users and tags: without an event there may be something to delete. */
function deletionText(events: number): string {
  if (events === 0) return 'No event names this person; the name would go from users and tags.'
  return `${events} ${events === 1 ? 'event' : 'events'} would go.`
}

export const createKey = defineAction(
  'key.create',
  'project.write',
  object({ name: nameField, ...limitFields }),
  async (ctx, { name, ...limit }) => {
    const project = await projectOf(ctx)
    const input = { name, rateLimit: limitOf(limit) }
    const done = await ctx.engine.commands.createKey(ctx.viewer, ctx.scope, project.id, input, ctx)
    return done.ok ? { result: done.value.id } : done
  },
)

export const saveKey = defineAction(
  'key.save',
  'project.write',
  object({ key: idField, name: nameField, ...limitFields }),
  async (ctx, { key, name, ...limit }) => {
    const project = await projectOf(ctx)
    const change = { name, rateLimit: limitOf(limit) }
    const { engine, viewer, scope } = ctx
    const done = await engine.commands.updateKey(viewer, scope, project.id, keyId(key), change, ctx)
    return done.ok ? { result: done.value.id } : done
  },
)

export const switchKey = defineAction(
  'key.switch',
  'project.write',
  object({ key: idField, to: picklist(['on', 'off']) }),
  async (ctx, { key, to }) => {
    const project = await projectOf(ctx)
    const { engine, viewer, scope } = ctx
    const change = { isActive: to === 'on' }
    const done = await engine.commands.updateKey(viewer, scope, project.id, keyId(key), change, ctx)
    return done.ok ? { result: done.value.id } : done
  },
)

export const rotateKey = defineAction(
  'key.rotate',
  'project.write',
  object({ key: idField }),
  async (ctx, { key }) => {
    const project = await projectOf(ctx)
    const done = await ctx.engine.commands.rotateKey(ctx.viewer, ctx.scope, project.id, keyId(key), ctx)
    return done.ok ? { result: done.value.id } : done
  },
)

export const deleteKey = defineAction(
  'key.delete',
  'project.write',
  object({ key: idField }),
  async (ctx, { key }) => {
    const project = await projectOf(ctx)
    return ctx.engine.commands.deleteKey(ctx.viewer, ctx.scope, project.id, keyId(key), ctx)
  },
)
