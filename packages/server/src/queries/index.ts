export type { ReadScope } from '#ports/scope.ts'
export * from './types.ts'
