import account from './css/account.css?inline'
import form from './css/form.css?inline'
import frame from './css/frame.css?inline'
import states from './css/states.css?inline'

let sheet: CSSStyleSheet | null = null

/** Adds the styles to a shadow root, in a way that a strict Content-Security-Policy allows. */
export function adoptStyles(root: ShadowRoot): void {
  if (sheet === null) {
    sheet = new CSSStyleSheet()
    // In this order: a later rule wins over an earlier one of the same specificity.
    sheet.replaceSync(frame + form + account + states)
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
