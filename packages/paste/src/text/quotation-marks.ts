/** The opening and closing marks of a quotation, and of one inside it. */
export type QuotationMarks = readonly [open: string, close: string, innerOpen: string, innerClose: string]

const fallback: QuotationMarks = ['“', '”', '‘', '’']

// Source: the delimiters of CLDR 48 (cldr-misc-full), for the languages whose marks are not the English ones. French
// marks have narrow no-break spaces inside, but in Switzerland.
const marks = new Map<string, QuotationMarks>([
  ['ar', ['”', '“', '’', '‘']],
  ['be', ['«', '»', '„', '“']],
  ['bg', ['„', '“', '„', '“']],
  ['bs', ['„', '”', '‘', '’']],
  ['ca', ['«', '»', '“', '”']],
  ['cs', ['„', '“', '‚', '‘']],
  ['de', ['„', '“', '‚', '‘']],
  ['el', ['«', '»', '“', '”']],
  ['et', ['„', '“', '‚', '‘']],
  ['eu', ['«', '»', '“', '”']],
  ['fa', ['«', '»', '‹', '›']],
  ['fi', ['”', '”', '’', '’']],
  ['fr', ['«\u202f', '\u202f»', '«\u202f', '\u202f»']],
  ['fr-ca', ['«\u202f', '\u202f»', '”', '“']],
  ['fr-ch', ['«', '»', '‹', '›']],
  ['he', ['”', '”', '’', '’']],
  ['hr', ['„', '“', '‚', '‘']],
  ['hu', ['„', '”', '»', '«']],
  ['hy', ['«', '»', '«', '»']],
  ['is', ['„', '“', '‚', '‘']],
  ['it', ['«', '»', '“', '”']],
  ['ja', ['「', '」', '『', '』']],
  ['ka', ['„', '“', '«', '»']],
  ['lt', ['„', '“', '„', '“']],
  ['mk', ['„', '“', '‚', '‘']],
  ['nb', ['«', '»', '‘', '’']],
  ['nl', ['‘', '’', '‘', '’']],
  ['nn', ['«', '»', '‘', '’']],
  ['no', ['«', '»', '‘', '’']],
  ['pl', ['„', '”', '«', '»']],
  ['pt-pt', ['«', '»', '“', '”']],
  ['ro', ['„', '”', '«', '»']],
  ['ru', ['«', '»', '„', '“']],
  ['sk', ['„', '“', '‚', '‘']],
  ['sl', ['„', '“', '‚', '‘']],
  ['sr', ['„', '”', '’', '’']],
  ['sv', ['”', '”', '’', '’']],
  ['uk', ['«', '»', '„', '“']],
  ['ur', ['”', '“', '’', '‘']],
  ['zh-hant', ['「', '」', '『', '』']],
  ['zh-hk', ['「', '」', '『', '』']],
  ['zh-mo', ['「', '」', '『', '』']],
  ['zh-tw', ['「', '」', '『', '』']],
])

/** Returns the quotation marks of a BCP 47 language tag; English ones for a language that isn't listed. */
export function quotationMarks(language: string): QuotationMarks {
  const subtags = language.toLowerCase().split('-')
  for (let length = subtags.length; length > 0; length--) {
    const found = marks.get(subtags.slice(0, length).join('-'))
    if (found) return found
  }
  return fallback
}
