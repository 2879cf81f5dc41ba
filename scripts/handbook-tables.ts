/**
 * Writes what pages for people say twice, from the code: tables between marks, and numbers before a mark of
 * their own (`90<!-- = retentionDaysDefault -->`). `npm run docs` writes both; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SUBCOMMANDS } from '../packages/errata/src/subcommands.ts'
import { PERMISSIONS, SCOPE_GROUPS } from '../packages/server/src/access/permissions.ts'
import { ERROR_CATALOGUE } from '../packages/server/src/base/errors.ts'
import { METRIC_TEXTS } from '../packages/server/src/engine/health/metric-table.ts'
import { API_ROUTES } from '../packages/server/src/http/api/routes.ts'
import { LIMITS } from '../packages/server/src/limits/limits.ts'
import { SETTINGS } from '../packages/server/src/limits/settings.ts'
import { REASONS } from '../packages/server/src/model/outcome.ts'
import { PLACED_SETTINGS } from '../packages/server/src/model/project-options.ts'
import {
  OPTION_SECTIONS,
  type Setting,
  type SpecialSetting,
} from '../packages/server/src/model/setting-kinds.ts'
import { readHandbook } from '../packages/web/handbook/build-handbook.ts'
import { ROLES } from '../packages/web/src/features/org-settings/roles.ts'
import { PRESETS } from '../packages/web/src/features/org-settings/token-presets.server.ts'
import type { Handbook } from '../packages/web/src/handbook/handbook.ts'
import { pages } from '../packages/web/src/shell/pages.ts'
import { table } from './markdown-table.ts'
import { ROOT } from './node24.mjs'

const TABLES: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  'docs/operating/configure.md': () => ({ settings: settingsTable() }),
  'docs/roles.md': () => ({
    roles: table(
      ['role', 'in short'],
      ROLES.map(({ role, what }) => [capitalised(role), what]),
    ),
    permissions: permissionTable(),
    scopes: table(
      ['scope', 'lets a token'],
      SCOPE_GROUPS.flatMap(({ scopes }) => scopes.map(({ scope, what }) => [code(scope), what])),
    ),
    presets: table(
      ['choice', 'for', 'scopes'],
      PRESETS.map(({ name, what, scopes }) => [
        name,
        what,
        scopes === null ? 'those of your role' : scopes.map(code).join(' '),
      ]),
    ),
  }),
  'docs/outcomes.md': () => ({
    reasons: table(
      ['reason', 'what happened', 'what to do'],
      Object.entries(REASONS).map(([name, { what, next }]) => [code(name), what, next]),
    ),
  }),
  'docs/operating/metrics.md': () => ({ metrics: metricTable() }),
  'docs/operating/commands.md': () => ({ commands: SUBCOMMANDS.map(commandText).join('\n\n') }),
  'docs/api-calls.md': () => ({
    calls: callTable(),
    errors: table(
      ['code', 'status', 'what happened', 'what to do'],
      Object.entries(ERROR_CATALOGUE).map(([name, { status, cause, next }]) => [
        code(name),
        status,
        cause,
        next,
      ]),
    ),
  }),
  'docs/projects.md': () => ({ options: optionTable() }),
  'docs/screens.md': () => ({ screens: screenTable(readHandbook(ROOT).handbook) }),
}

function settingsTable(): string {
  return table(
    ['name, flag, variable', 'default', 'what for'],
    Object.entries(SETTINGS).map(([name, { flag, variable, fallback, unit, reason }]) => [
      `${code(name)} ${code(flag)} ${code(variable)}`,
      fallback === '' ? '–' : code(fallback),
      `${reason.replaceAll('<', '\\<')} Value: ${unit}.`,
    ]),
  )
}

function optionTable(): string {
  return table(
    ['setting', 'page', 'in `options`', 'takes', 'at first'],
    PLACED_SETTINGS.map(({ path, setting }) => [
      [setting.alone ?? setting.label, setting.also ?? []].flat().join(', '),
      OPTION_SECTIONS[setting.section],
      code(path.join('.')),
      takes(setting),
      atFirst(setting),
    ]),
  )
}

function takes(setting: Setting): string {
  switch (setting.kind) {
    case 'whole':
      return `${numbers(setting)} ${setting.unit}`
    case 'whole-or-none':
      return `${numbers(setting)} ${setting.unit}, or ${code('null')}: left empty`
    case 'switch':
      return `${code('true')} or ${code('false')}`
    case 'choice':
      return Object.keys(setting.words).map(code).join(', ')
    case 'texts':
      return `a list of at most ${setting.most.toLocaleString('en-US')} texts`
    case 'text':
      return 'a text of lines'
    case 'special':
      return SPECIAL[setting.format]
  }
}

const SPECIAL: Readonly<Record<SpecialSetting['format'], string>> = {
  'rate-limit': '`{window, count}`: so many events in so many seconds, or `null`',
  'span-sampling':
    '`{share, slowMs}`: a share above 0 and below 1, and from when a request is slow, or `null`',
  'code-mappings': 'a list of `{stackRoot, sourceRoot, repository, host, branch}`',
}

function numbers({ least, most }: { readonly least: number; readonly most: number }): string {
  return `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`
}

function atFirst({ kind, fallback }: Setting): string {
  if (kind === 'whole' || kind === 'whole-or-none') return code(String(fallback))
  return Array.isArray(fallback) && fallback.length === 0 ? 'empty' : code(JSON.stringify(fallback))
}

function metricTable(): string {
  return table(
    ['metric', 'kind', 'labels', 'what it says'],
    Object.entries(METRIC_TEXTS).map(([name, { kind, labels, help, more = '' }]) => [
      code(name),
      kind,
      labels.map(code).join(' '),
      `${help} ${more}`.trim(),
    ]),
  )
}

/** Settings have a page of their own. */
function commandText({ name, help }: (typeof SUBCOMMANDS)[number]): string {
  const [text = ''] = help.split(/\n\n +--data <path>/)
  const more = text === help ? '' : '\n\nIts flags are [every setting](configure.md#every-setting).'
  return `## ${name.join(' ')}\n\n\`\`\`text\n${text.trim()}\n\`\`\`${more}`
}

