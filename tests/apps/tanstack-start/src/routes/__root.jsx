import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import { useEffect } from 'react'

export const Route = createRootRoute({ component: Root, notFoundComponent: () => <h1>Not found</h1> })

function Root() {
  // Before React has the page, a click would load documents where the app navigates.
  useEffect(() => {
    document.body.dataset.ready = 'yes'
  }, [])
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
