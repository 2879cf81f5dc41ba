import { Empty } from '#ui/empty.tsx'

/** Where an issue is all that is left of its events. */
export function NoEventKept() {
  return (
    <Empty title="No event is kept">
      The events of this issue have passed the project’s retention, made room on the disk or went with a
      person’s data. What was counted stays.
    </Empty>
  )
}
