import { createFileRoute } from '@tanstack/react-router'
import { getBoat } from '../boats'

export const Route = createFileRoute('/boats/$id')({
  loader: ({ params }) => getBoat({ data: params.id }),
  component: Boat,
  notFoundComponent: () => <h1>No such boat</h1>,
})

function Boat() {
  return <h1>Boat {Route.useLoaderData().id}</h1>
}
