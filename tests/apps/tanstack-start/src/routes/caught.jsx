import { createFileRoute } from '@tanstack/react-router'
import { getTides } from '../boats'

export const Route = createFileRoute('/caught')({ loader: () => getTides(), component: Tides })

function Tides() {
  return <h1>{Route.useLoaderData().length} tides</h1>
}
