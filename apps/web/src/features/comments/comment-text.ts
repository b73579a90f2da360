/** Returns the text of a stored comment as a member would write it, with its line breaks. */
export function textOfComment(html: string): string {
  const lines = html.replaceAll(/<br ?\/?>/g, '\n').replaceAll(/<\/(?:p|li|h2|h3|blockquote)>/g, '$&\n\n')
  const page = new DOMParser().parseFromString(lines, 'text/html')
  return (page.body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim()
}
