/** Server actions by the names of their builds, looked up when somebody looks: an upload may come after the requests. */
import { max } from '#limits/limits.ts'
import type { Artifacts, AskedAction, NamedAction } from '#ports/artifacts.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface ActionNameParts {
  readonly artifacts: Pick<Artifacts, 'actions'>
}

/** As Next.js makes them: how an action is called that no wrapper named. */
const ID = /^[0-9a-f]{40,64}$/

function isActionId(text: string): boolean {
  return ID.test(text)
}

/** Texts to show in place of ids, by id; nothing for those that no upload names. */
export async function actionNames(
  { artifacts }: ActionNameParts,
  scope: ReadScope,
  asked: readonly AskedAction[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = asked.filter(({ id }) => isActionId(id)).slice(0, max('actionsAskedMax'))
  if (wanted.length === 0) return new Map()
  const found = await artifacts.actions(scope, wanted)
  return new Map(found.flatMap((action) => (action === null ? [] : [[action.id, shownAction(action)]])))
}

/** `addToCart (app/actions.ts)`; of an action that has no name of its own, its file and the start of its id. */
function shownAction({ id, file, name }: NamedAction): string {
  const isNamed = name !== '' && !name.startsWith('$$')
  return isNamed ? `${name} (${file})` : `${file} ${id.slice(0, 10)}…`
}
