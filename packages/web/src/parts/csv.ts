/** Text of files that pages serve. */
export { csvText } from '@errata/server/http'
