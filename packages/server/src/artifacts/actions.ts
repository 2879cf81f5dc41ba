/** The server actions that a bundle names. docs/wire.md, section "Artifact bundles". */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { NamedAction } from '#ports/artifacts.ts'
import type { OpenBundle } from './bundle.ts'

const FILE = 'files/_/_/server-actions.json'
const ID = /^[\w-]{1,128}$/
const FILE_CHARS = 512
const NAME_CHARS = 200

/** None where a bundle has no such file, or an unusable one: its maps are worth as much without. */
export async function actionsOfBundle(bundle: OpenBundle): Promise<readonly NamedAction[]> {
  const bytes = await bundle.read(FILE, max('bundleActionsBytesMax'))
  return bytes === null ? [] : readNamedActions(Buffer.from(bytes).toString('utf8'))
}

function readNamedActions(text: string): readonly NamedAction[] {
  const actions = parseJsonOrNull(text)
  if (!isObject(actions)) return []
  return Object.entries(actions)
    .slice(0, max('bundleActionsMax'))
    .flatMap(([id, action]): readonly NamedAction[] => {
      if (!isObject(action) || !ID.test(id)) return []
      const [file, name] = [boundedText(action.file, FILE_CHARS), boundedText(action.name, NAME_CHARS)]
      return file === '' ? [] : [{ id, file, name }]
    })
}

function boundedText(value: unknown, charsMax: number): string {
  return typeof value === 'string' ? value.slice(0, charsMax) : ''
}
