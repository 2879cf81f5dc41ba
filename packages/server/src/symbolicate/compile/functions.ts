/**
 * The functions of a source and their names, read from the source itself: the `names` of maps lack most of them. Names
 * are those a stack trace of the source would show: `Cart.total`, `new Cart`, `onClick`.
 */
import { type ParserPlugin, parse } from '@babel/parser'
import { max } from '#limits/limits.ts'

/** Lines and columns count from 0; the end is behind its last character. */
export interface FunctionSpan {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
  /** Empty: a function without a name. */
  readonly name: string
}

const FUNCTIONS_MAX = max('mapFunctionsMax')
const NAME_CHARS_MAX = 256

/**
 * Returns functions in the order of their beginnings; `null` for text that cannot be read as a program. Never
 * throws.
 */
export function functionsOf(source: string, name: string): readonly FunctionSpan[] | null {
  if (source.length > max('mapParsedSourceBytesMax')) return null
  const path = name.replace(/[?#].*$/, '').toLowerCase()
  if (/\.(?:css|scss|less|json|wasm|svg|html?|md)$/.test(path)) return null
  const program = /\.(?:vue|svelte|astro)$/.test(path) ? scriptsOf(source, path) : source
  for (const plugins of dialectsOf(path)) {
    const tree = treeOf(program, plugins)
    if (tree !== null) return collect(tree)
  }
  return null
}

const TYPES: ParserPlugin[] = [
  'typescript',
  'decorators',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
]
const TYPES_AND_MARKUP: ParserPlugin[] = [...TYPES, 'jsx']
const MARKUP: ParserPlugin[] = ['jsx', 'decorators', 'decoratorAutoAccessors', 'explicitResourceManagement']
const FLOW: ParserPlugin[] = ['flow', 'jsx']

/** Returns the dialects to try, likeliest first. */
function dialectsOf(path: string): readonly ParserPlugin[][] {
  if (/\.[mc]?ts$/.test(path)) return [TYPES]
  if (/\.(?:tsx|vue|svelte|astro)$/.test(path)) return [TYPES_AND_MARKUP, TYPES]
  return [MARKUP, TYPES_AND_MARKUP, FLOW]
}

/** Returns the scripts of a component file, each at its place. */
function scriptsOf(source: string, path: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  let program = ''
  let at = 0
  const frontMatter = path.endsWith('.astro') ? /^---\n([\s\S]*?)\n---/g : null
  for (const match of source.matchAll(frontMatter ?? /<script\b[^>]*>([\s\S]*?)<\/script\s*>/gi)) {
    const code = match[1] ?? ''
    const start = match.index + match[0].indexOf(code, code === '' ? 0 : match[0].search(/>|\n/))
    program += blank(source.slice(at, start)) + code
    at = start + code.length
  }
  return program + blank(source.slice(at))
}

/** A node of the tree, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly loc?: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
  } | null
  readonly [key: string]: unknown
}

function treeOf(program: string, plugins: ParserPlugin[]): Node | null {
  try {
    const { program: root } = parse(program, {
      ...{ sourceType: 'unambiguous', errorRecovery: true, attachComment: false, plugins },
      ...{ allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, allowUndeclaredExports: true },
      ...{ allowSuperOutsideMethod: true, allowNewTargetOutsideFunction: true },
    })
    return asNode(root)
  } catch {
    return null // not a program in this dialect, or nested beyond what can be held
  }
}

interface Visit {
  readonly node: Node
  /** The name that what stands here is given. */
  readonly hint: string
  /** The class around it. */
  readonly owner: string
}

function collect(tree: Node): readonly FunctionSpan[] {
  const found: FunctionSpan[] = []
  const left: Visit[] = [{ node: tree, hint: '', owner: '' }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    const named = functionAt(visit)
    if (named !== null && found.length < FUNCTIONS_MAX) found.push(named)
    left.push(...childrenOf(visit))
  }
  return found.sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn)
}

const METHODS: ReadonlySet<string> = new Set([
  ...['ObjectMethod', 'ClassMethod', 'ClassPrivateMethod', 'ClassAccessorProperty'],
])
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', ...METHODS],
])

function functionAt({ node, hint, owner }: Visit): FunctionSpan | null {
  if (!FUNCTIONS.has(node.type) || !node.loc) return null
  const { start, end } = node.loc
  return {
    ...{ startLine: start.line - 1, startColumn: start.column },
    ...{ endLine: end.line - 1, endColumn: end.column },
    name: nameOf(node, hint, owner).slice(0, NAME_CHARS_MAX),
  }
}

