/** Keys and clicks from before the app ran: the document's own script keeps them, the app takes them up. */

/** Key as it was pressed, or the button that was clicked. */
type EarlyInput = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'> | HTMLButtonElement

declare global {
  interface Window {
    /** Ends the keeping of clicks, and of keys too unless they go on; returns what was kept in its order once all has ended. */
    errataEarlyInput?: (keysGoOn?: boolean) => readonly EarlyInput[]
  }
}

/**
 * Source of the document's script. It keeps what nothing but the app answers: keys that are typed nowhere, and clicks on
 * buttons that neither send a form nor open what the browser opens by itself; at most twenty. A button that does not
 * answer is clicked again, and means it once; a space belongs to the words after the key that asks for a field. Ctrl K
 * and `/` would open the browser's own search. What a browser fills in by itself is told as a key without a name.
 */
export const EARLY_INPUT = `(function(){var q=[];function p(i){q.length<20&&q.push(i)}
function k(e){var t=e.target,m=e.ctrlKey||e.metaKey;if(!e.key||e.altKey||e.isComposing||m&&e.key.toLowerCase()!='k'||e.key.length!=1||e.key==' '&&!q.length||!m&&t.closest&&t.closest('input:not([type=checkbox]),textarea,select,[contenteditable]'))return;
p({key:e.key,ctrlKey:e.ctrlKey,metaKey:e.metaKey,shiftKey:e.shiftKey});if(m||e.key=='/')e.preventDefault()}
function c(e){var b=e.target.closest&&e.target.closest('button[type=button]:not([popovertarget],[command])');b&&b!==q[q.length-1]&&p(b)}
addEventListener('keydown',k);addEventListener('click',c);
window.errataEarlyInput=function(on){removeEventListener('click',c);if(on)return[];removeEventListener('keydown',k);return q.splice(0)}})()`

/**
 * Does what was asked for before the app ran, one after the other: a key may open what the next is typed into. React
 * shows in a microtask what a key or a click changed; a task later, that would be there to be typed into by itself.
 */
export async function replayEarlyInput(): Promise<void> {
  const focused = document.activeElement
  for (const input of endEarlyInput()) {
    await null
    const field = document.activeElement
    if (input instanceof HTMLButtonElement) input.click()
    else if (field !== focused && field instanceof HTMLInputElement && !input.ctrlKey && !input.metaKey)
      typeInto(field, input.key)
    else window.dispatchEvent(new KeyboardEvent('keydown', { ...input, cancelable: true }))
  }
}

function typeInto(field: HTMLInputElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Leaves clicks to the app, whose elements answer from now on; its keys do a moment later. */
export function endEarlyClicks(): void {
  window.errataEarlyInput?.(true)
}

/** Ends the keeping where no app answers; returns what was kept. */
export function endEarlyInput(): readonly EarlyInput[] {
  return window.errataEarlyInput?.() ?? []
}
