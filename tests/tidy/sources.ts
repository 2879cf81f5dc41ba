/** The repository's own files as the tidy tests see them: tracked or about to be, parsed once. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Paths relative to the root, fixtures included, what git ignores left out. */
export function repositoryFiles(): readonly string[] {
  const list = (args: readonly string[]) =>
    execFileSync('git', ['ls-files', '-z', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }).split('\0')
  const files = new Set([...list([]), ...list(['--others', '--exclude-standard'])])
  return [...files].filter((file) => file !== '' && existsSync(join(ROOT, file))).sort()
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Specifiers of static and dynamic imports and re-exports; type-only ones marked. */
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[]
  readonly functions: readonly SourceFunction[]
  /** Names this file declares: functions, classes, types, variables at any depth. */
  readonly names: readonly string[]
  /** Top-level declarations by name, in their order. */
  readonly declared: readonly SourceDeclaration[]
  readonly escapes: {
    readonly any: number
    readonly as: number
    readonly nonNull: number
    readonly ignore: number
  }
}

export interface SourceDeclaration {
  readonly name: string
  readonly isExported: boolean
  readonly isFunction: boolean
}

export interface SourceFunction {
  readonly name: string
  readonly lines: number
  readonly parameters: number
  readonly isComponent: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Files that are what tests are about: nobody wrote them for this house. */
const FIXTURES = /^(?:tests\/fixtures|tests\/apps\/[^/]+|examples)\//

/** Every TypeScript and JavaScript file outside fixtures and examples. */
export function sourceFiles(): readonly SourceFile[] {
  return repositoryFiles()
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !FIXTURES.test(path))
    .map(readSource)
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const parsed = parseSync(path, text)
  const collected = {
    imports: [],
    functions: [],
    names: [],
    escapes: { any: 0, as: 0, nonNull: 0, ignore: 0 },
  } as Collected // arrays start empty: their element types are in Collected
  collected.escapes.ignore = text.match(/@ts-(ignore|expect-error|nocheck)/g)?.length ?? 0
  visit(parsed.program as unknown as Node, { text, path, collected, parent: null }) // the AST's own types are a large union; `Node` names what is read
  const declared = (parsed.program.body as unknown as readonly Node[]).flatMap(declarationsOf) // as above
  return { path, text, lines: text.split('\n').length, ...collected, declared }
}

function declarationsOf(statement: Node): readonly SourceDeclaration[] {
  const isExported = statement.type === 'ExportNamedDeclaration'
  const declaration = isExported ? statement.declaration : statement
  if (!isNode(declaration)) return []
  const declarators = declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
  if (!Array.isArray(declarators)) return []
  return declarators.filter(isNode).flatMap(({ type, id, init }) => {
    if (!isNode(id) || typeof id.name !== 'string') return []
    const made = isNode(init) ? init.type : type
    const isFunction = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(made)
    return [{ name: id.name, isExported, isFunction }]
  })
}

interface Collected {
  imports: { specifier: string; typeOnly: boolean }[]
  functions: SourceFunction[]
  names: string[]
  escapes: { any: number; as: number; nonNull: number; ignore: number }
}

interface Walk {
  readonly text: string
  readonly path: string
  readonly collected: Collected
  readonly parent: Node | null
}

function visit(node: Node, walk: Walk): void {
  collect(node, walk)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, { ...walk, parent: node })
    }
  }
}

function collect(node: Node, { text, collected, parent }: Walk): void {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      collectImport(node, collected)
      break
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      collected.functions.push(describeFunction(node, parent, text))
      break
    case 'TSAnyKeyword':
      collected.escapes.any++
      break
    case 'TSAsExpression':
      if (!isAsConst(node)) collected.escapes.as++
      break
    case 'TSNonNullExpression':
      collected.escapes.nonNull++
      break
  }
  const declared =
    node.type === 'VariableDeclarator' ||
    /^(Function|Class|TSInterface|TSTypeAlias)Declaration$/.test(node.type)
  const id = node.id
  if (declared && isNode(id) && typeof id.name === 'string') collected.names.push(id.name)
}

function collectImport(node: Node, collected: Collected): void {
  const source = node.source
  if (!isNode(source) || typeof source.value !== 'string') return
  const typeOnly = node.importKind === 'type' || node.exportKind === 'type'
  collected.imports.push({ specifier: source.value, typeOnly })
}

function describeFunction(node: Node, parent: Node | null, text: string): SourceFunction {
  const name = nameOf(node) ?? (parent === null ? null : nameOf(parent)) ?? '(anonymous)'
  const parameters = Array.isArray(node.params) ? node.params.length : 0
  return {
    name,
    lines: text.slice(node.start, node.end).split('\n').length,
    parameters,
    isComponent: /^[A-Z]/.test(name),
  }
}

function nameOf(node: Node): string | null {
  for (const key of ['id', 'key']) {
    const id = node[key]
    if (isNode(id) && typeof id.name === 'string') return id.name
  }
  return null
}

function isAsConst(node: Node): boolean {
  const type = node.typeAnnotation
  const name = isNode(type) ? type.typeName : null
  return isNode(name) && name.name === 'const'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
