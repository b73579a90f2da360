import { toText } from './to-gsm.ts'

/** How a text says once a month how to end them. */
export const howToStop = 'Reply STOP to end texts.'

type Program = { siteName: string; contact: string; editionsPerDay: number }

/** Creates the texts about the texts themselves, as carriers require them of recurring ones. */
export function createProgramWords({ siteName, contact, editionsPerDay }: Program) {
  const often = `up to ${editionsPerDay} ${editionsPerDay === 1 ? 'edition' : 'editions'} a day`
  const rates = 'Message and data rates may apply.'
  return {
    welcome: toText(
      `${siteName}: This number is confirmed. We text you the editions you choose, ${often}. ${rates} Reply HELP for help, STOP to end.`,
    ),
    stop: toText(`${siteName}: You get no more texts from us. Reply START to get them again.`),
    start: toText(
      `${siteName}: We text you editions again, ${often}. ${rates} Reply HELP for help, STOP to end.`,
    ),
    help: toText(
      `${siteName}: We text you the editions you choose, ${often}. ${rates} Questions? Write to ${contact}. Reply STOP to end texts.`,
    ),
  }
}
