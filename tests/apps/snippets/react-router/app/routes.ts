import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('fail', 'routes/fail.tsx'),
  route('mismatch', 'routes/mismatch.tsx'),
  route('reviews', 'routes/reviews.tsx'),
  // one more route
] satisfies RouteConfig
