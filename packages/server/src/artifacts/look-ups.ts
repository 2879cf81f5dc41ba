/** Takes the steps of a look-up one by one, and tells each. What frames get is decided by the same `mapOf`. */
import type { FoundMap, Unresolved } from '#model/map-lookup.ts'
import type { MapIndex, MapState } from '#ports/artifacts.ts'
import { addressesOf } from '#symbolicate/addresses.ts'
import type { Maps, ProjectOfOrg } from '#symbolicate/lookup.ts'
import { sourceName } from '#symbolicate/paths.ts'
import type { LookUp, LookUpStep, LookUpStepName, LookUps, RanPlace } from './look-up.ts'

interface LookUpParts {
  readonly index: Pick<MapIndex, 'withDebugId' | 'atAddress' | 'isInOtherDist' | 'isKnownTo'>
  readonly maps: Maps
}

export function createLookUps(parts: LookUpParts): LookUps {
  return {
    async lookUp(project, places) {
      parts.maps.refresh()
      return places.map((place) => lookUp(parts, project, place))
    },
  }
}

/** Index of an installation without uploads. */
export const NOTHING_INDEXED: LookUpParts['index'] = {
  withDebugId: () => null,
  atAddress: () => null,
  isInOtherDist: () => false,
  isKnownTo: () => false,
}

type Found = FoundMap & { readonly found: true }

function lookUp({ index, maps }: LookUpParts, project: ProjectOfOrg, place: RanPlace): LookUp {
  const map = maps.of(project).mapOf(place)
  const steps = [
    ...stepsOfId(index, project, place),
    ...stepsOfRelease(index, project, { place, map }),
    elsewhere(index, project, { place, map }),
  ]
  if (!map.found) {
    const opens = map.why === 'map_damaged' ? step('opens', false, 'it can’t be read') : skippedStep('opens')
    const waits =
      map.why === 'map_pending' ? step('opens', false, 'it is being processed: reload in a moment') : opens
    return {
      why: map.why,
      steps: [...steps, waits, skippedStep('position'), skippedStep('source')],
      original: null,
    }
  }
  const rest = lookUpInMap(map, place)
  return { ...rest, steps: [...steps, step('opens', true, map.mapName), ...rest.steps] }
}

function stepsOfId(
  index: LookUpParts['index'],
  project: ProjectOfOrg,
  { debugId }: RanPlace,
): readonly LookUpStep[] {
  if (debugId === null) return [step('debug_id', false, ''), skippedStep('map_of_debug_id')]
  const state = index.withDebugId(project.id, debugId)
  return [step('debug_id', true, debugId), step('map_of_debug_id', hasMap(state), mapStateText(state))]
}

interface Looked {
  readonly place: RanPlace
  readonly map: FoundMap
}

const ADDRESSES_SHOWN = 4

function stepsOfRelease(
  index: LookUpParts['index'],
  project: ProjectOfOrg,
  { place: { release, dist, path }, map }: Looked,
): readonly LookUpStep[] {
  const isSettled = map.found && map.by === 'debug-id'
  if (isSettled || path === '') return [skippedStep('release'), skippedStep('address')]
  if (release === null) return [step('release', false, ''), skippedStep('address')]
  const names = step('release', true, dist === null ? `${release}, no dist` : `${release}, dist ${dist}`)
  const addresses = addressesOf(path)
  const at = addresses.find((address) => index.atAddress(project.id, { release, dist }, [address]) !== null)
  if (at !== undefined) {
    const state = index.atAddress(project.id, { release, dist }, [at])
    return [
      names,
      step('address', hasMap(state), `${at}${state?.state === 'no_map' ? ', without a map' : ''}`),
    ]
  }
  const more = addresses.length - ADDRESSES_SHOWN
  const tried = addresses.slice(0, ADDRESSES_SHOWN).join(', ')
  const isElsewhere = index.isInOtherDist(project.id, { release, dist }, addresses)
  const under = isElsewhere ? ' (it is there under another dist)' : ''
  return [names, step('address', false, `tried ${tried}${more > 0 ? ` and ${more} more` : ''}${under}`)]
}

function elsewhere(
  index: LookUpParts['index'],
  project: ProjectOfOrg,
  { place: { debugId }, map }: Looked,
): LookUpStep {
  if (map.found || debugId === null || index.withDebugId(project.id, debugId) !== null)
    return skippedStep('elsewhere')
  return step('elsewhere', index.isKnownTo(project.orgId, debugId), '')
}

function lookUpInMap({ places }: Found, { line, column }: RanPlace): LookUp {
  if (line === null)
    return { why: null, steps: [skippedStep('position'), skippedStep('source')], original: null }
  const at = `${line}:${column ?? 1}`
  const found = places.find(line, column ?? 1)
  if (found === null)
    return { why: 'outside_map', steps: [step('position', false, at), skippedStep('source')], original: null }
  const { line: originalLine, column: originalColumn, functionName, context } = found
  const source = sourceName(found.source)
  const why: Unresolved | null = context === null ? 'no_source_in_map' : null
  return {
    why,
    steps: [
      step('position', true, `${source}:${originalLine}:${originalColumn}`),
      step('source', context !== null, context?.line.trim().slice(0, 120) ?? ''),
    ],
    original: { source, line: originalLine, column: originalColumn, functionName },
  }
}

function hasMap(state: MapState | null): boolean {
  return state !== null && state.state !== 'no_map'
}

function mapStateText(state: MapState | null): string {
  if (state === null) return ''
  if (state.state === 'ready') return state.name
  if (state.state === 'damaged') return state.reason
  return state.state === 'waiting' ? 'being processed' : 'the file is there, without a map'
}

function step(name: LookUpStepName, isSo: boolean, detail: string): LookUpStep {
  return { name, state: isSo ? 'yes' : 'no', detail }
}

function skippedStep(name: LookUpStepName): LookUpStep {
  return { name, state: 'skipped', detail: '' }
}
