/**
 * Compares the relay's snippets: the screen and the package's README say the same, and name functions that
 * exist.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { RELAY_FRAMEWORKS, relaySnippets } from '../../packages/web/src/parts/relay-snippets.ts'
import { ROOT } from '../tidy/sources.ts'

const README = readFileSync(join(ROOT, 'packages/relay/README.md'), 'utf8').replaceAll(
  '```ts fragment\n',
  '```ts\n',
)
const INPUT = {
  dsn: 'https://KEY@errata.example.com/42',
  query: 'o=ORG&p=PROJECT',
  url: 'https://errata.example.com',
}

for (const { id, name } of RELAY_FRAMEWORKS) {
  describe(`the relay's snippet for ${name}`, () => {
    const snippets = relaySnippets(id, INPUT)

    it('stands in the README', () => {
      const [, section] = README.split(`### ${name}\n`)
      assert.ok(README.includes(`\`\`\`sh\n${snippets[0]?.text}\n\`\`\``))
      for (const { text } of snippets.slice(1, -1)) {
        assert.ok(section?.includes(`\`\`\`ts\n${text}\n\`\`\``), text)
      }
    })

    it('imports what the package has, and calls it with options it takes', async () => {
      const text = snippets.map((snippet) => snippet.text).join('\n')
      const [, imported = '', from = ''] = /import \{ (\w+) \} from '(@errata\/relay[^']*)'/.exec(text) ?? []
      const entry: unknown = await import(from)
      const make: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, imported) : null
      assert.ok(typeof make === 'function', `${from} has no ${imported}`)
      if (id !== 'fastify') assert.ok(['function', 'object'].includes(typeof make({ dsn: INPUT.dsn })))
      assert.ok(text.includes(INPUT.dsn))
    })

    it('names organisation and project in the tunnel', () => {
      assert.match(snippets.at(-1)?.text ?? '', /^tunnel: '(?:\/api)?\/monitoring\?o=ORG&p=PROJECT',$/)
    })
  })
}
