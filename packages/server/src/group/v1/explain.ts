/** Part of grouping version 1. Which parts counted and which did not, in words. */
import type { GroupingComponent } from '#model/event.ts'
import type { FrameKey, LeftOutFrames, StackKeys } from './frames.ts'
import type { Part } from './hash.ts'

const VALUE_CHARS_MAX = 200

export function messageNote(plain: string, raw: string): string {
  return plain === raw.trim() ? 'message' : 'message without what varies'
}

/** Parts of all frames, for traces that events share. */
const PARTS = new WeakMap<StackKeys, Part>()
const COMPONENTS = new WeakMap<StackKeys, readonly GroupingComponent[]>()

export function framesPart(stack: StackKeys, used: readonly FrameKey[]): Part {
  const known = used === stack.keys ? PARTS.get(stack) : undefined
  const part = known ?? used.map((key): Part => [key.place, key.code])
  if (known === undefined && used === stack.keys) PARTS.set(stack, part)
  return part
}

export function frameComponents(stack: StackKeys, used: readonly FrameKey[]): readonly GroupingComponent[] {
  const known = used === stack.keys ? COMPONENTS.get(stack) : undefined
  const components = known ?? componentsOf(stack, used)
  if (known === undefined && used === stack.keys) COMPONENTS.set(stack, components)
  return components
}

/** Newest frame first, as people read a stack trace. */
function componentsOf(stack: StackKeys, used: readonly FrameKey[]): readonly GroupingComponent[] {
  const kind = stack.inAppOnly ? 'in-app frame' : 'frame (none is in-app)'
  const isOther = !used.every((key) => stack.keys.includes(key))
  const shown = isOther ? used : stack.keys
  const why = isOther ? '' : 'ignored because no frame has a name that lasts from build to build'
  const components = [...shown].reverse().map((key) => {
    if (!used.includes(key)) return uncountedPart('frame', frameKeyText(key), `${kind}, ${why}`)
    const note = isOther ? `${kind}, one of the calls that repeat` : frameNote(key, kind)
    return hashedComponent('frame', frameKeyText(key), note)
  })
  return [...components, ...leftOutComponents(stack.leftOut())]
}

function leftOutComponents({ library, made, waiting }: LeftOutFrames): readonly GroupingComponent[] {
  const told: readonly (readonly [count: number, one: string, many: string, why: string])[] = [
    [library, 'library frame', 'library frames', 'ignored because in-app frames exist'],
    [
      made,
      'frame of the runtime or a logger',
      'frames of the runtime or a logger',
      'ignored because the engine, a compiler, a logger or the SDK adds such frames',
    ],
    [
      waiting,
      'frame behind await',
      'frames behind await',
      'ignored because only some browsers tell who waits',
    ],
  ]
  return told.flatMap(([count, one, many, why]) =>
    count === 0 ? [] : [uncountedPart('frame', count === 1 ? `1 ${one}` : `${count} ${many}`, why)],
  )
}

function frameNote(key: FrameKey, kind: string): string {
  if (key.by === 'source line') return `${kind}, by its source line`
  if (key.by === 'address') return `${kind}, by its address in the image: it has no symbols`
  if (key.by === 'line of page') return `${kind}, by its line in the page: it has no name`
  return key.by === 'nothing' ? `${kind}, by its module or file alone` : kind
}

function frameKeyText(key: FrameKey): string {
  if (key.code === '') return key.place
  return key.place === '' ? key.code : `${key.code} in ${key.place}`
}

type Name = GroupingComponent['name']

/** A component that is part of the hash. */
export function hashedComponent(name: Name, value: string, note: string): GroupingComponent {
  return { name, value, note, contributes: true }
}

/** A component that is shown with the reason why it does not count. */
export function uncountedPart(name: Name, value: string, note: string): GroupingComponent {
  return { name, value, note, contributes: false }
}

export function ignorePart(part: GroupingComponent, note: string): GroupingComponent {
  return part.contributes ? { ...part, note, contributes: false } : part
}

export function shortComponent(part: GroupingComponent): GroupingComponent {
  return part.value.length <= VALUE_CHARS_MAX
    ? part
    : { ...part, value: `${part.value.slice(0, VALUE_CHARS_MAX - 1)}…` }
}
