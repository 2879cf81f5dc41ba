/** Kinds of settings: what one holds, and how a form asks for it. */

/** Pages of a project's settings that have some of these. */
export const OPTION_SECTIONS = {
  retention: 'Retention and limits',
  keys: 'Client keys',
  scrubbing: 'Data scrubbing',
  filters: 'Inbound filters',
  grouping: 'Grouping',
  'source-maps': 'Source maps',
} as const
export type OptionSection = keyof typeof OPTION_SECTIONS

/** Place and words of a setting, whatever it holds. */
interface Shown {
  /** Page of the settings. */
  readonly section: OptionSection
  /** Part of the page that it stands in; left out: the first, which has no title. */
  readonly part?: string
  /** Place within the part. */
  readonly at?: number
  readonly label: string
  readonly hint: string
  /** Name away from its form, where the label says too little: in the palette and the handbook. */
  readonly alone?: string
  /** Label of its second field. */
  readonly also?: string
}

interface Bounds extends Shown {
  readonly least: number
  readonly most: number
  /** Stands in the field: `days`. */
  readonly unit: string
  /** Begins the sentence about a broken bound: `Days: at most 365.` */
  readonly noun: string
}

export interface WholeSetting extends Bounds {
  readonly kind: 'whole'
  readonly fallback: number
}

/** `null` where there is none: the field is left empty. */
export interface WholeOrNoneSetting extends Bounds {
  readonly kind: 'whole-or-none'
  readonly fallback: number | null
}

export interface SwitchSetting extends Shown {
  readonly kind: 'switch'
  readonly fallback: boolean
}

export interface ChoiceSetting<Word extends string = string> extends Shown {
  readonly kind: 'choice'
  readonly fallback: Word
  /** Words of the web API, each with what the form says. */
  readonly words: Readonly<Record<Word, string>>
}

/** Form of one text of a list; `commands/option-schemas.ts` has the rule of each. */
export type TextFormat = 'line' | 'key-name' | 'domain' | 'pattern' | 'address-range' | 'project-number'

/** A list of texts, one a line in a form. */
export interface TextsSetting extends Shown {
  readonly kind: 'texts'
  readonly fallback: readonly string[]
  readonly format: TextFormat
  readonly most: number
  readonly noun: string
  /** True if one that is there already is left out. */
  readonly isUnique?: true
  /** Height of the field. */
  readonly rows: number
}

/** A text for which its page has a form of its own. */
export interface TextSetting extends Shown {
  readonly kind: 'text'
  readonly fallback: string
  readonly format: 'grouping-rules'
}

/** A value of several fields; schema and form know it by its format. */
export interface SpecialSetting<Value = unknown> extends Shown {
  readonly kind: 'special'
  readonly fallback: Value
  readonly format: 'rate-limit' | 'span-sampling' | 'code-mappings'
}

export type Setting =
  | WholeSetting
  | WholeOrNoneSetting
  | SwitchSetting
  | ChoiceSetting
  | TextsSetting
  | TextSetting
  | SpecialSetting

export interface SettingGroup<Fields extends Readonly<Record<string, Setting>>> {
  readonly kind: 'group'
  readonly fields: Fields
}

export type SettingTable = Readonly<Record<string, Setting | SettingGroup<Readonly<Record<string, Setting>>>>>

/** Options that a table describes. */
export type OptionsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends SettingGroup<infer Fields>
    ? OptionsOf<Fields>
    : Table[Name] extends { readonly fallback: infer Value }
      ? Value
      : never
}

export interface PlacedSetting {
  /** Names that lead to it: `['filters', 'releases']`. */
  readonly path: readonly string[]
  /** Last name of the path, which its field has in a form. */
  readonly name: string
  readonly setting: Setting
}

type Without<S> = Omit<S, 'kind'>

export const wholeSetting = (setting: Without<WholeSetting>): WholeSetting => ({ kind: 'whole', ...setting })
export const wholeOrNoneSetting = (setting: Without<WholeOrNoneSetting>): WholeOrNoneSetting => ({
  kind: 'whole-or-none',
  ...setting,
})
export const switchSetting = (setting: Without<SwitchSetting>): SwitchSetting => ({
  kind: 'switch',
  ...setting,
})
export const choiceSetting = <const Word extends string>(
  setting: Omit<ChoiceSetting<Word>, 'kind' | 'fallback'> & { readonly fallback: NoInfer<Word> },
): ChoiceSetting<Word> => ({ kind: 'choice', ...setting })
/** Empty unless the entry says otherwise. */
export const textsSetting = (
  setting: Omit<TextsSetting, 'kind' | 'fallback'> & Partial<Pick<TextsSetting, 'fallback'>>,
): TextsSetting => ({ kind: 'texts', fallback: [], ...setting })
export const textSetting = (setting: Without<TextSetting>): TextSetting => ({ kind: 'text', ...setting })
export const specialSetting = <Value>(setting: Without<SpecialSetting<Value>>): SpecialSetting<Value> => ({
  kind: 'special',
  ...setting,
})
export const settingGroup = <Fields extends Readonly<Record<string, Setting>>>(
  fields: Fields,
): SettingGroup<Fields> => ({ kind: 'group', fields })

/** Returns every setting of the table with its path. */
export function placedSettings(table: SettingTable): readonly PlacedSetting[] {
  return Object.entries(table).flatMap(([name, entry]) =>
    entry.kind === 'group'
      ? Object.entries(entry.fields).map(([inner, setting]) => ({
          path: [name, inner],
          name: inner,
          setting,
        }))
      : [{ path: [name], name, setting: entry }],
  )
}

/** Returns names of the table's groups. */
export function groupNames(table: SettingTable): readonly string[] {
  return Object.entries(table).flatMap(([name, { kind }]) => (kind === 'group' ? [name] : []))
}

/** Returns what a new project has. */
export function defaultOptions<Table extends SettingTable>(table: Table): OptionsOf<Table> {
  const defaults = Object.entries(table).map(([name, entry]) => [
    name,
    entry.kind === 'group' ? defaultOptions(entry.fields) : entry.fallback,
  ])
  return Object.fromEntries(defaults)
}

/** Returns the value at a path of options, or of what a form has seen of them. */
export function valueAt(options: object, path: readonly string[]): unknown {
  let value: unknown = options
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = new Map<string, unknown>(Object.entries(value)).get(name)
  }
  return value
}

/** Puts values at their paths into one object. */
export function optionsAt(
  values: readonly { readonly path: readonly string[]; readonly value: unknown }[],
): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = {}
  for (const {
    path: [first = '', inner],
    value,
  } of values) {
    if (inner === undefined) options[first] = value
    else options[first] = { ...Object(options[first]), [inner]: value }
  }
  return options
}
