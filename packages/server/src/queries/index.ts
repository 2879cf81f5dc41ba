export type { ReadScope } from '#ports/scope.ts'
export type { NoticesView } from './notices.ts'
export { PERSON_BY } from './person-key.ts'
export * from './types.ts'
