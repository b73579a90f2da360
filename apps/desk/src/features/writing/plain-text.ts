const numbers = new Intl.NumberFormat('en')

/** Returns the words of a text without its markup. */
export function plainText(html: string): string {
  const spaced = html.replaceAll(/<\/(p|li|h\d|td|th|blockquote)>|<br\s*\/?>/gi, '\n')
  return spaced
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}

export function countWords(html: string): number {
  return plainText(html).match(/\S+/g)?.length ?? 0
}

/** Returns `1 word` or `1,118 words`. */
export function wordsText(words: number): string {
  return words === 1 ? '1 word' : `${numbers.format(words)} words`
}
