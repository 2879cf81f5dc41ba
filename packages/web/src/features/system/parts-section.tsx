import type { SystemView } from '@errata/server/queries'
import { Icon } from '#ui/icons.tsx'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { CommandText } from './command-text.tsx'
import { PART_NAMES } from './system-tasks.ts'

/** Every part with what it does, or with what is wrong. */
export function PartsSection({ system }: { readonly system: SystemView }) {
  return (
    <Section title="Health" note="what each part does, and its state">
      <ul className="border-t">
        {system.health.map((part) => (
          <Part key={part.name} part={part} system={system} />
        ))}
      </ul>
    </Section>
  )
}

function Part({
  part: { name, ok, detail },
  system,
}: {
  readonly part: SystemView['health'][number]
  readonly system: SystemView
}) {
  const { title, does } = PART_NAMES[name] ?? { title: name, does: '' }
  // What there is none of is neither well nor broken.
  const isOff = name === 'mail' && system.mail === null
  return (
    <li className="grid grid-cols-[16px_112px_minmax(0,1fr)_auto] items-start gap-x-3 border-b py-2 text-13 last:border-b-0 last:pb-0 max-phone:grid-cols-[16px_minmax(0,1fr)]">
      {isOff ? (
        <span
          role="img"
          aria-label="Off"
          className="mx-px mt-1 size-3.5 shrink-0 rounded-full border border-dashed border-control"
        />
      ) : (
        <Icon
          name={ok ? 'check' : 'exclamation'}
          className={`mt-0.5 shrink-0 ${ok ? 'text-good' : 'text-bad'}`}
          label={ok ? 'OK' : 'Not working'}
        />
      )}
      <span className="font-name">{title}</span>
      <span className={`foreign max-phone:col-start-2 ${ok ? 'text-ink-2' : ''}`}>
        {ok ? does : <CommandText text={detail} />}
      </span>
      <span className="text-end text-12 leading-5 text-ink-3 max-phone:col-start-2 max-phone:text-start">
        <PartFact name={name} system={system} />
      </span>
    </li>
  )
}

/** The one number that tells how a part is doing. */
function PartFact({ name, system }: { readonly name: string; readonly system: SystemView }) {
  switch (name) {
    case 'journal':
      return `${quantityText(system.perMinute.at(-2)?.accepted ?? 0, 'item')} a minute`
    case 'commit':
      return backlogText(system.backlog)
    case 'files':
      return <Round progress={system.verification.progress} />
    case 'control':
      return bytesText(system.disk.controlBytes)
    case 'mail':
      return system.mail === null ? 'off: no mail server' : `from ${system.mail.from}`
    default:
      return null
  }
}

function backlogText({ records, bytes, oldestMs }: SystemView['backlog']): string {
  if (records === 0) return 'nothing waiting'
  const waiting = `${quantityText(records, 'envelope')} (${bytesText(bytes)}) waiting`
  return oldestMs < 1_000 ? waiting : `${waiting}, the oldest for ${spanText(oldestMs)}`
}

function Round({ progress }: { readonly progress: SystemView['verification']['progress'] }) {
  const { begunMs, endedMs, filesDone, files } = progress
  if (begunMs === null) return 'first check starting'
  if (endedMs === null || endedMs < begunMs)
    return `checking file ${numberText(filesDone)} of ${numberText(files)}`
  return (
    <>
      checked <Time ms={endedMs} />
    </>
  )
}
