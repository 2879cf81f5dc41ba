/** Platforms a project can be made for; each has a snippet in `snippets.ts`. */
export const PLATFORMS = [
  { id: 'javascript-nextjs', name: 'Next.js' },
  { id: 'javascript-react-router', name: 'React Router' },
  { id: 'node', name: 'Node' },
  { id: 'javascript-browser', name: 'Browser' },
  { id: 'python', name: 'Python' },
  { id: 'go', name: 'Go' },
  { id: '', name: 'Other' },
] as const
