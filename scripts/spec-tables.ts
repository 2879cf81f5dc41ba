/**
 * Tables of documents, made from the code they describe. `npm run docs` writes them between their marks in
 * `docs/specification.md`, `docs/grouping-rules.md` and the pages of the handbook; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PERMISSIONS } from '../packages/server/src/access/permissions.ts'
import { ERROR_CATALOGUE } from '../packages/server/src/base/errors.ts'
import { API_ROUTES } from '../packages/server/src/http/api/routes.ts'
import { LIMIT_AREAS, type LimitArea } from '../packages/server/src/limits/limits.ts'
import { SETTINGS } from '../packages/server/src/limits/settings.ts'
import { REASONS } from '../packages/server/src/model/outcome.ts'
import { handbookFiles } from '../packages/web/handbook/build-handbook.ts'
import { actions, handlers } from '../packages/web/src/shell/features.server.ts'
import { pages } from '../packages/web/src/shell/pages.ts'
import { groupingTables } from './grouping-tables.ts'
import { writeHandbookTexts } from './handbook-tables.ts'
import { table } from './markdown-table.ts'
import { ROOT } from './node24.mjs'

const SPECIFICATION = join(ROOT, 'docs/specification.md')
const GROUPING_RULES = join(ROOT, 'docs/grouping-rules.md')

/** Markdown by the name of its mark. */
export function specTables(): Readonly<Record<string, string>> {
  const yes = (has: boolean) => (has ? '✓' : '')
  return {
    pages: table(
      ['address', 'who'],
      pages.map(({ path, access }) => [code(path), who(access)]),
    ),
    handlers: table(
      ['address', 'who'],
      handlers.map(({ path, access }) => [code(path), who(access)]),
    ),
    actions: table(
      ['action', 'who'],
      actions.map(({ name, access }) => [code(name), who(access)]),
    ),
    api: table(
      ['method', 'address', 'permission'],
      API_ROUTES.map(({ method, pattern, permission }) => [
        method,
        code(pattern),
        who(permission ?? 'signed-in'),
      ]),
    ),
    permissions: table(
      ['permission', 'to', 'owner', 'manager', 'member', 'viewer', 'guest', 'token scopes'],
      Object.entries(PERMISSIONS).map(([name, { roles, scopes, what }]) => {
        const has = (role: string) => yes(roles.some((each) => each === role))
        return [
          code(name),
          what,
          has('owner'),
          has('manager'),
          has('member'),
          has('viewer'),
          has('guest'),
          scopes.map(code).join(' '),
        ]
      }),
    ),
    errors: table(
      ['code', 'status', 'cause', 'next step'],
      Object.entries(ERROR_CATALOGUE).map(([name, { status, cause, next }]) => [
        code(name),
        status,
        cause,
        next,
      ]),
    ),
    reasons: table(
      ['reason', 'what happened', 'next step'],
      Object.entries(REASONS).map(([name, { what, next }]) => [code(name), what, next]),
    ),
    limits: Object.entries(LIMIT_AREAS).map(limitTable).join('\n\n'),
    settings: table(
      ['flag', 'variable', 'default', 'unit', 'reason'],
      Object.values(SETTINGS).map(({ flag, variable, fallback, unit, reason }) => [
        code(flag),
        code(variable),
        fallback === '' ? '–' : code(fallback),
        unit,
        reason,
      ]),
    ),
  }
}

/** The specification with every marked table replaced. */
export function withTables(document: string): string {
  return replaced(document, specTables())
}

/** The rules of grouping with every marked table replaced. */
export function withGroupingTables(document: string): string {
  return replaced(document, groupingTables())
}

function replaced(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, markdown]) => {
    const mark = new RegExp(`(<!-- table: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
    if (!mark.test(text)) throw new Error(`No document has a mark for the table "${name}"`)
    return text.replace(mark, (_, start: string, end: string) => `${start}${markdown}\n${end}`)
  }, document)
}

export function readSpecification(): string {
  return readFileSync(SPECIFICATION, 'utf8')
}

export function readGroupingRules(): string {
  return readFileSync(GROUPING_RULES, 'utf8')
}

function limitTable([area, limits]: [string, LimitArea]): string {
  const rows = Object.entries(limits).map(([name, { value, unit, reason }]) => [
    code(name),
    value.toLocaleString('en-US'),
    unit,
    reason,
  ])
  return `### ${area}\n\n${table(['limit', 'value', 'unit', 'reason'], rows)}`
}

function code(text: string): string {
  return `\`${text}\``
}

function who(access: string): string {
  const words: Readonly<Record<string, string>> = {
    anyone: 'anyone',
    'signed-in': 'any signed-in user',
    operator: 'the operator',
  }
  return words[access] ?? code(access)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(SPECIFICATION, withTables(readSpecification()))
  writeHandbookTexts(handbookFiles(ROOT))
  writeFileSync(GROUPING_RULES, withGroupingTables(readGroupingRules()))
}
