/** How errors and messages are asked for: see `model/dataset.ts`. */
import { datasetOf } from '#model/dataset.ts'
import { LEVELS, REQUEST_KINDS } from '#model/event.ts'
import { CATEGORIES } from '#model/recognised.ts'
import { ERRORS } from './fields.ts'

export const ERROR_DATASET = datasetOf(ERRORS, {
  name: 'errors',
  words: ['title', 'culprit'],
  fields: {
    level: { values: LEVELS },
    platform: { aliases: ['platform.name'] },
    title: { aliases: ['message'] },
    url: { aliases: ['http.url'] },
    handled: { aliases: ['error.handled'] },
    requestKind: { name: 'kind', aliases: ['request_kind'], values: REQUEST_KINDS },
    category: { values: CATEGORIES },
    sdk: { name: 'sdk.name' },
  },
  internal: ['mapFrames'],
})
