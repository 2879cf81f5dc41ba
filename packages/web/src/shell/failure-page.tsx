import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { FailureView } from '#wire/failure-view.tsx'

/** The error page of the app; knows where a recorded event of the browser is shown. */
export function FailurePage() {
  const { selfOrg } = useFrame()
  return (
    <FailureView
      recordedPath={selfOrg === null ? null : (eventId) => paths.issues(selfOrg, { query: eventId })}
    />
  )
}
