// `node serve.mjs FOLDER` serves what was built there.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from 'srvx'
import { staticMiddleware } from 'srvx/static'

const [, , folder = 'dist'] = process.argv
const { default: app } = await import(pathToFileURL(join(folder, 'server/server.js')).href)

serve({
  port: Number(process.env.PORT),
  hostname: process.env.HOST,
  middleware: [staticMiddleware({ dir: join(folder, 'client') })],
  fetch: app.fetch,
})
