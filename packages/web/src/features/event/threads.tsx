/** Threads of an event, and the message of one without exception. */

import type { StoredEvent } from '#parts/issue-types.ts'
import { Chip } from '#ui/chip.tsx'
import { cutText } from '#ui/cut-text.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { FramesSwitch } from './exceptions.tsx'
import type { FramesShown } from './frames.ts'
import { LongText } from './long-text.tsx'
import { Stack } from './stack.tsx'
import { StackFormSwitch } from './stack-notes.tsx'
import { lineText } from './value-text.ts'

export function Message({ event, shown }: { readonly event: StoredEvent; readonly shown: FramesShown }) {
  const text = event.logentry?.formatted ?? event.message
  const hasException = (event.exception?.values.length ?? 0) > 0
  const stack = hasException ? undefined : event.stacktrace
  if (text === undefined && stack === undefined) return null
  const { message, params } = event.logentry ?? {}
  return (
    <Section
      title="Message"
      end={
        <>
          {stack === undefined ? null : <StackFormSwitch />}
          {stack === undefined || stack.frames.length < 2 ? null : (
            <FramesSwitch shown={shown} count={stack.frames.length} />
          )}
        </>
      }
    >
      {text === undefined ? null : (
        <div className="foreign text-14 whitespace-pre-wrap">
          <LongText text={text} path={event.logentry === undefined ? 'message' : 'logentry.formatted'} />
        </div>
      )}
      {message === undefined || message === text ? null : (
        <p className="foreign mt-1 font-mono text-12 text-ink-3 max-phone:line-clamp-3">
          {cutText(message, 600)} {params === undefined ? null : lineText(params, 300)}
        </p>
      )}
      {stack === undefined ? null : (
        <div className="mt-3 rounded-field border">
          <Stack
            stack={stack}
            ran={event.raw_stacktrace}
            shown={shown}
            path="stacktrace"
            platform={event.platform}
          />
        </div>
      )}
    </Section>
  )
}

/** Threads of an event, the crashed and the current ones first; another order is the SDK's. */
export function Threads({ event, shown }: { readonly event: StoredEvent; readonly shown: FramesShown }) {
  const threads = crashedFirst(event.threads?.values ?? [])
  if (threads.length === 0) return null
  const hasStack =
    event.stacktrace !== undefined ||
    (event.exception?.values.some((value) => value.stacktrace !== undefined) ?? false)
  const opened = threads[0]?.thread.crashed === true ? 'crashed' : 'current'
  return (
    <Section title="Threads" note={numberText(threads.length)}>
      <div className="rounded-field border">
        {threads.map(({ thread, index }) => (
          <details
            key={index}
            open={thread[opened] === true && !hasStack}
            className="group/thread border-t first:border-t-0"
          >
            <summary className="flex min-h-8 items-center gap-2 px-3 py-1 text-12 hover:bg-hover focus-visible:-outline-offset-2 max-phone:min-h-11">
              <Icon
                name="chevron-right"
                size={12}
                className="shrink-0 text-ink-3 group-open/thread:rotate-90"
              />
              <code className="foreign min-w-0">
                <span className="font-strong">{thread.name ?? 'Thread'}</span>{' '}
                <span className="text-ink-3">{thread.id}</span>
              </code>
              {thread.crashed === true ? <Chip tone="bad">Crashed</Chip> : null}
              {thread.current === true && thread.crashed !== true ? (
                <Chip tone="outline">Current</Chip>
              ) : null}
              <span className="ms-auto max-w-1/2 shrink-0 truncate text-ink-3">{thread.state}</span>
            </summary>
            {thread.stacktrace === undefined ? (
              <p className="border-t px-3 py-2 text-12 text-ink-3">
                The SDK sent no stack trace of this thread.
              </p>
            ) : (
              <Stack
                stack={thread.stacktrace}
                ran={thread.raw_stacktrace}
                shown={shown}
                path={`threads.values.${index}.stacktrace`}
                platform={event.platform}
              />
            )}
          </details>
        ))}
      </div>
    </Section>
  )
}

type Thread = NonNullable<StoredEvent['threads']>['values'][number]

/** Each thread with its place in the event, which is its name: ids may repeat. */
function crashedFirst(
  threads: readonly Thread[],
): readonly { readonly thread: Thread; readonly index: number }[] {
  const rank = ({ crashed, current }: Thread) => (crashed === true ? 0 : current === true ? 1 : 2)
  return threads.map((thread, index) => ({ thread, index })).sort((a, b) => rank(a.thread) - rank(b.thread))
}
