export { type Api, type ApiOptions, createApi } from './api.ts'
export type { ApiMethod, ApiRoute } from './call.ts'
export { API_ROUTES } from './routes.ts'
