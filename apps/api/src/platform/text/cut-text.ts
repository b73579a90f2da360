/**
 * Returns a text that was cut without the cut word: always if that is a web address, else where half of the text stays, as
 * in languages with spaces.
 */
export function dropCutWord(cut: string): string {
  const words = cut.replace(/(^|\s+)\S*$/, '')
  const isAddress = /:\/\/|www\./i.test(cut.slice(words.length))
  return (isAddress || words.length > cut.length / 2 ? words : cut).trimEnd()
}
