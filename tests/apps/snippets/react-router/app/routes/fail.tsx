export function loader() {
  throw new Error('the server of react-router fails')
}

export default function Fail() {
  return null
}
