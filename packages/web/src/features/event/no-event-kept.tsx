import { Empty } from '#ui/empty.tsx'

/** Where an issue is all that is left of its events. */
export function NoEventKept() {
  return (
    <Empty title="No events left">
      This issue’s events were removed: they were past the project’s retention, made room on the disk, or
      belonged to a deleted user. The counts stay.
    </Empty>
  )
}
