/** Puts captured failures where the sample shop's own build fails in the same way: its source maps are uploaded. */
import builds from './builds.json' with { type: 'json' }
import { type DemoPayload, objectOf } from './plan-events.ts'

export interface CapturedPayload extends DemoPayload {
  /** Name in `failures` of builds.json. */
  readonly failure?: string | undefined
}

/** The same payload with the frames of the newest build, and the debug ID of its file; one without `failure` as it is. */
export function atBuild({ failure, ...payload }: CapturedPayload): DemoPayload {
  if (failure === undefined) return payload
  const build = builds.at(-1)
  const failed = build?.failures.find(({ name }) => name === failure)
  const file = build?.files.find(({ name }) => name === failed?.file)
  if (failed === undefined || file === undefined)
    throw new Error(`the newest build has no failure ${failure}`)
  const frames = failed.frames.map((frame) => ({ ...frame, filename: file.address, in_app: true }))
  const { type, value } = failed
  return {
    ...payload,
    event: {
      ...payload.event,
      exception: { values: [{ type, value, stacktrace: { frames }, mechanism: mechanismOf(payload) }] },
      debug_meta: { images: [{ type: 'sourcemap', code_file: file.address, debug_id: file.debugId }] },
    },
  }
}

function mechanismOf({ event }: DemoPayload): unknown {
  const exception = objectOf(event.exception)
  const first: unknown = 'values' in exception && Array.isArray(exception.values) ? exception.values[0] : null
  const thrown = objectOf(first)
  return 'mechanism' in thrown ? thrown.mechanism : null
}
