import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { RequestKind } from '#model/event.ts'
import { parseSearch } from './parse.ts'
import { readRouteSearch } from './route-search.ts'
import { readTraceSearch } from './trace-search.ts'

/** Pins what searches mean that people have saved, linked to and read about: no change of the grammar changes it. */
const PINNED = new URL('../../../../../tests/fixtures/search/forms.json', import.meta.url)
const PAGES = ['search', 'traces', 'issue-list', 'everyday', 'skew', 'workflow'].map(
  (name) => new URL(`../../../../../docs/${name}.md`, import.meta.url),
)

/** Beside those of the handbook: each key in each of its spellings, each sign, each sort of mistake. */
const WRITTEN = `
kind:document request_kind:action KIND:document kind:page !kind:prefetch kind:[document,action] !kind:[document,action]
status:ok status:failed !status:failed status:failed-behind-200 status:aborted status:404 status:5xx !status:5xx status:6xx
http.status:500 http.status_code:500 http.response.status_code:404 STATUS:ok status:[ok,aborted] status:[404,500] tags[plan]:gold
failed:yes failed:no !failed:true failed:maybe is:failed is:aborted is:n+1 !is:n+1 is: is:unresolved is:new !is:failed is:[failed,aborted]
duration:>1s duration:>=1s duration:<1s duration:<=1s duration:=1s duration:1s duration:500 duration:>1m duration:>2h !duration:>1s duration:fast
method:get !method:POST http.method:GET transaction:checkout !transaction:checkout op:db op:http* span.op:db !op:db op:[db,http]
trace:4bf92f3577b34da6a3ce929d0e0e4736 !trace:4bf92f3577b34da6a3ce929d0e0e4736 4bf92f3577b34da6a3ce929d0e0e4736 trace:a
waits:database !waits:server waits:nothing waits:[database,calls] service:shop !service:shop service:sh* service:[shop,blog]
issue:SHOP-1 !issue:SHOP-1 project:shop project.name:shop route:/orders/[id] !route:/orders route:/or* route:[/a,/b] route:/files/\\*
user:42 user:id:42 user.email:ann@shop.example !user:42 user:[1,2] has:user has:release !has:release has:plan release:"" status:"" plan:""
release:shop@1.2 release:latest release:[shop@1,shop@2] environment:production !environment:staging release.version:>1.2 stage:adopted
browser:Chrome browser.name:Chrome os:iOS os.name:iOS device:Pixel device.family:Pixel runtime:node server_name:web-1 dist:7 url:/a http.url:/a
action:save level:error level:[error,fatal] level:loud assigned:me assigned:none assignee:ann@shop.example bookmarks:me subscribed:me priority:high
firstSeen:-24h lastSeen:+7d age:-24h timestamp:-1h timestamp:>=2026-11-01 !timestamp:-1h date:-1h events:>100 users:<=5 times_seen:100 events:many
error.type:TypeError error.value:x* platform:node handled:no error.handled:no error.unhandled:yes error.mechanism:onerror stack.filename:a.ts
title:boom message:boom culprit:app category:server errata.category:client event.type:error issue.category:error userSeen:-1h
p95:>1s p95:>=1200 p95:<1m p50:>100 p75:<=0.3s p99:>2.9s failures:>=2% failures:>2 requests:>100 failed:>3 behind200:>0 aborted:<1
p95:slow p95:1s !p95:>1s p94:>1s requets:>1 colour:red P95:>1s
`
const WHOLE = [
  ...[
    '',
    ' ',
    'boom',
    '"two words"',
    '!boom',
    '!"two words"',
    'a*b',
    '\\*',
    '""',
    '!',
    'GET /x "y"',
    '/:shelf/(shop)',
  ],
  ...[
    'a OR b',
    'a AND b',
    '(a OR b) c',
    'level:error or level:fatal',
    'NOT level:error',
    '(',
    'a)',
    '()',
    '((a)',
  ],
  ...[
    'TypeError: x is undefined',
    'std::bad_alloc',
    'https://shop.example/a?b=c',
    'NOT NULL constraint failed: users.email',
  ],
  ...[
    'status: failed',
    'duration: long',
    'op: db',
    'kind: document',
    'p95: high',
    'failed: to fetch',
    'Failed: to fetch',
  ],
  ...[
    'route:/a route:/b',
    'status:failed status:failed-behind-200',
    'duration:>1s duration:>2s duration:<4s',
  ],
  ...[
    'trace:a trace:b',
    'issue:1 issue:2',
    'kind:action OR kind:document',
    'requests:>100 kind:document orders',
  ],
  ...[
    'tags[status]:failed',
    'tags[kind]:document',
    'tags[release]:shop@1',
    'tags[a b]:c',
    '!tags[op]:db',
    'has:status',
  ],
  ...[
    'level:error !level:fatal environment:[production,staging] "total is"',
    'is:unresolved assigned:[me,none]',
  ],
]

const ROW = {
  count: 200,
  failed: 4,
  failedBehind200: 1,
  aborted: 0,
  p50Ms: 100,
  p75Ms: 300,
  p95Ms: 1_200,
  p99Ms: 3_000,
}
const ROWS = (
  [
    ['/orders/[id]', 'document', {}],
    ['/orders', 'action', { count: 3, failed: 0, p95Ms: null }],
    ['/files/*', 'document', { aborted: 9, p95Ms: 900 }],
  ] as const satisfies readonly (readonly [string, RequestKind, object])[]
).map(([route, kind, change]) => ({ route, kind, ...ROW, ...change }))

/** Searches in code spans of the handbook. */
function documented(): readonly string[] {
  return PAGES.filter((page) => existsSync(page)).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`([^`\n]{1,80})`/g)]
      .map(([, text = '']) => text)
      .filter((text) => /^!?(?:\(|[A-Za-z_][\w.-]*:|tags\[)/.test(text)),
  )
}

function meaningOf(text: string) {
  const { terms, problems } = parseSearch(text)
  const route = readRouteSearch(text)
  return {
    issues: { terms, problems },
    traces: readTraceSearch(text),
    routes: { found: ROWS.map((row) => route.matches(row)), problems: route.problems },
  }
}

describe('what a search says', () => {
  const texts = [...new Set([...WHOLE, ...WRITTEN.trim().split(/\s+/), ...documented()])].sort()
  const isThere = existsSync(PINNED)
  const meanings = Object.fromEntries(texts.map((text) => [text, meaningOf(text)]))
  const lines = texts.map((text) => `${JSON.stringify(text)}: ${JSON.stringify(meanings[text])}`)
  if (!isThere) writeFileSync(PINNED, `{\n${lines.join(',\n')}\n}\n`)
  const pinned: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(PINNED, 'utf8'))

  it('is pinned for every form that is documented or saved', () => {
    assert.ok(isThere, 'the meanings were written anew: read what changed of them')
    assert.deepEqual(Object.keys(pinned).sort(), texts)
  })

  for (const [text, meaning] of Object.entries(pinned))
    it(`is what it was: ${text}`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(meaningOf(text))), meaning)
    })
})
