import css from './dialogs.css?inline'

let sheet: CSSStyleSheet | null = null

/** Adds the styles to a shadow root, in a way that a strict Content-Security-Policy allows. */
export function adoptStyles(root: ShadowRoot): void {
  if (sheet === null) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
