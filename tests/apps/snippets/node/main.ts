
document.querySelector('button')?.addEventListener('click', () => {
  throw new Error('the button of browser fails')
})
