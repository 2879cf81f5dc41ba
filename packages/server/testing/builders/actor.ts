import type { Actor } from '#ports/scope.ts'
import { NOW } from './times.ts'

export function anActor(atMs = NOW, change: Partial<Actor> = {}): Actor {
  return { userId: null, tokenId: null, label: 'tester', address: '192.0.2.1', atMs, ...change }
}
