import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { functionsOf } from './functions.ts'

/** The name of the innermost function around `HERE`; `null` where the source cannot be read. */
function around(source: string, name: string): string | null {
  const before = source.slice(0, source.indexOf('HERE')).split('\n')
  const [line, column] = [before.length - 1, before.at(-1)?.length ?? 0]
  const functions = functionsOf(source, name)
  if (functions === null) return null
  const inside = functions.filter(
    (each) =>
      (each.startLine < line || (each.startLine === line && each.startColumn <= column)) &&
      (each.endLine > line || (each.endLine === line && each.endColumn > column)),
  )
  return inside.at(-1)?.name ?? '<module>'
}

/** `file: expected ⇐ source`. */
const NAMED: readonly (readonly [file: string, source: string, name: string])[] = [
  ['a.js', 'function total() { HERE }', 'total'],
  ['a.js', 'async function* pages() { HERE }', 'pages'],
  ['a.js', 'HERE()', '<module>'],
  ['a.js', 'const f = function named() { HERE }', 'named'],
  ['a.ts', 'const total = (a: number): number => HERE', 'total'],
  ['a.ts', 'const total = ((a: number) => HERE) as Total', 'total'],
  ['a.ts', 'const total = ((a) => HERE) satisfies Total', 'total'],
  ['a.ts', 'const total = <T,>(a: T) => HERE', 'total'],
  ['a.js', 'let total; total = () => HERE', 'total'],
  ['a.js', 'list.map((each) => HERE)', ''],
  ['a.js', 'const sums = list.map((each) => HERE)', ''],
  ['a.js', '(function () { HERE })()', ''],
  ['a.js', 'setTimeout(() => HERE, 5)', ''],
  ['a.js', 'const timer = setTimeout(() => HERE, 5)', ''],
  ['a.js', 'const found = await new Promise((resolve) => HERE)', ''],
  ['a.js', 'export default function () { HERE }', 'default'],
  ['a.js', 'export default () => HERE', 'default'],
  ['a.js', 'class Cart { total() { HERE } }', 'Cart.total'],
  ['a.js', 'class Cart { static of() { HERE } }', 'Cart.of'],
  ['a.js', 'class Cart { constructor() { HERE } }', 'new Cart'],
  ['a.js', 'class Cart { get average() { HERE } }', 'Cart.average'],
  ['a.js', 'class Cart { #check() { HERE } }', 'Cart.#check'],
  ['a.js', 'class Cart { remove = () => HERE }', 'Cart.remove'],
  ['a.ts', 'class Cart { private readonly remove = (at: number) => HERE }', 'Cart.remove'],
  ['a.ts', '@Injectable() class Cart { @Get("/") async list() { HERE } }', 'Cart.list'],
  ['a.js', 'const Cart = class { total() { HERE } }', 'Cart.total'],
  ['a.js', 'class Cart { total() { return this.lines.map((line) => HERE) } }', ''],
  ['a.js', 'class Cart { total() { const one = (line) => HERE } }', 'one'],
  ['a.js', 'const api = { pay() { HERE } }', 'pay'],
  ['a.js', 'const api = { pay: async () => HERE }', 'pay'],
  ['a.js', 'const api = { "pay-now": () => HERE }', 'pay-now'],
  ['a.js', 'const api = { [computed]: () => HERE }', ''],
  ['a.js', 'exports.handler = async () => HERE', 'handler'],
  ['a.js', 'module.exports = { GET() { HERE } }', 'GET'],
  ['a.js', 'Cart.prototype.total = function () { HERE }', 'Cart.total'],
  ['a.js', 'app.onerror = (error) => HERE', 'app.onerror'],
  ['a.js', 'function outer(run = () => HERE) {}', 'run'],
  ['a.tsx', 'const Price = memo(({ count }: Props) => <b>{HERE}</b>)', 'Price'],
  ['a.tsx', 'const Field = forwardRef<HTMLInputElement, Props>((props, ref) => <i>{HERE}</i>)', 'Field'],
  ['a.tsx', 'const Field = React.memo(forwardRef((props, ref) => <i>{HERE}</i>))', 'Field'],
  ['a.tsx', 'const send = useCallback(async () => { HERE }, [])', 'send'],
  ['a.tsx', 'export default function Page() { return <a onClick={() => HERE}>x</a> }', 'onClick'],
  ['a.tsx', 'export default function Page() { return <a>{list.map((x) => <b key={x}>{HERE}</b>)}</a> }', ''],
  ['a.tsx', 'function Page() { useEffect(() => { HERE }, []) }', ''],
  ['a.jsx', 'const Page = () => <p>{HERE}</p>', 'Page'],
  ['a.js', 'const Page = () => <p>{HERE}</p>', 'Page'],
  ['a.js', '// @flow\nconst total = (a: ?number): number => HERE', 'total'],
  ['webpack://shop/./a.ts?f00', 'const total = (a: number) => HERE', 'total'],
  [
    'a.vue',
    '<template><p/></template>\n<script setup lang="ts">\nconst send = (a: number) => {\n  HERE\n}\n</script>',
    'send',
  ],
  ['a.vue', '<script>\nexport default { methods: { send() { HERE } } }\n</script>', 'send'],
  ['a.svelte', '<script lang="ts">\n  function send(a: number) {\n    HERE }\n</script>\n<p>x</p>', 'send'],
  ['a.astro', '---\nconst load = () => HERE\n---\n<p>x</p>', 'load'],
]

describe('a function has the name that its source gives it', () => {
  for (const [file, source, name] of NAMED) {
    it(`${file}: ${source.replaceAll('\n', '⏎')}`, () => assert.equal(around(source, file), name))
  }

  it('also where the source is broken in places', () => {
    assert.equal(around('const a = 1\nconst a = 2\nfunction total() { HERE }', 'a.js'), 'total')
  })

  it('and none where it is no program', () => {
    assert.equal(functionsOf('body { color: red }', 'a.css'), null)
    assert.equal(functionsOf('this is (not a program', 'a.js'), null)
    assert.equal(functionsOf(`x = ${'['.repeat(200_000)}`, 'a.js'), null)
    assert.equal(functionsOf(' '.repeat(2 * 1024 * 1024), 'a.js'), null, 'too large to be read')
  })
})
