import { deliverySamples, sampleSite } from '#features/delivery/content/email/samples.ts'
import { composeSms } from '#features/delivery/content/sms/compose-sms.ts'
import { createProgramWords, howToStop } from '#features/delivery/content/sms/program-words.ts'

const link = 'https://news.example.com/l/t/sample'

/** Returns the texts that members get, by name: editions, and those about the texts themselves. */
export function sampleTexts(): Readonly<Record<string, string>> {
  const { name: siteName, contact } = sampleSite
  const program = createProgramWords({ siteName, contact, editionsPerDay: 3 })
  return {
    edition: textOf('edition', { isPdf: false }),
    'edition, once a month': textOf('edition', { isPdf: false, ending: howToStop }),
    PDF: textOf('with a PDF', { isPdf: true }),
    welcome: program.welcome,
    'reply to STOP': program.stop,
    'reply to START': program.start,
    'reply to HELP': program.help,
  }
}

function textOf(sample: string, options: { isPdf: boolean; ending?: string }): string {
  const content = deliverySamples[sample]
  if (content === undefined) throw new Error(`There is no sample ${sample}`)
  const editions = content.editions.map(({ slot, memos }) => ({ edition: { slot }, memos }))
  return composeSms({ date: content.date, editions }, { site: sampleSite, link, maxSegments: 2, ...options })
}
