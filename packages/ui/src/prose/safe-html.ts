/** HTML without anything that runs. Only `Prose` shows it. */
export type SafeHtml = { readonly sanitizedHtml: string }

/** Marks HTML from the site's own API, where every HTML field is sanitized on write, as safe to show. */
export function sanitizedByServer(html: string): SafeHtml {
  return { sanitizedHtml: html }
}

/** Marks HTML that the desk's editor wrote, whose schema has only what the server keeps. */
export function writtenByEditor(html: string): SafeHtml {
  return { sanitizedHtml: html }
}
