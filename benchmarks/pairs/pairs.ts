/** `npm run bench -- --against <commit or tree>`: this build and another, step by step in pairs and whole in turn. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../packages/errata/bin/node-flags.mjs'
import { ROOT } from '../../scripts/node24.mjs'
import type { Tools } from '../measures/tools.ts'
import type { Product } from '../server/build.ts'
import { setUp } from '../server/errata.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { bundleAccept, processBytes } from './bundles.ts'
import type { BuildPaths, PairResult, PairTask } from './messages.ts'
import type { Tree } from './tree.ts'
import { measureWhole, type WholeRuns } from './whole.ts'

export interface PairReport {
  readonly name: string
  /** `null`: not asked for. */
  readonly pair: PairResult | null
  /** `null`: not asked for. */
  readonly whole: WholeRuns | null
}

export interface AgainstReport {
  readonly base: string
  /** Bytes of the bundled process step: base, this build. */
  readonly processBytes: readonly [number, number]
  readonly sizes: readonly PairReport[]
}

const KINDS = { 5: 'error-5k', 18: 'error-18k' } as const
const STACKS = 3
const EVENTS = { fresh: 3_072, warmUp: 7_168, measured: 10_240 } as const

type Shared = Pick<Tools, 'options' | 'generator' | 'onProgress'>

export async function measureAgainst(base: Tree, own: Product, tools: Shared): Promise<AgainstReport> {
  const { options, onProgress } = tools
  const sizes: PairReport[] = []
  for (const size of options.size === null ? ([5, 18] as const) : [options.size]) {
    const corpus = { kind: KINDS[size], stacks: options.stacks ?? STACKS, seed: options.seed }
    const task = { corpus, events: EVENTS, profiles: options.profiles }
    const pair = options.wholeOnly ? null : await measurePair(base, own, task)
    if (pair !== null)
      onProgress(`${size} KB: all three steps ${pair.together.ratio.toFixed(3)} of ${base.name}`)
    const whole = options.pairsOnly
      ? null
      : await measureWhole({ base: base.product, own }, { ...tools, size, stacks: corpus.stacks })
    sizes.push({ name: `${size} KB, ${corpus.stacks} stacks`, pair, whole })
  }
  const bytes = [processBytes(base.product.directory), processBytes(own.directory)] as const
  return { base: base.name, processBytes: bytes, sizes }
}

async function measurePair(
  base: Tree,
  own: Product,
  { profiles, ...task }: Pick<PairTask, 'corpus' | 'events'> & { readonly profiles: string | null },
): Promise<PairResult> {
  using directory = temporaryDirectory()
  const pathsOf = async (name: string, tree: string, product: Product): Promise<BuildPaths> => {
    // Names of one length: batches hold the path of their journal.
    const data = join(directory.path, name === 'base' ? 'a' : 'b')
    const { key, projectId } = await setUp(product, data)
    const acceptBundle = await bundleAccept(tree, join(directory.path, `${name}-accept`))
    return { product: product.directory, acceptBundle, data, key, projectId }
  }
  const paths = {
    base: await pathsOf('base', base.directory, base.product),
    own: await pathsOf('own', ROOT, own),
  }
  // Awaited here: the directory is gone once this function is left.
  const result = await inProcess({ ...task, ...paths }, profiles)
  return result
}

function inProcess(task: PairTask, profiles: string | null): Promise<PairResult> {
  const child = fork(fileURLToPath(new URL('./pair-process.ts', import.meta.url)), {
    execArgv: [...NODE_FLAGS, '--conditions=errata-source'],
    env: { ...process.env, ...NODE_ENVIRONMENT, ERRATA_PAIR_PROFILES: profiles ?? '' },
  })
  return new Promise((resolve, reject) => {
    child.once('message', (answer: { readonly result?: PairResult; readonly error?: string }) => {
      if (answer.result !== undefined) resolve(answer.result)
      else reject(new Error(answer.error))
    })
    child.once('exit', (code) => reject(new Error(`the process of the pairs ended with ${code}`)))
    child.send(task)
  })
}
