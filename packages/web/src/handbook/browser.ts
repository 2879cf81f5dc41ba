/** What script adds to the handbook: a button beside every block of code that copies it. */
import './handbook.css'

const DONE_MS = 1_500

for (const box of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => void copy(box, button))
  box.append(button)
}

async function copy(box: Element, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(box.querySelector('pre')?.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    // Refused, or no clipboard at an address without https: the text can be selected.
    button.textContent = 'Not copied'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, DONE_MS)
}