function callTable(): string {
  return table(
    ['call', 'does', 'any of these scopes'],
    API_ROUTES.map(({ method, pattern, permission, what }) => [
      code(`${method} ${pattern}`),
      what,
      scopesOf(permission ?? null),
    ]),
  )
}

function scopesOf(permission: string | null): string {
  if (permission === 'anyone') return 'none is needed'
  const found = Object.entries(PERMISSIONS).find(([name]) => name === permission)
  return found === undefined ? 'any' : found[1].scopes.map(code).join(' ')
}

function permissionTable(): string {
  return table(
    ['may', 'who'],
    Object.values(PERMISSIONS).map(({ what, roles }) => [
      what,
      roles.length === ROLES.length ? 'everybody' : roles.join(', '),
    ]),
  )
}

function screenTable({ pages: sections }: Handbook): string {
  const named = pages.filter(({ path }) => path !== '*')
  return table(
    ['address', 'who may open it', 'explained in'],
    named.map(({ path, access, docs }) => [code(path), who(access), placeText(docs, sections)]),
  )
}

/** `[Alert rules › Noise](alerts.md#noise)`; every page of `docs` is one folder up at most. */
function placeText(docs: string, sections: Handbook['pages']): string {
  const [slug = '', anchor = ''] = docs.split('#')
  const page = sections.find((each) => each.slug === slug)
  if (page === undefined) throw new Error(`The handbook has no page ${slug}`)
  const section = page.sections.find((each) => each.anchor === anchor && anchor !== '')
  if (anchor !== '' && section === undefined) throw new Error(`The handbook has no section ${docs}`)
  const file = slug === '' ? 'README.md' : slug === 'operating' ? 'operating/README.md' : `${slug}.md`
  const text = section === undefined ? page.title : `${page.title} › ${section.heading}`
  return `[${text}](${file}${anchor === '' ? '' : `#${anchor}`})`
}

function who(access: string): string {
  const words = new Map([
    ['anyone', 'anyone'],
    ['signed-in', 'any signed-in user'],
    ['operator', 'the operator'],
  ])
  const permission = Object.entries(PERMISSIONS).find(([name]) => name === access)
  return words.get(access) ?? `who may ${permission?.[1].what ?? access}`
}

function code(text: string): string {
  return `\`${text}\``
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

const UNITS = new Map([
  ['s', 1_000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
  ['KB', 1_024],
  ['MB', 1_048_576],
])
/** `50<!-- = mentionsPerCommentMax -->`, `5<!-- = smtpPatienceMs in minutes -->` */
const NUMBER = /[\d,.]+(<!-- = (\w+)(?: in (\w+))? -->)/g

/** With every number that names its limit as the code has it. */
export function withLimits(document: string): string {
  return document.replaceAll(NUMBER, (_, mark: string, name: string, unit: string | undefined) => {
    const found = Object.entries(LIMITS).find(([each]) => each === name)
    const per = unit === undefined ? 1 : UNITS.get(unit)
    if (found === undefined || per === undefined) throw new Error(`There is no limit "${name}" in ${unit}`)
    return `${(found[1].value / per).toLocaleString('en-US')}${mark}`
  })
}

function withTables(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, markdown]) => {
    const mark = new RegExp(`(<!-- table: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
    if (!mark.test(text)) throw new Error(`No document has a mark for the table "${name}"`)
    return text.replace(mark, (_, start: string, end: string) => `${start}${markdown}\n${end}`)
  }, document)
}

/** Files of the handbook that have something of the code, as they stand and as they should. */
export function handbookTexts(files: readonly string[]) {
  return files.map((path) => {
    const written = readFileSync(join(ROOT, path), 'utf8')
    return { path, written, expected: withLimits(withTables(written, TABLES[path]?.() ?? {})) }
  })
}

export function writeHandbookTexts(files: readonly string[]): void {
  for (const { path, written, expected } of handbookTexts(files))
    if (written !== expected) writeFileSync(join(ROOT, path), expected)
}
