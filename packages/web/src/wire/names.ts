/** The names of the web app's wire, see docs/wire.md. No other module spells them. */

export const HEADERS = {
  /** `data` marks a request for page data. */
  page: 'Errata-Page',
  /** Build id of the page that asks. */
  build: 'Errata-Build',
  /** `prefetch` marks a request that nobody waits for yet. */
  purpose: 'Errata-Purpose',
  /** Name of the action that the body is for. */
  action: 'Errata-Action',
} as const

/** Hidden fields of a plain form post, which cannot send headers. */
export const FIELDS = {
  action: 'errata-action',
  /** Which of several forms of one action it was, so that its errors come back to it. */
  form: 'errata-form',
} as const

/** Query parameter of values typed on a page before somebody had to sign in again. */
export const HELD_FIELD = 'held'

/** Id of the element that hands the state of the document to the browser. */
export const STATE_ELEMENT = 'errata-state'
export const ROOT_ELEMENT = 'errata-root'

/** Fields that are never sent back to the page, whatever failed. */
export const SECRET_FIELD = /password|secret|^(?:current|next)$/i

/** Route id of the frame around every page. */
export const FRAME = 'frame'

/** Beside the data of routes: why parts of the page could not be read. */
export const UNREAD = 'unread'

/** Says whether the rail is collapsed in this browser. Of no secret, and read by the page itself. */
export const RAIL_COOKIE = 'errata-rail'

/** Event before another page takes the place of the one that is shown; a listener can prevent that. */
export const LEAVE = 'leave'
