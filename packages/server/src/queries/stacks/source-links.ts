/** Links an event's frames to the repository. */
import { type CodeMapping, commitOfRelease, sourceLink } from '#model/code-mapping.ts'
import type { ReleaseRevision } from '#ports/releases.ts'
import type { StoredEvent } from '../types.ts'
import { stacksOf } from './frame-notes.ts'

const LINKS_MAX = 200

/**
 * Returns addresses of source files by the frame's path, for the app's own frames that show source as it was written.
 */
export function sourceLinks(
  event: StoredEvent,
  mappings: readonly CodeMapping[],
  revision: ReleaseRevision | null,
): Readonly<Record<string, string>> {
  const links: Record<string, string> = {}
  if (mappings.length === 0) return links
  const commit = ({ repository }: CodeMapping) =>
    commitOfRelease({ name: event.release ?? null, revision, repository })
  let count = 0
  for (const [path, stack] of stacksOf(event)) {
    for (const [index, frame] of stack.frames.entries()) {
      if (frame.in_app !== true || frame.data?.symbolicated === false || count >= LINKS_MAX) continue
      const place = { path: frame.filename ?? frame.abs_path ?? '', line: frame.lineno ?? null, commit }
      const link = sourceLink(mappings, place)
      if (link === null) continue
      links[`${path}.frames.${index}`] = link
      count++
    }
  }
  return links
}
