// Preloaded in every thread of an Errata that runs from its sources: adds the kinds of `packages/server/testing/kinds`
// to the list of kinds, as docs/internals/kinds.md does by hand. Two lines each, and nothing else.
import { registerHooks } from 'node:module'

const ADDED = ['note', 'reading']
const LIST = 'clientReport, attachment]'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/packages/server/src/kinds/kinds.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(LIST)) throw new Error('kinds.ts lists its kinds otherwise')
    const imports = ADDED.map((name) => `import { ${name} } from '#testing/kinds/${name}/index.ts'`)
    const listed = source.replace(LIST, `clientReport, attachment, ${ADDED.join(', ')}]`)
    return { ...loaded, source: `${imports.join('\n')}\n${listed}` }
  },
})
