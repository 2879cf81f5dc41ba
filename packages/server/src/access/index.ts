export * from './permissions.ts'
export * from './viewer.ts'
