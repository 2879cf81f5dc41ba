import { Empty } from '#ui/empty.tsx'

/** Page of an issue whose events are all gone. */
export function NoEventKept() {
  return (
    <Empty title="No events left">
      This issue’s events were deleted: their retention ended, the disk was full, or they belonged to a person
      whose data was deleted. The counts stay.
    </Empty>
  )
}
