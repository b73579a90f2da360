/** HTML that the server cleaned when the editor saved it. Only `Prose` shows it. */
export type SafeHtml = { readonly cleanedHtml: string }

/** Marks HTML of the site's own API, where every HTML field is cleaned on write, as safe to show. */
export function cleanedByServer(html: string): SafeHtml {
  return { cleanedHtml: html }
}
