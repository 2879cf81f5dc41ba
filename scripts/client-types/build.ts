/** The types of the client, made from the API's description: `src/description.d.ts`, and beside the package's own types. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { ROOT } from '../node24.mjs'

const FOLDER = join(ROOT, 'packages/client')
const TYPES = 'description.d.ts'
const HEAD = '/** Made by `npm run build` from what the server says of its web API. */\n'

/** `description`: OpenAPI as JSON text. */
export async function generateTypes(description: string): Promise<void> {
  const types = await openapiTypes(description, { silent: true, immutable: true })
  writeFileSync(join(FOLDER, 'src', TYPES), HEAD + astToString(types))
}

/** The compiler leaves declarations out that nothing was made of. */
export function shipTypes(): void {
  mkdirSync(join(FOLDER, 'dist'), { recursive: true })
  copyFileSync(join(FOLDER, 'src', TYPES), join(FOLDER, 'dist', TYPES))
}
