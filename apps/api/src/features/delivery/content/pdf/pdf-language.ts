import type { PdfLanguage } from '#integrations/pdf/pdf-document.ts'

/** Returns the parts of a BCP 47 tag that Typst knows; empty for none. */
export function languageOf(tag: string): Pick<PdfLanguage, 'lang' | 'region'> {
  const [language = '', ...others] = tag.toLowerCase().split('-')
  return {
    lang: /^[a-z]{2,3}$/.test(language) ? language : '',
    region: others.find((part) => /^[a-z]{2}$/.test(part)) ?? '',
  }
}
