/** Address of a data directory's server, noted beside the data for commands that run without it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '#base/json.ts'
import type { PublicAddress } from '#base/public-address.ts'

interface NotedAddress {
  readonly url: string
  /** `--url` set it. */
  readonly isFixed: boolean
}

const CHARS_MAX = 2_000
const addressPath = (data: string) => join(data, 'address.json')

/** Once the server listens. @throws what the disk says */
export function noteAddress(data: string, { url, isFixed }: PublicAddress): void {
  const temporary = `${addressPath(data)}.${process.pid}`
  try {
    writeFileSync(temporary, JSON.stringify({ url, isFixed } satisfies NotedAddress), { mode: 0o600 })
    renameSync(temporary, addressPath(data))
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

/** Returns the address of the server that runs, or ran last; `null` if none is noted. */
export function notedAddress(data: string): NotedAddress | null {
  let noted: unknown
  try {
    const text = readFileSync(addressPath(data), 'utf8')
    noted = text.length > CHARS_MAX ? null : JSON.parse(text)
  } catch {
    return null // none ran yet, or what it noted was damaged
  }
  if (!isObject(noted) || typeof noted.url !== 'string' || !/^https?:/.test(noted.url)) return null
  return URL.canParse(noted.url) ? { url: noted.url, isFixed: noted.isFixed === true } : null
}
