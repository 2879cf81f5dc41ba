import type { SystemView } from '@errata/server/queries'
import { numberText } from '#ui/number-text.ts'

/** Names and values of threads that accept; nothing where the main thread was asked to accept alone, as on most machines. */
export function acceptRows({
  wanted,
  apart,
}: SystemView['acceptThreads']): readonly (readonly [string, string])[] {
  if (wanted === 1) return []
  if (apart === null) return [['Accept threads', `1 of ${wanted}: no shared port on this system`]]
  const { running, replaced, socketRenewed } = apart
  const again = [
    ...(replaced.died > 0 ? [`${numberText(replaced.died)} died`] : []),
    ...(replaced.hung > 0 ? [`${numberText(replaced.hung)} hung`] : []),
    ...(socketRenewed > 0 ? [`socket file lost ${times(socketRenewed)}`] : []),
  ]
  return [
    ['Accept threads', running === wanted ? numberText(running) : `${running} of ${wanted} running`],
    ...(again.length > 0 ? [['Restarted', again.join(', ')] as const] : []),
  ]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${numberText(count)} times`
}
