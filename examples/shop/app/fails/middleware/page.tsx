/** Nobody sees this page: `proxy.ts` throws before. */
export default function MiddlewarePage() {
  return <p>Not shown</p>
}
