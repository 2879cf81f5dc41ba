/** The key of sealed secrets: a file beside the databases, made once. Backups leave it out. */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createSeal, SEAL_KEY_BYTES, type SecretSeal } from '#access/seal.ts'
import { sealKeyPath } from './paths.ts'

export function openSeal(data: string): SecretSeal {
  const path = sealKeyPath(data)
  try {
    writeFileSync(path, randomBytes(SEAL_KEY_BYTES).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  if (key.length !== SEAL_KEY_BYTES) throw new Error(`${path} holds no key of ${SEAL_KEY_BYTES} bytes in hex`)
  return createSeal(key)
}
