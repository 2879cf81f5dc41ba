export default function Loading() {
  return <p>Printing …</p>
}
