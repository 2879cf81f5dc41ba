/** Deploy skew in words. */

import type { DeployDetail, DeployRow } from '@errata/server/queries'
import { versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import type { CauseName, Framework } from './advice.ts'

export type { DeployDetail, DeployRow }
export type SkewFailure = DeployDetail['places'][number]['failure']

export const FAILURE_NAMES: Readonly<Record<SkewFailure, string>> = {
  action: 'Unknown server action',
  key: 'Action that can’t be decrypted',
  chunk: 'Missing chunk',
  stylesheet: 'Missing stylesheet',
  'page-data': 'Page data of another build',
  reload: 'Reloaded by the framework',
}

const CAUSE_NAMES: Readonly<Record<CauseName, string>> = {
  build: 'Build changed',
  key: 'Encryption keys differ',
  assets: 'Assets removed',
}

/** `Build changed, assets removed`. */
export function causesText(causes: DeployRow['causes']): string {
  const text = causes.map(({ name }, at) => (at === 0 ? CAUSE_NAMES[name] : CAUSE_NAMES[name].toLowerCase()))
  return text.join(', ')
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Two units, since a half-life of 5 h 50 min is no 5 h. */
export function longText(ms: number): string {
  const pair = (large: number, unit: string, small: number, smallUnit: string) => {
    const rest = Math.floor((ms % large) / small)
    return rest === 0
      ? `${Math.floor(ms / large)} ${unit}`
      : `${Math.floor(ms / large)} ${unit} ${rest} ${smallUnit}`
  }
  if (ms >= DAY) return pair(DAY, 'd', HOUR, 'h')
  if (ms >= HOUR) return pair(HOUR, 'h', MINUTE, 'min')
  return ms < MINUTE ? '< 1 min' : `${Math.floor(ms / MINUTE)} min`
}

const BUILDS_NAMED = 3

/** `B, A and 2 more`; `null`: nobody says which. */
export function buildsText(releases: readonly string[]): string | null {
  const named = releases.slice(0, BUILDS_NAMED).map(versionOf)
  const more = releases.length - named.length
  const last = more === 0 ? named.pop() : `${numberText(more)} more`
  if (last === undefined) return null
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`
}

/** Describes a build's age when it was replaced. */
export function buildAgeText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < HOUR) return longText(ms)
  return ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`
}

export function usersText({ count, isExact }: DeployRow['users']): string {
  return `${isExact ? '' : '≈ '}${quantityText(count, 'user')}`
}

/** Returns the heading of the list of deploys, which at `most` shows the newest of perhaps more. */
export function deploysHead(range: string, count: number, most: number): { title: string; note: string } {
  if (count < most) return { title: 'All deploys', note: range }
  return { title: 'Deploys', note: `${range}, the newest ${numberText(count)}` }
}

const SDKS: readonly (readonly [part: string, framework: Framework])[] = [
  ['nextjs', 'next'],
  ['react-router', 'react-router'],
  ['remix', 'react-router'],
  ['nuxt', 'nuxt'],
  ['sveltekit', 'sveltekit'],
  ['astro', 'astro'],
]

/** Returns the framework whose advice fits the SDK; plain Vite if it names none. */
export function frameworkOf(sdk: string | null): Framework {
  if (sdk === null) return 'next'
  return SDKS.find(([part]) => sdk.includes(part))?.[1] ?? 'vite'
}
