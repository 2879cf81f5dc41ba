export type { SignedIn } from './sessions.ts'
