/** For files that pages hand out. */
export { csvText } from '@errata/server/http'
