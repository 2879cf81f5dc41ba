import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('fail', 'routes/fail.tsx'),
  // one more route
] satisfies RouteConfig
