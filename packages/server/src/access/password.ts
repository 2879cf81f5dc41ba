/** Passwords as argon2id, in the PHC string format: parameters and salt are stored beside each hash. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { type HashAsker, HashTurns } from './hash-turns.ts'

interface PasswordParameters {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

/** 64 MiB and 3 passes: RFC 9106's second recommended option with one lane. About 0.25 s on one slow core. */
export const PASSWORD_PARAMETERS: PasswordParameters = { memoryKib: 65_536, passes: 3, parallelism: 1 }

const SALT_BYTES = 16
const TAG_BYTES = 32
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,172})$/

export interface PasswordHasher {
  /** @throws ErrataError `overloaded` when too many wait. */
  hash(password: string, asker: HashAsker): Promise<string>
  /** Does the same work for `stored` null (no such account) and answers false then. Throws as `hash` does. */
  verify(password: string, stored: string | null, asker: HashAsker): Promise<boolean>
}

interface PasswordHasherOptions {
  /** Cheaper ones make tests fast. */
  readonly parameters?: PasswordParameters
}

export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const parameters = options.parameters ?? PASSWORD_PARAMETERS
  const turns = new HashTurns()
  const nobody: StoredHash = { parameters, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }
  return {
    async hash(password, asker) {
      const salt = randomBytes(SALT_BYTES)
      const tag = await turns.run(asker, () => derive(password, { parameters, salt, tagBytes: TAG_BYTES }))
      return encode({ parameters, salt, tag })
    },
    async verify(password, stored, asker) {
      const known = stored === null ? null : decodeHash(stored)
      const against = known ?? nobody
      const by = { ...against, tagBytes: against.tag.length }
      const tag = await turns.run(asker, () => derive(password, by))
      return timingSafeEqual(tag, against.tag) && known !== null
    },
  }
}

interface StoredHash {
  readonly parameters: PasswordParameters
  readonly salt: Buffer
  readonly tag: Buffer
}

function derive(
  password: string,
  by: { readonly parameters: PasswordParameters; readonly salt: Buffer; readonly tagBytes: number },
): Promise<Buffer> {
  const { memoryKib: memory, passes, parallelism } = by.parameters
  // The same letters typed on two keyboards must be the same password: NFKC, as RFC 8265 asks.
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message, nonce: by.salt, parallelism, tagLength: by.tagBytes, memory, passes },
      (error, tag) => (error === null ? resolve(tag) : reject(error)),
    )
  })
}

function encode({ parameters, salt, tag }: StoredHash): string {
  const { memoryKib, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function decodeHash(stored: string): StoredHash | null {
  const parts = PHC.exec(stored)
  if (parts === null) return null
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  return {
    parameters: {
      memoryKib: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
