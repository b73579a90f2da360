/** HTML that the server sanitized when the editor saved it. Only `Prose` shows it. */
export type SafeHtml = { readonly sanitizedHtml: string }

/** Marks HTML from the site's own API, where every HTML field is sanitized on write, as safe to show. */
export function sanitizedByServer(html: string): SafeHtml {
  return { sanitizedHtml: html }
}
