export { PublicAddress } from '#base/public-address.ts'
export { createApi } from './api/index.ts'
export { startHttp } from './server.ts'
export * from './types.ts'
