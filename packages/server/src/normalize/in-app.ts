/** Whose code a frame is, where the SDK does not say. docs/wire.md, section "Frames". */
import type { Frame } from '#model/event.ts'

const JVM_SYSTEM =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|android|androidx|dalvik)\./
const PYTHON_SYSTEM = /[\\/](?:site-packages|dist-packages|lib[\\/]python\d|Lib[\\/])/
const JS_SYSTEM =
  /node_modules|webpack-internal|webpack\/(?:bootstrap|runtime)|^(?:node|internal|native|moz-extension|chrome-extension|safari-extension|safari-web-extension):/
const RUBY_SYSTEM = /[\\/](?:gems|rubygems|lib[\\/]ruby)[\\/]|^<internal:/
const PHP_SYSTEM = /(?:^|[\\/])vendor[\\/]|^\[internal\]/
const GO_SYSTEM = /[\\/](?:usr[\\/]local[\\/]go|go[\\/]src|pkg[\\/]mod|vendor)[\\/]/
const GO_STANDARD_MODULE = /^(?:runtime|net|testing|reflect|os|io|fmt|sync|syscall|internal)(?:[./]|$)/
const RUST_SYSTEM = /[\\/]rustc[\\/]|\.cargo[\\/]registry|^(?:std|core|alloc)::/
const DOTNET_SYSTEM = /^(?:System|Microsoft)\./
const NATIVE_SYSTEM = /^(?:\/usr\/lib|\/lib|\/System\/|\/Library\/|\/apex\/|\/system\/|[A-Za-z]:\\Windows\\)/

type Place = Pick<Frame, 'filename' | 'abs_path' | 'module' | 'package' | 'function'>

/** True for application code, false for libraries and the runtime; `undefined` when the frame names no place. */
export function deriveInApp(frame: Place, platform: string): boolean | undefined {
  const path = frame.abs_path ?? frame.filename
  if (path === undefined && frame.module === undefined && frame.package === undefined) return undefined
  return !isSystem(frame, path ?? '', platform)
}

function isSystem(frame: Place, path: string, platform: string): boolean {
  const name = frame.module ?? ''
  switch (platform) {
    case 'java':
    case 'kotlin':
    case 'scala':
    case 'groovy':
    case 'clojure':
      return JVM_SYSTEM.test(name === '' ? path : name)
    case 'python':
      return PYTHON_SYSTEM.test(path) || path.startsWith('<frozen')
    case 'javascript':
    case 'node':
    case 'bun':
    case 'deno':
      return (
        JS_SYSTEM.test(path) || JS_SYSTEM.test(frame.filename ?? '') || isBareNodeInternal(path, platform)
      )
    case 'ruby':
      return RUBY_SYSTEM.test(path)
    case 'php':
      return PHP_SYSTEM.test(path)
    case 'go':
      return GO_SYSTEM.test(path) || GO_STANDARD_MODULE.test(name)
    case 'rust':
      return RUST_SYSTEM.test(path) || RUST_SYSTEM.test(frame.function ?? '')
    case 'csharp':
    case 'dotnet':
      return DOTNET_SYSTEM.test(name)
    case 'native':
    case 'c':
    case 'cocoa':
    case 'objc':
    case 'swift':
      return NATIVE_SYSTEM.test(frame.package ?? path)
    default:
      return false
  }
}

/** Node before 16 names its own files `events.js` and `internal/process/…`, without a directory. */
function isBareNodeInternal(path: string, platform: string): boolean {
  return (
    platform === 'node' &&
    path !== '' &&
    !/^[/\\]|^[A-Za-z]:|:\/\/|^\.|^app:/.test(path) &&
    !path.includes('/src/') &&
    /^(?:internal\/[\w/]+|[a-z_]+)\.js$/.test(path)
  )
}