function nameOf(node: Node, hint: string, owner: string): string {
  if (node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod') {
    if (node.kind === 'constructor') return `new ${owner || 'class'}`
    return memberName(owner, keyOf(node))
  }
  if (node.type === 'ObjectMethod') return keyOf(node)
  return textOf(asNode(node.id)) || hint
}

/** Returns the parts of a node that may hold functions, with the names given to them there. */
function childrenOf({ node, hint, owner }: Visit): readonly Visit[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return visits(node, { init: textOf(asNode(node.id)) }, owner)
    case 'AssignmentExpression':
      return visits(node, { right: assignedTo(asNode(node.left)) }, owner)
    case 'AssignmentPattern':
      return visits(node, { right: textOf(asNode(node.left)) }, owner)
    case 'ObjectProperty':
      return visits(node, { value: keyOf(node) }, owner)
    case 'ClassDeclaration':
    case 'ClassExpression':
      return visits(node, {}, textOf(asNode(node.id)) || hint)
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return visits(node, { value: memberName(owner, keyOf(node)) }, owner)
    case 'ExportDefaultDeclaration':
      return visits(node, { declaration: 'default' }, owner)
    case 'JSXAttribute':
      return visits(node, { value: textOf(asNode(node.name)) }, owner)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return visits(node, isWrapper(asNode(node.callee)) ? { arguments: hint } : {}, owner)
    default:
      return visits(node, PASSED_ON.has(node.type) ? ALL_THE_SAME(hint) : {}, owner)
  }
}

/** Nodes that stand for what is in them. */
const PASSED_ON: ReadonlySet<string> = new Set([
  ...['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression'],
  ...['ConditionalExpression', 'LogicalExpression', 'JSXExpressionContainer', 'TypeCastExpression'],
])
const ALL_THE_SAME = (hint: string): Hints => ({
  ...{ expression: hint, consequent: hint, alternate: hint, right: hint },
})

type Hints = Readonly<Record<string, string>>

const NOT_WALKED: ReadonlySet<string> = new Set(['loc', 'start', 'end', 'extra', 'range', 'errors', 'type'])

function visits(node: Node, hints: Hints, owner: string): Visit[] {
  const found: Visit[] = []
  for (const [key, value] of Object.entries(node)) {
    if (NOT_WALKED.has(key) || typeof value !== 'object' || value === null) continue
    const hint = hints[key] ?? ''
    for (const each of Array.isArray(value) ? value : [value]) {
      const child = asNode(each)
      if (child !== null) found.push({ node: child, hint, owner })
    }
  }
  return found
}

/** Calls that give back what they were given, such as `memo(…)` and `cache(…)`; not those of a list or a promise. */
function isWrapper(callee: Node | null): boolean {
  if (callee?.type === 'Identifier')
    return !/^(?:set(?:Timeout|Interval|Immediate)|queueMicrotask)$/.test(textOf(callee))
  return callee?.type === 'MemberExpression' && textOf(asNode(callee.object)) === 'React'
}

/** `a.b.c` without what every module or class has in common. */
function assignedTo(target: Node | null): string {
  return textOf(target)
    .replace(/^(?:module\.exports|exports|this|window|globalThis|self)\.(?=.)/, '')
    .replace(/\.prototype(?=\.)/, '')
}

/** A name as it is written: an identifier, or a chain of them. */
function textOf(node: Node | null): string {
  if (node === null) return ''
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return typeof node.name === 'string' ? node.name : ''
    case 'PrivateName':
      return `#${textOf(asNode(node.id))}`
    case 'ThisExpression':
      return 'this'
    case 'StringLiteral':
    case 'NumericLiteral':
      return String(node.value)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return memberText(node)
    default:
      return ''
  }
}

function memberText(node: Node): string {
  const property = asNode(node.property)
  if (node.computed === true && property?.type !== 'StringLiteral') return ''
  const object = textOf(asNode(node.object))
  const name = textOf(property)
  return object === '' ? name : `${object}.${name}`
}

function keyOf(node: Node): string {
  const key = asNode(node.key)
  return node.computed === true && key?.type === 'Identifier' ? '' : textOf(key)
}

function memberName(owner: string, key: string): string {
  return owner === '' || key === '' ? key : `${owner}.${key}`
}

function asNode(value: unknown): Node | null {
  return isNode(value) ? value : null
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
