import { dialogsBeside } from '../dialogs-script.ts'
import { registerDialogElement } from './dialog-element.ts'

/** Registers the element by the name in the script's address: `dialogs.js?element=NAME`. */
function registerFromScript(): void {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement) || script.src === '') {
    throw new Error('The dialogs of published clients need a script element of their own')
  }
  const name = new URL(script.src).searchParams.get('element') ?? 'memberstack-prebuilt-ui'
  registerDialogElement({ name, load: dialogsBeside(script.src), language: script.dataset.language })
}

registerFromScript()
