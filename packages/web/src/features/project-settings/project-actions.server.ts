import { keyId } from '@errata/server/ids'
import { PERSON_BY } from '@errata/server/queries'
import { object, optional, pipe, trim } from 'valibot'
import {
  choiceField,
  idField,
  optionalNumberField,
  platformField,
  seenField,
  textField,
} from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction } from '#wire/define-action.ts'
import { limitOf, optionsAction } from './options.server.ts'
import { requireProject } from './required-project.server.ts'
import { seenGeneral, seenKey } from './seen.server.ts'

const limitFields = { count: optionalNumberField, window: optionalNumberField }

export const saveProject = defineAction(
  'project.save',
  'project.write',
  object({
    name: textField,
    slug: textField,
    platform: platformField,
    seen: seenField,
  }),
  async (ctx, { seen, ...change }) => {
    const project = await requireProject(ctx)
    const { engine, scope } = ctx
    const done = await engine.commands.run('updateProject', ctx, { project: project.id, change, seen })
    if (!done.ok) return done
    if (done.value.slug === ctx.params.project) return { result: { seen: seenGeneral(done.value) } }
    return { redirect: paths.projectSettings(scope.orgSlug, done.value.slug) }
  },
)

export const saveScrubbing = optionsAction('project.scrubbing', 'scrubbing')
export const saveRetention = optionsAction('project.retention', 'retention')
export const saveFilters = optionsAction('project.filters', 'filters')
/** Numbers that clients of where the project was before name it by. */
export const saveNumbers = optionsAction('project.numbers', 'keys')

/** The name must be typed, because nothing of it can be brought back. */
export const deleteProject = defineAction(
  'project.delete',
  'project.delete',
  object({ confirm: pipe(textField, trim()) }),
  async (ctx, { confirm }) => {
    const project = await requireProject(ctx)
    if (confirm !== project.slug) {
      const rule = `Type ${project.slug} to confirm.`
      return { error: { code: 'invalid_input' as const, message: rule, fields: { confirm: [rule] } } }
    }
    const done = await ctx.engine.commands.run('deleteProject', ctx, project.id)
    return done.ok ? { redirect: paths.projects(ctx.scope.orgSlug) } : done
  },
)

/** The number must be typed, so that whoever deletes has seen how much it is. */
export const deletePerson = defineAction(
  'person.delete',
  'person.delete',
  object({
    by: choiceField(PERSON_BY),
    person: textField,
    confirm: pipe(textField, trim()),
  }),
  async (ctx, { by, person, confirm }) => {
    const { engine, scope } = ctx
    const project = await requireProject(ctx)
    const found = await engine.queries.personEvents(scope, project.id, { by, person })
    if (!found.ok) return found
    const { events } = found.value
    if (confirm !== String(events)) {
      const rule = `${deletionText(events)} Type ${events} to confirm.`
      return { error: { code: 'invalid_input' as const, message: rule, fields: { confirm: [rule] } } }
    }
    return engine.commands.deletePerson(ctx, { project: project.id, person: { by, person } })
  },
)

/** Names outlive events in users and tags: without an event there may be something to delete. */
function deletionText(events: number): string {
  if (events === 0)
    return 'No events identify this person. The person would still be removed from affected users and tags.'
  return `${events} ${events === 1 ? 'event' : 'events'} would be deleted.`
}

export const createKey = defineAction(
  'key.create',
  'project.write',
  object({ name: textField, public: optional(textField, ''), ...limitFields }),
  async (ctx, { name, public: taken, ...limit }) => {
    const project = await requireProject(ctx)
    const key = taken.trim() === '' ? {} : { public: taken }
    const input = { name, rateLimit: limitOf(limit), ...key }
    const done = await ctx.engine.commands.run('createKey', ctx, { project: project.id, ...input })
    return done.ok ? { result: done.value.id } : done
  },
)

export const saveKey = defineAction(
  'key.save',
  'project.write',
  object({ key: idField, name: textField, ...limitFields, seen: seenField }),
  async (ctx, { key, name, seen, ...limit }) => {
    const project = await requireProject(ctx)
    const change = { name, rateLimit: limitOf(limit) }
    const ref = { project: project.id, key: keyId(key) }
    const done = await ctx.engine.commands.run('updateKey', ctx, { ...ref, change, seen })
    return done.ok ? { result: { seen: seenKey(done.value) } } : done
  },
)

export const switchKey = defineAction(
  'key.switch',
  'project.write',
  object({ key: idField, to: choiceField(['on', 'off']) }),
  async (ctx, { key, to }) => {
    const project = await requireProject(ctx)
    const change = { isActive: to === 'on' }
    const done = await ctx.engine.commands.run('updateKey', ctx, {
      project: project.id,
      key: keyId(key),
      change,
    })
    return done.ok ? { result: done.value.id } : done
  },
)

export const rotateKey = defineAction(
  'key.rotate',
  'project.write',
  object({ key: idField }),
  async (ctx, { key }) => {
    const project = await requireProject(ctx)
    const done = await ctx.engine.commands.run('rotateKey', ctx, { project: project.id, key: keyId(key) })
    return done.ok ? { result: done.value.id } : done
  },
)

export const deleteKey = defineAction(
  'key.delete',
  'project.write',
  object({ key: idField }),
  async (ctx, { key }) => {
    const project = await requireProject(ctx)
    return ctx.engine.commands.run('deleteKey', ctx, { project: project.id, key: keyId(key) })
  },
)
