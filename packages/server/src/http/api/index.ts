export { createApi } from './api.ts'
