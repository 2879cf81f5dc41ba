import type { SystemView } from '@errata/server/queries'
import { quantityText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { DoFirst } from './do-first.tsx'
import { PartsSection } from './parts-section.tsx'
import { Pressures } from './pressures.tsx'
import { RetentionSection } from './retention-section.tsx'
import type { loadSystem } from './system.server.ts'
import { Quarantine, RefusedWithoutProject } from './system-lists.tsx'
import { SystemFrame } from './system-page.tsx'
import { SystemSide } from './system-side.tsx'
import { factsText, type SystemTask, tasksOf } from './system-tasks.ts'

export function SystemPage() {
  const system = usePageData<typeof loadSystem>()
  const tasks = tasksOf(system)
  return (
    <SystemFrame title="Status">
      <div className="mb-4 text-14">
        <Summary system={system} tasks={tasks} />
      </div>
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_300px] wide:gap-x-6">
        <div className="min-w-0 max-phone:[&_.btn]:min-h-11 max-phone:[&_input]:min-h-11">
          <DoFirst tasks={tasks} />
          <PartsSection system={system} />
          <Pressures
            pressures={system.pressures}
            heldBack={system.heldBack}
            heldBackKeys={system.heldBackKeys}
          />
          <RetentionSection retention={system.retention} />
          <Quarantine rows={system.quarantined} />
          <RefusedWithoutProject rows={system.refusedWithoutProject} />
        </div>
        <SystemSide system={system} />
      </div>
    </SystemFrame>
  )
}

/** They lack something, and everything else works. */
const OF_THEIR_OWN: ReadonlySet<string> = new Set(['files', 'clock', 'mail'])

/** How it is doing, in one sentence. */
function Summary({ system, tasks }: { readonly system: SystemView; readonly tasks: readonly SystemTask[] }) {
  const broken = system.health.filter(({ name, ok }) => !ok && !OF_THEIR_OWN.has(name))
  const needed = tasks.filter(({ urgency }) => urgency !== 'later')
  const works =
    broken.length === 0
      ? `Errata is working${factsText(system)}.`
      : `${quantityText(broken.length, 'part')} not working.`
  if (needed.length === 0)
    return <p>{`${works} ${tasks.length === 0 ? 'Nothing to do.' : 'Nothing is urgent.'}`}</p>
  return (
    <p>
      {`${works} `}
      <strong className={broken.length === 0 ? 'text-warn' : 'text-bad'}>
        {needed.length === 1 ? 'One thing needs attention.' : `${needed.length} things need attention.`}
      </strong>
    </p>
  )
}
