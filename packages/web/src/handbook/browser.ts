/** Script of the handbook: a button beside every block of code that copies it, and the place in the list. */
import './handbook.css'

const DONE_MS = 1_500

// The list is longer than the window: it begins where the page stands in it.
const list = document.getElementById('pages')
const here = list?.querySelector<HTMLElement>('[aria-current]')
if (list && here) list.scrollTop = here.offsetTop - list.clientHeight / 3

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
