export function loader({ request }: { readonly request: Request }) {
  const code = new URL(request.url).searchParams.get('code')
  throw new RangeError(`no discount has the code ${code}`)
}
