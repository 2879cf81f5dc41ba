/** Release, environment and dist: an invalid one is left out, never the event. docs/wire.md, section "Releases". */
import { releaseNameRule } from '#model/release-rules.ts'
import type { EventReader } from './reader.ts'

const ENVIRONMENT_CHARS = 64
const DIST_CHARS = 64
const ENVIRONMENT_BAD = /[/\n\r]/
const DIST_GOOD = /^[a-zA-Z0-9_.-]+$/

export function readReleaseName(reader: EventReader, value: unknown): string | undefined {
  const release = scalar(reader, value, 'release')
  if (release === undefined) return undefined
  if (releaseNameRule(release) !== null) {
    reader.problem('release', 'invalid_value', release)
    return undefined
  }
  return release
}

/** True for text that is not empty and has no white space around it. */
export function isEnvironment(environment: string): boolean {
  return (
    environment.length <= ENVIRONMENT_CHARS &&
    environment.toLowerCase() !== 'none' &&
    !ENVIRONMENT_BAD.test(environment)
  )
}

export function readEnvironment(reader: EventReader, value: unknown): string | undefined {
  const environment = scalar(reader, value, 'environment')
  if (environment === undefined) return undefined
  if (!isEnvironment(environment)) {
    reader.problem('environment', 'invalid_value', environment)
    return undefined
  }
  return environment
}

export function readDist(reader: EventReader, value: unknown): string | undefined {
  const dist = scalar(reader, value, 'dist')
  if (dist === undefined) return undefined
  if (dist.length > DIST_CHARS || !DIST_GOOD.test(dist)) {
    reader.problem('dist', 'invalid_value', dist)
    return undefined
  }
  return dist
}

function scalar(reader: EventReader, value: unknown, key: string): string | undefined {
  return reader.trimmed(value, key, 1_024)
}
