export default function Reviews() {
  return null
}
