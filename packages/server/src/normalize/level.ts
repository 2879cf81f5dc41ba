/** Levels in every spelling that SDKs and loggers use. */
import type { Level } from '#model/event.ts'
import type { EventReader } from './reader.ts'

const LEVEL_OF: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['crit', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['emerg', 'fatal'],
  ['panic', 'fatal'],
  ['error', 'error'],
  ['err', 'error'],
  ['severe', 'error'],
  ['exception', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['information', 'info'],
  ['informational', 'info'],
  ['notice', 'info'],
  ['log', 'info'],
  ['sample', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['fine', 'debug'],
])

/** The level, or `fallback` when absent or unknown; numbers are those of Python's logging (10 to 50). */
export function readLevel(reader: EventReader, value: unknown, fallback: Level): Level {
  if (value === null || value === undefined || value === '') return fallback
  const level = levelOf(value)
  if (level !== undefined) return level
  reader.problem('level', 'unknown_level', value)
  return fallback
}

function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'string') {
    const name = value.trim().toLowerCase()
    return LEVEL_OF.get(name) ?? (/^\d{1,2}$/.test(name) ? numericLevel(Number(name)) : undefined)
  }
  return typeof value === 'number' ? numericLevel(value) : undefined
}

function numericLevel(value: number): Level | undefined {
  if (value >= 10 && value < 20) return 'debug'
  if (value >= 20 && value < 30) return 'info'
  if (value >= 30 && value < 40) return 'warning'
  if (value >= 40 && value < 50) return 'error'
  return value === 50 ? 'fatal' : undefined
}
