import * as Sentry from '@sentry/tanstackstart-react'
import { notFound } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

/** Two bugs of one type in one function. */
async function findBoat(id) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (id === '1') throw new RangeError('boat has no harbour')
  if (id === '2') throw new RangeError('boat has no mast')
  if (id === 'missing') throw notFound()
  return { id }
}

export const getBoat = createServerFn()
  .validator((id) => id)
  .handler(async ({ data }) => findBoat(data))

export const getTides = createServerFn().handler(async () => {
  try {
    throw new Error('the tides are missing')
  } catch (cause) {
    Sentry.captureException(cause)
    return []
  }
})

export const getCrew = createServerFn().handler(async () => {
  await new Promise((resolve) => setTimeout(resolve, 100))
  throw new Error('the crew did not answer')
})

export const sinkBoat = createServerFn({ method: 'POST' }).handler(async () => {
  throw new Error('the boat cannot be sunk')
})

export const berthBoat = createServerFn({ method: 'POST' }).handler(async () => 'moored')
