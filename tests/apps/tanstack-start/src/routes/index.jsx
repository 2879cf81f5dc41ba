import { createFileRoute, Link } from '@tanstack/react-router'

const PATHS = ['/boats/1', '/boats/2', '/boats/7', '/boats/missing', '/caught', '/late', '/ssr-only', '/act']

export const Route = createFileRoute('/')({
  component: () => (
    <>
      <h1>Harbour</h1>
      {PATHS.map((path) => (
        <Link key={path} to={path} preload={false}>
          {path}
        </Link>
      ))}
    </>
  ),
})
