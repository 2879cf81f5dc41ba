import { readFileSync, writeFileSync } from 'node:fs'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupV1 } from './group.ts'

const dir = import.meta.dirname + '/corpus/'
const old = JSON.parse(readFileSync(dir + 'hashes.json', 'utf8'))
const all = ['captured.json', 'written.json'].flatMap((f) => JSON.parse(readFileSync(dir + f, 'utf8')))
for (const i of all) {
  const g = groupV1(aScrubbedEvent(i.event))
  if (g.hash !== old[i.name]) {
    console.log(i.name)
    console.log(
      g.explanation.map((c) => `   ${c.contributes ? '+' : '-'} ${c.name} ${c.value} (${c.note})`).join('\n'),
    )
    old[i.name] = g.hash
  }
}
if (process.argv[2]) writeFileSync(dir + 'hashes.json', JSON.stringify(old, null, 2) + '\n')
