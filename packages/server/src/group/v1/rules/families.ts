/** Part of grouping version 1. Which platforms name functions and files by the same rules. */

export type Family =
  | 'javascript'
  | 'python'
  | 'ruby'
  | 'php'
  | 'java'
  | 'go'
  | 'csharp'
  | 'native'
  | 'elixir'
  | 'perl'
  | 'lua'
  | 'dart'
  | 'other'

export const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: 'javascript',
  node: 'javascript',
  bun: 'javascript',
  deno: 'javascript',
  python: 'python',
  ruby: 'ruby',
  php: 'php',
  java: 'java',
  groovy: 'java',
  kotlin: 'java',
  scala: 'java',
  clojure: 'java',
  android: 'java',
  go: 'go',
  csharp: 'csharp',
  dotnet: 'csharp',
  c: 'native',
  cocoa: 'native',
  objc: 'native',
  native: 'native',
  rust: 'native',
  swift: 'native',
  elixir: 'elixir',
  erlang: 'elixir',
  perl: 'perl',
  lua: 'lua',
  dart: 'dart',
  flutter: 'dart',
  other: 'other',
}

export function platformFamily(platform: string): Family {
  return Object.hasOwn(FAMILIES, platform) ? (FAMILIES[platform] ?? 'other') : 'other'
}
