/** Events read again with the maps of today, on the thread that holds them. */

import type { LateMaps } from '#artifacts/late-maps.ts'
import type { ProjectId } from '#base/ids.ts'
import { readAgain, regroupEvent, rewrittenEvent } from '#kinds/error/read-again.ts'
import type { LateBundles, LateProject } from '#ports/late-maps.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { createScrubber, type Scrubber } from '#scrub/scrub.ts'
import type { Maps } from '#symbolicate/lookup.ts'

export function createLateMaps({ index, maps }: { index: LateBundles; maps: Maps }): LateMaps {
  const scrubbers = new Scrubbers()
  const contextOf = (project: LateProject) => {
    maps.refresh()
    return { maps: maps.of(project), scrubber: scrubbers.of(project.id, project.scrub) }
  }
  return {
    symbolicate: async (project, event) => readAgain(event, { ...contextOf(project), tellsWhy: true }),
    regroup: async (project, payload) => regroupEvent(payload, contextOf(project)),
    rewrite: async (project, payload) => rewrittenEvent(payload, contextOf(project)),
    lateBundles: async (limit) => index.lateBundles(limit),
    mended: async (mark) => index.mended(mark),
  }
}

/** A project's scrubber is compiled once, until its options change. */
class Scrubbers {
  readonly #known = new Map<ProjectId, { readonly options: string; readonly scrubber: Scrubber }>()

  of(project: ProjectId, scrub: ScrubOptions): Scrubber {
    const options = JSON.stringify(scrub)
    const known = this.#known.get(project)
    if (known?.options === options) return known.scrubber
    const scrubber = createScrubber(scrub)
    this.#known.set(project, { options, scrubber })
    return scrubber
  }
}
