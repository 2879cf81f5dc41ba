/** Part of grouping version 1. Which exceptions of an event make it the same as others. */
import type { ExceptionValue, ScrubbedEvent } from '#model/event.ts'

const EXCEPTIONS_MAX = 50

interface Tree {
  readonly root: Node
}
interface Node {
  readonly exception: ExceptionValue
  readonly children: Node[]
}

/** Causes first, what was thrown last: the one place that says in which order exceptions are read. */
export function exceptionsInOrder(event: ScrubbedEvent): readonly ExceptionValue[] {
  return event.exception?.values ?? []
}

/** Returns the exception that was thrown. */
export function thrownException(event: ScrubbedEvent): ExceptionValue | undefined {
  return exceptionsInOrder(event).at(-1)
}

/**
 * All exceptions of a chain, cause first. Of a group (`AggregateError` and kin) with valid ids only what it holds:
 * the one distinct member with its own causes, or the group and its distinct members in order of type. Ids that are
 * no tree are ignored.
 */
export function chainOf(
  values: readonly ExceptionValue[],
  identity: (exception: ExceptionValue) => string,
): readonly ExceptionValue[] {
  const bounded = values.slice(-EXCEPTIONS_MAX)
  if (!bounded.some((value) => value.mechanism?.is_exception_group === true)) return bounded
  const tree = readTree(bounded)
  if (tree === null) return bounded
  const members = distinctNodes(groupMembers(tree.root), identity)
  const [only] = members
  if (only === undefined) return bounded
  if (members.length === 1) return firstPath(only).reverse()
  const byType = members
    .map((node) => node.exception)
    .sort((one, other) => compare(identity(one), identity(other)))
  return [...byType, tree.root.exception]
}

/** `null` unless the ids are distinct, every parent exists, and all hang on one root. */
function readTree(values: readonly ExceptionValue[]): Tree | null {
  const nodes = new Map<number, Node>()
  for (const exception of values) {
    const id = exception.mechanism?.exception_id
    if (id === undefined || nodes.has(id)) return null
    nodes.set(id, { exception, children: [] })
  }
  let root: Node | null = null
  for (const [id, node] of nodes) {
    const parentId = node.exception.mechanism?.parent_id
    if (parentId === undefined) {
      if (root !== null) return null
      root = node
      continue
    }
    const parent = nodes.get(parentId)
    if (parent === undefined || parentId === id) return null
    parent.children.push(node)
  }
  if (root === null || countNodes(root) !== nodes.size) return null
  for (const node of nodes.values()) node.children.sort((one, other) => nodeId(one) - nodeId(other))
  return { root }
}

/** Nodes that can be reached: fewer than there are when ids run in a circle. */
function countNodes(root: Node): number {
  const waiting = [root]
  let count = 0
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    count += 1
    waiting.push(...node.children)
  }
  return count
}

/** Exceptions that are no group themselves, without their causes. */
function groupMembers(root: Node): readonly Node[] {
  if (root.exception.mechanism?.is_exception_group !== true) return [root]
  const members: Node[] = []
  const waiting = [...root.children]
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (node.exception.mechanism?.is_exception_group === true) waiting.push(...node.children)
    else members.push(node)
  }
  return members
}

function distinctNodes(
  nodes: readonly Node[],
  identity: (exception: ExceptionValue) => string,
): readonly Node[] {
  const seen = new Map<string, Node>()
  for (const node of nodes) {
    const key = identity(node.exception)
    if (!seen.has(key)) seen.set(key, node)
  }
  return [...seen.values()]
}

function firstPath(start: Node): ExceptionValue[] {
  const path: ExceptionValue[] = []
  for (let node: Node | undefined = start; node !== undefined; node = node.children[0])
    path.push(node.exception)
  return path
}

function nodeId(node: Node): number {
  return node.exception.mechanism?.exception_id ?? 0
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
