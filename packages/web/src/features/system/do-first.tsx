import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { CommandText } from './command-text.tsx'
import type { SystemTask } from './system-tasks.ts'

const MARKS: Readonly<Record<SystemTask['urgency'], string>> = {
  now: 'text-bad',
  soon: 'text-warn',
  later: 'text-ink-3',
}

/** Lists what needs a person; nothing if nothing does. */
export function DoFirst({ tasks }: { readonly tasks: readonly SystemTask[] }) {
  if (tasks.length === 0) return null
  return (
    <Section title="To do" note="most urgent first">
      <ol className="border-t">
        {tasks.map((task, index) => (
          <li key={task.key} className="flex gap-3 border-b py-3 last:border-b-0 last:pb-0">
            <span
              aria-hidden="true"
              className="num grid size-5 shrink-0 place-items-center rounded-full border text-11 text-ink-2"
            >
              {index + 1}
            </span>
            <div className="min-w-0 flex-1">
              <h3 className="foreign text-13 font-strong">
                {task.title} <Mark task={task} />
              </h3>
              <p className="foreign max-w-160 text-13 text-ink-2">
                <CommandText text={task.text} />
              </p>
              {task.mend === undefined ? null : (
                <p className="foreign mt-1 max-w-160 text-13">
                  <CommandText text={task.mend} />
                </p>
              )}
              {task.action === undefined ? null : (
                <PageLink
                  className="link inline-flex items-center text-13 max-phone:min-h-11"
                  to={task.action.to}
                >
                  {task.action.text}
                </PageLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Mark({ task: { mark, sinceMs, urgency } }: { readonly task: SystemTask }) {
  if (mark === undefined && sinceMs === undefined) return null
  return (
    <span className={`text-12 font-normal whitespace-nowrap ${MARKS[urgency]}`}>
      {mark}
      {sinceMs === undefined ? null : (
        <>
          {mark === undefined ? '' : ' '}
          <Time ms={sinceMs} />
        </>
      )}
    </span>
  )
}
