export { createApi } from './api.ts'
export { API_ROUTES } from './routes.ts'
