/** Schemas of browsers' answers about passkeys, as far as they are read. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'

const NAME_CHARS_MAX = max('nameCharsMax')
const PART_CHARS_MAX = 20_000

const part = v.pipe(v.string(), v.maxLength(PART_CHARS_MAX), v.regex(/^[A-Za-z0-9_-]*$/))
const publicKeyType = v.literal('public-key')
/** Extensions are not asked for. */
const extensions = v.pipe(
  v.unknown(),
  v.transform(() => ({})),
)

const name = v.pipe(
  v.string('A name must be text.'),
  v.trim(),
  v.minLength(1, 'A name is required.'),
  v.maxLength(NAME_CHARS_MAX, `A name may have at most ${NAME_CHARS_MAX} characters.`),
)

export const PASSKEY_SCHEMAS = {
  passkeyName: v.strictObject({ name }),
  passkeyAnswer: v.object({
    id: part,
    rawId: part,
    type: publicKeyType,
    clientExtensionResults: extensions,
    response: v.object({ clientDataJSON: part, authenticatorData: part, signature: part }),
  }),
  newPasskey: v.object({
    name,
    answer: v.object({
      id: part,
      rawId: part,
      type: publicKeyType,
      clientExtensionResults: extensions,
      response: v.object({
        clientDataJSON: part,
        attestationObject: part,
        transports: v.optional(v.pipe(v.array(v.string()), v.maxLength(10)), []),
      }),
    }),
  }),
} as const
