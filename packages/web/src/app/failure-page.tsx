import { FailureView } from '#wire/failure-view.tsx'
import { useFrame } from './frame-data.ts'
import { paths } from './paths.ts'

/** The error page of the app; knows where a recorded event of the browser is shown. */
export function FailurePage() {
  const { selfOrg } = useFrame()
  return (
    <FailureView
      recordedPath={selfOrg === null ? null : (eventId) => paths.issues(selfOrg, { query: eventId })}
    />
  )
}
