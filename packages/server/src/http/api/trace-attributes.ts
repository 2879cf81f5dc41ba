/** Attributes by which spans and errors can be searched and described; tools ask before they offer them. */
import * as v from 'valibot'
import type { DatasetView } from '#queries/dataset-types.ts'
import { namedSchema, textSchema } from './answers/words.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { DATASET, readDataset } from './datasets.ts'
import { errorFieldTypes } from './error-fields.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { NAMED_PARAMETER } from './params.ts'
import { choiceOrNone, words } from './query.ts'
import { spanFieldTypes } from './span-events.ts'

const ITEM_TYPE = words('itemType', 'What is asked: spans, the same as dataset')
const TYPE = choiceOrNone({
  ...{ name: 'attributeType', what: 'Only attributes of this type' },
  // Tools ask for lists too; no field is one.
  of: ['string', 'number', 'boolean', 'array'],
})
const PART = words('substringMatch', 'A part of the name; empty for all', 200)
const NUMBERS: readonly string[] = ['duration', 'integer', 'number', 'percentage']

const ATTRIBUTES = v.array(
  namedSchema(
    'TraceAttribute',
    v.object({
      key: textSchema,
      name: textSchema,
      attributeType: v.picklist(['string', 'number', 'boolean']),
    }),
  ),
)

export const TRACE_ATTRIBUTE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/trace-items/attributes/',
    permission: 'trace.read',
    what: 'the fields that spans, or another dataset, have in `events/`',
    query: [ITEM_TYPE, DATASET, TYPE, PART, NAMED_PARAMETER, ...PAGE],
    answer: ATTRIBUTES,
    run: attributes,
  },
]

async function attributes(call: OrgCall): Promise<ApiAnswer> {
  const { url } = call
  const asked = new URL(url)
  asked.searchParams.set(DATASET.name, ITEM_TYPE.read(url) || url.searchParams.get(DATASET.name) || 'spans')
  const dataset = readDataset({ ...call, url: asked })
  const part = (PART.read(url) || NAMED_PARAMETER.read(url)).toLowerCase()
  const wanted = TYPE.read(url)
  const fields =
    dataset === 'errors'
      ? errorFieldTypes()
      : dataset === 'spans'
        ? spanFieldTypes()
        : dataset.fields.map(fieldType)
  const all = fields
    .map(([key, type]) => ({
      key,
      name: key,
      attributeType: NUMBERS.includes(type) ? 'number' : type === 'boolean' ? type : 'string',
    }))
    .filter(({ key, attributeType }) => key.includes(part) && (wanted === null || attributeType === wanted))
  const { rows, page } = pageOf(all, readPage(url))
  return answerOk(rows, page)
}

/** A field as attributes are told: lists and pairs hold texts. */
function fieldType({ name, type }: DatasetView['fields'][number]): readonly [name: string, type: string] {
  return [name, type === 'flag' ? 'boolean' : type === 'number' ? 'number' : 'string']
}
