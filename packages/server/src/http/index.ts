export { PublicAddress } from '#base/public-address.ts'
export { API_ROUTES, createApi } from './api/index.ts'
export { type HttpOptions, type HttpTimeouts, type RunningHttp, startHttp } from './server.ts'
export * from './types.ts'
