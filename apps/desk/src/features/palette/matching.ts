/** Returns whether all words occur in a text, in any case and without regard to accents. */
function hasWords(text: string, words: string): boolean {
  const plain = plainText(text)
  return plainText(words)
    .split(/\s+/)
    .every((word) => plain.includes(word))
}

/** Returns what has the words, first those that begin with them. */
export function matching<Item extends { title: string; hint: string }>(
  items: readonly Item[],
  words: string,
): Item[] {
  const found = items.filter(({ title, hint }) => hasWords(`${title} ${hint}`, words))
  const start = plainText(words)
  const begins = ({ title }: Item) => plainText(title).startsWith(start)
  return [...found.filter(begins), ...found.filter((item) => !begins(item))]
}

function plainText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase().trim()
}
