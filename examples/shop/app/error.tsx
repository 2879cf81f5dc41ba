'use client'

import { Failed, type FailedProps } from './failed'

export default function ErrorPage({ error }: FailedProps) {
  return <Failed error={error} />
}
