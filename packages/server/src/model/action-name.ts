/** How server actions are called. */

/** Id that Next.js gives an action, used as its name while no wrapper names it. */
const ID = /^[0-9a-f]{40,64}$/

export function isActionId(text: string): boolean {
  return ID.test(text)
}

/** An id by its start, which tells it from others; a name is itself. */
export function shortAction(action: string): string {
  return isActionId(action) ? `${action.slice(0, 10)}…` : action
}

/** `addToCart (app/actions.ts)`; of an action that has no name of its own, its file and the start of its id. */
export function shownAction({
  id,
  file,
  name,
}: {
  readonly id: string
  readonly file: string
  readonly name: string
}): string {
  const isNamed = name !== '' && !name.startsWith('$$')
  return isNamed ? `${name} (${file})` : `${file} ${shortAction(id)}`
}
