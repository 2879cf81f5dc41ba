/** Forms of a project's options: fields, what is saved of them, and what must have been seen. All from the table of settings. */
import {
  type OptionSection,
  optionsAt,
  type PlacedSetting,
  type Project,
  settingsIn,
  valueAt,
} from '@errata/server/queries'
import type { Refusal } from '@errata/server/result'
import { type GenericSchema, object, optional } from 'valibot'
import {
  choiceField,
  linesField,
  numberField,
  optionalNumberField,
  seenField,
  tickField,
} from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound } from '#wire/loader.ts'

type Options = Project['options']
type Typed = Readonly<Record<string, unknown>>

/** Returns what the form of a page shows, to be kept with it: whoever saves it must have seen what stands there. */
export function seenOptions(section: OptionSection, { options }: Pick<Project, 'options'>): string {
  const shown = settingsIn(section).map(({ path }) => ({ path, value: valueAt(options, path) }))
  return JSON.stringify({ options: optionsAt(shown) })
}

/** Returns names by which the palette finds the settings of a page. */
export function labelsIn(section: OptionSection): readonly string[] {
  return settingsIn(section).flatMap(({ setting: { label, alone = label, also = [] } }) =>
    [alone, also].flat(),
  )
}

/** Returns the fields of a page's form, in their order. */
export function optionFields(section: OptionSection, options: Options) {
  return settingsIn(section).flatMap((placed) => {
    const { label, hint, part = '' } = placed.setting
    const control = controlOf(placed, options)
    return control === null ? [] : [{ name: placed.name, label, hint, part, ...control }]
  })
}
export type OptionField = ReturnType<typeof optionFields>[number]

/** Returns `null` for what has a form of its own. */
function controlOf({ path, setting }: PlacedSetting, options: Options) {
  const value = valueAt(options, path)
  switch (setting.kind) {
    case 'whole':
    case 'whole-or-none':
      return {
        kind: 'number',
        unit: setting.unit,
        isRequired: setting.kind === 'whole',
        value: numberOrNull(value),
      } as const
    case 'switch':
      return { kind: 'switch', value: value === true } as const
    case 'choice':
      return { kind: 'choice', value: String(value), words: Object.entries(setting.words) } as const
    case 'texts':
      return { kind: 'texts', value: textsOf(value).join('\n'), rows: setting.rows } as const
    case 'special':
      if (setting.format === 'rate-limit') return { kind: 'limit', value: options.rateLimit } as const
      if (setting.format === 'span-sampling')
        return { kind: 'sampling', value: percentOf(options.spanSampling) } as const
      return null
    case 'text':
      return null
  }
}

/** Digits that a share keeps through percent and back: saving a form leaves what the API set. */
const EXACT_DIGITS = 15

function percentOf(sampling: Options['spanSampling']) {
  if (sampling === null) return null
  return { percent: Number((sampling.share * 100).toPrecision(EXACT_DIGITS)), slowMs: sampling.slowMs }
}

/** Returns the action that saves the form of a page. What is not sent stays as it is, but for boxes: see `typedValue`. */
export function optionsAction(name: string, section: OptionSection) {
  const settings = settingsIn(section)
  const inputs: Readonly<Record<string, GenericSchema>> = Object.assign({}, ...settings.map(inputsOf))
  return defineAction(
    name,
    'project.write',
    object({ ...inputs, seen: seenField }),
    async (ctx, { seen, ...typed }) => {
      const { engine, scope, params } = ctx
      const broken = samplingProblem(typed)
      if (broken !== null) return { error: broken }
      const project = (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
      const given = settings.map((setting) => ({
        path: setting.path,
        value: typedValue(setting, typed, seen),
      }))
      const change = { options: optionsAt(given.filter(({ value }) => value !== undefined)) }
      const done = await engine.commands.run('updateProject', ctx, { project: project.id, change, seen })
      return done.ok ? { result: { seen: seenOptions(section, done.value) } } : withLines(done, typed)
    },
  )
}

const NUMBER_OR_NONE = optional(optionalNumberField)

function inputsOf({ name, setting }: PlacedSetting): Readonly<Record<string, GenericSchema>> {
  switch (setting.kind) {
    case 'whole':
      return { [name]: optional(numberField) }
    case 'whole-or-none':
      return { [name]: NUMBER_OR_NONE }
    case 'switch':
      return { [name]: optional(tickField) }
    case 'choice':
      return { [name]: optional(choiceField(Object.keys(setting.words))) }
    case 'texts':
      return { [name]: optional(linesField) }
    case 'special':
      if (setting.format === 'rate-limit') return { count: NUMBER_OR_NONE, window: NUMBER_OR_NONE }
      if (setting.format === 'span-sampling') return { percent: NUMBER_OR_NONE, slowMs: NUMBER_OR_NONE }
      return {}
    case 'text':
      return {}
  }
}

/**
 * Returns the option as it was typed; nothing for what stays as it is. A box that is not ticked is not sent: it is off
 * if the form showed it, which `seen` tells.
 */
function typedValue({ name, path, setting }: PlacedSetting, typed: Typed, seen: object = {}): unknown {
  if (setting.kind === 'switch')
    return typed[name] ?? (valueAt(seen, ['options', ...path]) === undefined ? undefined : false)
  if (setting.kind !== 'special') return typed[name]
  if (setting.format === 'rate-limit') return typed.count === undefined ? undefined : limitOf(typed)
  if (setting.format === 'span-sampling') return typed.percent === undefined ? undefined : samplingOf(typed)
  return undefined
}

const MINUTE = 60

/** Returns a limit: a count; without one there is none. */
export function limitOf(typed: { readonly count?: unknown; readonly window?: unknown }) {
  const count = numberOrNull(typed.count)
  return count === null ? null : { count, window: numberOrNull(typed.window) ?? MINUTE }
}

/** `slowMs` counts only beside a share. */
function samplingOf({ percent, slowMs }: Typed) {
  const share = numberOrNull(percent)
  return share === null ? null : { share: share / 100, slowMs: numberOrNull(slowMs) ?? Number.NaN }
}

const PERCENT_RULE = 'Above 0 and below 100; leave empty to keep all.'

/** People think in percent, commands in shares: the command's own words would not fit the field. */
function samplingProblem({ percent }: Typed) {
  const share = numberOrNull(percent)
  if (share === null || (share > 0 && share < 100)) return null
  return { code: 'invalid_input', message: PERCENT_RULE, fields: { percent: [PERCENT_RULE] } } as const
}

/** A rule about one of many lines says which. */
function withLines(refused: Refusal, typed: Typed): Refusal {
  if (refused.fields === undefined) return refused
  const fields: Record<string, readonly string[]> = {}
  for (const [path, rules] of Object.entries(refused.fields)) {
    const [, name = '', index] = /^options\.(?:\w+\.)?(\w+)\.(\d+)$/.exec(path) ?? []
    const line = textsOf(typed[name])[Number(index)]
    if (line === undefined) fields[path] = rules
    else fields[name] = [...(fields[name] ?? []), `“${line}”: ${rules.join(' ')}`]
  }
  return { ...refused, fields }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
