/** Parts that subcommands share: shape, options, and settings from every source. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSettings, SETTINGS, type SettingName, type Settings } from '@errata/server/settings'
import { leaveToOwner } from './directory-owner.ts'

export interface Subcommand {
  /** Words after `errata`. */
  readonly name: readonly string[]
  readonly summary: string
  readonly help: string
  /** Answers the exit status. */
  run(args: readonly string[]): Promise<number>
}

/** The command was called wrongly: the exit status is 2. */
export class UsageError extends Error {}

type OptionKinds = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
type OptionValues = Readonly<Record<string, string | boolean | undefined>>

/** Reads options strictly: an unknown one, or a word where none belongs, is a `UsageError`. */
export function readOptions(args: readonly string[], kinds: OptionKinds): OptionValues {
  try {
    return parseArgs({ args: [...args], options: { ...kinds }, strict: true, allowPositionals: false }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Reads options as `readOptions`, for a command that also takes words. */
export function readWords(
  args: readonly string[],
  kinds: OptionKinds,
): { readonly values: OptionValues; readonly words: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...kinds },
      strict: true,
      allowPositionals: true,
    })
    return { values, words: positionals }
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause))
  }
}

export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function requiredOptions(values: OptionValues, names: readonly string[]): void {
  const missing = names.filter((name) => textOption(values, name) === undefined)
  if (missing.length > 0) throw new UsageError(`missing: ${missing.map((name) => `--${name}`).join(', ')}`)
}

/** True for a web address, told in a way that Node 20 has: commands that ask a server run on it. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** `1 event`, `2 events`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Options of all settings, for commands that take them. */
export const SETTING_OPTIONS: OptionKinds = Object.fromEntries(
  Object.values(SETTINGS).map(({ flag }) => [flag.slice(2), { type: 'string' as const }]),
)

/** Settings from flags, variables and the data directory's file; a mistake in any of them is a `UsageError`. */
export function settingsFrom(values: OptionValues): Settings {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const [name, { flag }] of Object.entries(SETTINGS)) {
    const value = values[flag.slice(2)]
    if (typeof value === 'string') flags[name as SettingName] = value // Object.entries widens the keys of SETTINGS
  }
  const directory = resolve(flags.data ?? process.env.ERRATA_DATA ?? SETTINGS.data.fallback)
  const file = readConfigFile(join(directory, 'errata.config.json'))
  const answer = readSettings({ flags, env: process.env, ...(file === undefined ? {} : { file }) })
  if (!answer.ok)
    throw new UsageError(['Invalid settings:', ...answer.mistakes.map((line) => `  ${line}`)].join('\n'))
  leaveToOwner(answer.settings.data)
  return answer.settings
}

function readConfigFile(path: string): unknown {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new UsageError(`${path} isn’t JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Returns one line per setting, for the help of `serve`. */
export function settingsHelp(): string {
  return Object.values(SETTINGS)
    .map(({ flag, variable, fallback, unit, reason }) => {
      const shown = fallback === '' ? 'none' : fallback
      return `  ${flag} <${unit}>\n      ${variable}; default ${shown}. ${reason}`
    })
    .join('\n')
}
